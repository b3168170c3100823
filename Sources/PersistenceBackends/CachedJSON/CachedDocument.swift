import Foundation
import MenuModel

/// A value for memory and its JSON for the file behind it.
public struct CachedDocument<Document: BenchDocument>: Sendable {
  /// The value, which every reader shares.
  public let document: Document
  /// The length of its JSON; nil where there is no file.
  public let fileLength: Int?
  /// What goes into the file; nil in what was read, whose JSON nobody kept.
  let json: Data?

  init(_ document: Document, json: Data?) {
    self.document = document
    self.json = json
    fileLength = json?.count
  }

  init(_ kept: KeptValue<Document>) {
    document = kept.document
    fileLength = kept.fileLength
    json = nil
  }
}

extension CachedDocument: Equatable {
  /// Whether value and length are the same.
  public static func == (a: Self, b: Self) -> Bool {
    a.fileLength == b.fileLength && a.document == b.document
  }
}

extension CachedDocument: Hashable where Document: Hashable {
  /// Feeds value and length.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(document)
    hasher.combine(fileLength)
  }
}

import Foundation
import MenuModel

/// A store of a backend that changes no schemas, as an app without migrations keeps it: beside the
/// store stands the schema of the program that wrote it, and a program of another one discards the
/// store and keeps what it fetches anew.
///
/// The stamp is taken away before the old store is touched and put there once the new one is
/// complete, so that a crash between leaves a store that every program discards.
public struct StampedStore<Document: BenchDocument> {
  private let entry: BackendEntry<Document>
  private let store: StoreContext
  private let path: String
  private let stamp: WholeFile

  /// Describes a store in a folder of its own; nothing is opened.
  public init(_ entry: BackendEntry<Document>, in folder: StoreContext) {
    self.entry = entry
    store = StoreContext(folder: folder.path("store"), durability: folder.durability)
    path = folder.path("schema")
    // Torn, a stamp of two digits could be read as one of one.
    stamp = WholeFile(
      path: path, durability: folder.durability == .none ? .atomic : folder.durability)
  }

  /// The schema of the program that wrote the store; nil where there is none, or none that is whole.
  ///
  /// - Throws: ``StorageError`` where the stamp is there and cannot be read: that is no reason to
  ///   discard anything.
  public var schema: Int? {
    get throws {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      return Int(String(decoding: try stamp.read(), as: UTF8.self))
    }
  }

  /// Opens the store as a program of a schema.
  ///
  /// - Parameter fetch: brings the document that is stored where the store is not of that schema.
  /// - Throws: ``StorageError``; what `fetch` throws, with the store as it was.
  public func open(
    asSchema schema: Int, fetching fetch: () throws -> Document
  ) throws -> any Backend<Document> {
    guard try self.schema != schema else { return try entry.open(store) }
    let document = try fetch()
    try mark("none")
    try store.empty()
    let backend = try entry.open(store)
    try backend.save(document)
    try mark(String(schema))
    return backend
  }

  private func mark(_ text: String) throws {
    try Data(text.utf8).withUnsafeBytes { try stamp.write($0) }
  }
}

extension StoreContext {
  /// Makes the store's folder an empty one, whatever it holds.
  ///
  /// - Throws: the file system's error.
  public func empty() throws {
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }
}

extension Backend {
  /// Encodes and writes a document that has just come.
  public func save(_ document: Document) throws {
    try prepare(document)
    try write(encode(document))
  }
}

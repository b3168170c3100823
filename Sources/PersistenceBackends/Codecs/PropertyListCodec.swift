import Foundation
import MenuModel

/// A binary property list by Foundation.
public struct PropertyListCodec: Codec {
  private let encoder: PropertyListEncoder
  private let decoder = PropertyListDecoder()

  /// Makes a codec; its encoder and decoder serve every document.
  public init() {
    encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
  }

  /// The document as a binary property list.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  /// The document that the property list holds.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }
}

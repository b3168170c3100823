import Foundation
import MenuModel

/// JSON by Foundation, with the defaults that most apps leave as they are.
public struct JSONCodec: Codec, Sendable {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Makes a codec; its encoder and decoder serve every document.
  public init() {}

  /// The document as JSON, keys in no particular order.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  /// The document that the JSON holds.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }
}

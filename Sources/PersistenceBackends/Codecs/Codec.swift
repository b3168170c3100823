import Foundation
import MenuModel

/// Turns any `Codable` document into bytes and back; composed with a ``Place`` it is a backend.
public protocol Codec {
  /// The document as bytes.
  func encode<Document: BenchDocument>(_ document: Document) throws -> Data
  /// The document that the bytes hold.
  func decode<Document: BenchDocument>(_ type: Document.Type, from bytes: Data) throws -> Document
}

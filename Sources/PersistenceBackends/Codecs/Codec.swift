import Foundation
import MenuModel

/// Turns any `Codable` document into bytes and back; composed with a ``Place`` it is a backend.
///
/// Readers on other threads have a ``twin()`` each, which is the codec itself unless it says otherwise:
/// one that keeps anything between calls has to.
public protocol Codec {
  /// The document as bytes.
  func encode<Document: BenchDocument>(_ document: Document) throws -> Data
  /// The document that the bytes hold.
  func decode<Document: BenchDocument>(_ type: Document.Type, from bytes: Data) throws -> Document
  /// One for another thread to use at the same time.
  func twin() throws -> Self
}

extension Codec {
  /// Itself, which any number of threads may use.
  public func twin() throws -> Self { self }
}

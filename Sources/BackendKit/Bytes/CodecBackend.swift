import Foundation
import MenuModel

/// A backend made of a codec and a place. It stores the bytes of one whole document.
package final class CodecBackend<C: DocumentCodec, P: Place>: Backend {
  package typealias Document = C.Document

  private let codec: C
  package let place: P

  package init(codec: C, place: P) {
    self.codec = codec
    self.place = place
  }

  package func encode(_ document: Document) throws -> Data {
    try located("encode", place.location) { try codec.encode(document) }
  }

  package func write(_ payload: Data) throws { try place.write(payload) }
  package func read() throws -> Data { try place.read() }

  package func decode(_ payload: Data) throws -> Document {
    try located("decode", place.location) { try codec.decode(payload) }
  }

  package func size(of payload: Data) -> Size { .bytes(payload.count) }
  package func dropCaches() throws { try place.dropCaches() }
  package func close() throws { try place.close() }
}

extension CodecBackend: ConcurrentReading where P: ConcurrentPlace {
  package var readsBesideWriter: Bool { place.readsBesideWriter }

  /// Opens a reader with the codec's twin and a separate handle on the place.
  package func openReader() throws -> any Backend<Document> {
    CodecBackend(codec: try codec.twin(), place: try place.openReader())
  }
}

extension CodecBackend: ResponseParsing where C: ResponseCodec {}

extension CodecBackend: SchemaChanging where C: MenuCodec {
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try place.write(codec.encode(menu, across: change))
  }
}

/// Turns documents of one type into bytes and back. Together with a ``Place`` it is a backend.
///
/// For a codec of any `Codable` document conform to ``Codec`` instead. Each reader on another
/// thread has a ``twin()``, by default the codec itself. A codec that keeps state between calls
/// must return another one.
public protocol DocumentCodec<Document> {
  associatedtype Document: BenchDocument
  func encode(_ document: Document) throws -> Data
  func decode(_ bytes: Data) throws -> Document
  /// Returns a codec that another thread can use at the same time.
  func twin() throws -> Self
}

extension DocumentCodec {
  /// Returns the codec itself, which any number of threads may use.
  public func twin() throws -> Self { self }
}

/// A codec that can also encode menus as other program versions did.
package protocol MenuCodec: DocumentCodec where Document == Menu {
  /// Encodes a menu as the program on the other side of a change would have stored it.
  func encode(_ menu: Menu, across change: SchemaChange) throws -> Data
}

/// A codec of the network's responses: JSON, perhaps compressed.
public protocol ResponseCodec {}

/// Turns any `Codable` document into bytes and back. Together with a ``Place`` it is a backend.
///
/// Each reader on another thread has a ``twin()``, as for a ``DocumentCodec``.
public protocol Codec {
  func encode<Document: BenchDocument>(_ document: Document) throws -> Data
  func decode<Document: BenchDocument>(_ type: Document.Type, from bytes: Data) throws -> Document
  /// Returns a codec that another thread can use at the same time.
  func twin() throws -> Self
}

extension Codec {
  /// Returns the codec itself, which any number of threads may use.
  public func twin() throws -> Self { self }
}

/// Adapts a codec of any document to documents of one type.
package struct CodableCodec<Document: BenchDocument, Wrapped: Codec>: DocumentCodec {
  package let wrapped: Wrapped

  package init(_ wrapped: Wrapped) { self.wrapped = wrapped }

  package func encode(_ document: Document) throws -> Data { try wrapped.encode(document) }

  package func decode(_ bytes: Data) throws -> Document {
    try wrapped.decode(Document.self, from: bytes)
  }

  package func twin() throws -> Self { Self(try wrapped.twin()) }
}

extension CodableCodec: ResponseCodec where Wrapped: ResponseCodec {}

extension CodableCodec: MenuCodec where Document == Menu {
  package func encode(_ menu: Menu, across change: SchemaChange) throws -> Data {
    try wrapped.encode(ForeignMenu(menu, across: change))
  }
}

/// JSON by Foundation, with the default settings that most apps keep.
public struct JSONCodec: Codec, ResponseCodec, Sendable {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Makes a codec. Its encoder and decoder serve every document.
  public init() {}

  /// Returns the document as JSON, with keys in no particular order.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  /// Returns the document that the JSON holds.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }
}

/// A binary property list by Foundation.
public struct PropertyListCodec: Codec {
  private let encoder: PropertyListEncoder
  private let decoder = PropertyListDecoder()

  /// Makes a codec. Its encoder and decoder serve every document.
  public init() {
    encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
  }

  /// Returns the document as a binary property list.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  /// Returns the document that the property list holds.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }
}

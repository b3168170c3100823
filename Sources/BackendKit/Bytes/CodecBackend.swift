import Foundation
import MenuModel

extension BackendEntry {
  /// Describes a codec in a place, each made anew for every store:
  ///
  /// ```swift
  /// BackendEntry(id: "json", summary: "JSON in one file", codec: JSONCodec()) {
  ///   FilePlace($0, name: "menu.json")
  /// }
  /// ```
  public init<C: Codec & SendableMetatype, P: Place & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, survivesRestart: Bool = true,
    flushedFrom: Durability = .atomic, library: Library? = nil, promises: Durability = .none,
    belowFloor: [String: String] = [:],
    codec: @escaping @autoclosure @Sendable () throws -> C,
    place: @escaping @Sendable (StoreContext) throws -> P
  ) {
    self.init(
      id: id, summary: summary, caveat: caveat, survivesRestart: survivesRestart,
      flushedFrom: flushedFrom, library: library, promises: promises, belowFloor: belowFloor
    ) { store in
      CodecBackend(storing: Document.self, codec: try codec(), place: try place(store))
    }
  }
}

/// A codec in a place: the bytes of one whole document.
package final class CodecBackend<Document: BenchDocument, C: Codec, P: Place>: Backend {
  private let codec: C
  package let place: P

  /// Composes a codec and a place.
  package init(storing type: Document.Type = Document.self, codec: C, place: P) {
    self.codec = codec
    self.place = place
  }

  /// The document as the codec's bytes.
  package func encode(_ document: Document) throws -> Data { try codec.encode(document) }

  /// Hands the bytes to the place.
  package func write(_ payload: Data) throws { try place.write(payload) }

  /// Takes the bytes from the place.
  package func read() throws -> Data { try place.read() }

  /// The document that the codec's bytes hold.
  package func decode(_ payload: Data) throws -> Document {
    try codec.decode(Document.self, from: payload)
  }

  /// The number of bytes.
  package func size(of payload: Data) -> Size { .bytes(payload.count) }

  /// Has the place forget.
  package func dropCaches() throws { try place.dropCaches() }

  /// Closes the place.
  package func close() throws { try place.close() }
}

extension CodecBackend: ConcurrentReading where P: ConcurrentPlace {
  /// As the place does.
  package var readsBesideWriter: Bool { place.readsBesideWriter }

  /// The codec's twin, on a handle of its own to the place.
  package func openReader() throws -> any Backend<Document> {
    CodecBackend(codec: try codec.twin(), place: try place.openReader())
  }
}

extension CodecBackend: SchemaChanging where Document == Menu {
  /// By the codec, as the other program's document has it.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try place.write(codec.encode(ForeignMenu(menu, across: change)))
  }
}

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

import Foundation
import MenuModel

extension BackendEntry {
  /// `raw-response`: the network's bytes in one file.
  public static var rawResponse: Self {
    Self(
      id: "raw-response", summary: "the network's JSON kept as it came, decoded on every read",
      caveat: "raw-response encodes nothing: it keeps the bytes that the network brought with the "
        + "menu; a menu that the app changes itself it has to encode",
      library: .foundation, promises: .durable,
      belowFloor: ["encode": "hands out the response that it was given"]
    ) { store in RawResponseBackend<Document>(FilePlace(store, name: "response.json")) }
    .beyond(
      CodecAndPlace(codec: "json", place: "file"),
      "keeps the response as it came, so that saving encodes nothing"
    ).advised([
      Advice(
        "a cache stores the response that it received",
        source: "https://www.rfc-editor.org/rfc/rfc9111#section-3")
    ])
  }
}

/// Keeps what the network brought, byte by byte, and decodes it on every read.
///
/// ``prepare(_:)`` plays the network: it makes the response that the document came with.
package final class RawResponseBackend<Document: BenchDocument>: Backend {
  private let place: FilePlace
  private let codec = JSONCodec()
  private var arrived: (document: Document, response: Data)?
  private var recent: [(fingerprint: Checksum, response: Data)] = []

  package var keepsResponse: Bool { true }

  package init(_ place: FilePlace) { self.place = place }

  /// Receives the document's response. Of the two last ones the bytes are kept: two documents are
  /// stored in turn, and each has to come with the same bytes again.
  package func prepare(_ document: Document) throws {
    arrived = (document, try response(of: document))
  }

  /// The bytes that the document came with; of a document that did not come from the network, JSON
  /// made now.
  ///
  /// Comparing costs next to nothing where this shares its storage with what `prepare` was given.
  package func encode(_ document: Document) throws -> Data {
    defer { arrived = nil }
    if let arrived, isSame(document, arrived.document) { return arrived.response }
    return try codec.encode(document)
  }

  package func write(_ payload: Data) throws { try place.write(payload) }
  package func read() throws -> Data { try place.read() }

  package func decode(_ payload: Data) throws -> Document {
    try codec.decode(Document.self, from: payload)
  }

  package func size(of payload: Data) -> Size { .bytes(payload.count) }

  /// Whether two documents are the same to the byte: `==` takes the NFC and NFD forms of one text for the
  /// same. What shares all of its storage is not walked through.
  private func isSame(_ one: Document, _ other: Document) -> Bool {
    let sharesStorage = withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in one.elementsEqual(other) }
    }
    return sharesStorage || (one == other && one.fingerprint == other.fingerprint)
  }

  private func response(of document: Document) throws -> Data {
    // Not by `==`, as in `isSame`.
    let fingerprint = document.fingerprint
    if let known = recent.first(where: { $0.fingerprint == fingerprint }) { return known.response }
    let response = try codec.encode(document)
    recent = recent.suffix(1) + [(fingerprint, response)]
    return response
  }
}

extension RawResponseBackend: ConcurrentReading {
  package var readsBesideWriter: Bool { place.readsBesideWriter }

  package func openReader() -> any Backend<Document> {
    RawResponseBackend(place.openReader())
  }
}

extension RawResponseBackend: SchemaChanging where Document == Menu {
  /// As the network brought it to the other program.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try place.write(codec.encode(ForeignMenu(menu, across: change)))
  }
}

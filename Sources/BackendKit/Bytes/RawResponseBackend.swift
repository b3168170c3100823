import Foundation
import MenuModel

extension BackendEntry {
  /// `raw-response`: the network's response in one file.
  public static var rawResponse: Self {
    Self(
      id: "raw-response", summary: "the network's JSON kept as it came, decoded on every read",
      caveat: "raw-response encodes nothing: it keeps the bytes in which the menu arrived. A menu "
        + "that the app changes must be encoded",
      library: .foundation, promises: .durable,
      belowFloor: ["encode": "returns the response that it was given"]
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

/// Stores the network's response unchanged and decodes it on every read.
///
/// ``prepare(_:)`` simulates the network: it makes the response that brought the document.
package final class RawResponseBackend<Document: BenchDocument>: Backend {
  private let place: FilePlace
  private let codec = JSONCodec()
  private var arrived: (document: Document, response: Data)?
  private var recent: [(fingerprint: Checksum, response: Data)] = []

  package var keepsResponse: Bool { true }

  package init(_ place: FilePlace) { self.place = place }

  /// Receives the document's response. Keeps the bytes of the last two: two documents are stored
  /// alternately, and each must come with the same bytes again.
  package func prepare(_ document: Document) throws {
    arrived = (document, try response(of: document))
  }

  /// Returns the response that brought the document. Other documents are encoded now.
  ///
  /// The comparison costs almost nothing if the document shares its storage with the one given to
  /// `prepare`.
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

  /// Whether two documents are identical to the byte: `==` treats the NFC and NFD forms of a text
  /// as equal. Documents that share all of their storage are not walked through.
  private func isSame(_ one: Document, _ other: Document) -> Bool {
    let sharesStorage = withUnsafeBytes(of: one) { one in
      withUnsafeBytes(of: other) { other in one.elementsEqual(other) }
    }
    return sharesStorage || (one == other && one.fingerprint == other.fingerprint)
  }

  private func response(of document: Document) throws -> Data {
    // Compares fingerprints instead of using `==`, for the same reason as `isSame`.
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
  /// Stores the response that the network brought to the other program.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try place.write(codec.encode(ForeignMenu(menu, across: change)))
  }
}

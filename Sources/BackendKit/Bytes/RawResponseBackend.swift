import Foundation
import MenuModel

extension PlaceEntry {
  /// `response`: the network's response in one file.
  public static var response: Self {
    Self(
      id: "response", summary: "as the network sent it, in one file",
      caveat: "The network sends the codec's bytes, so saving them encodes nothing, and the "
        + "network's code frees them. A menu that the app changes must be encoded",
      library: .foundation, survivesRestart: true, flushedFrom: .atomic, promises: .durable,
      belowFloor: ["encode": "returns the response that it was given"],
      advice: [
        Advice(
          "a cache stores the response that it received",
          source: "https://www.rfc-editor.org/rfc/rfc9111#section-3")
      ] + file.advice,
      opener: ResponseOpener())
  }
}

private struct ResponseOpener: PlaceOpener {
  func backend<C: DocumentCodec & SendableMetatype>(
    of codec: @escaping @Sendable () throws -> C, fileExtension: String
  ) -> TypedOpening<C.Document> {
    let name = "response." + fileExtension
    return (
      RawResponseBackend<C>.self,
      { try RawResponseBackend(try codec(), in: FilePlace($0, name: name)) }
    )
  }
}

/// Stores the network's response unchanged and decodes it on every read.
///
/// ``prepare(_:)`` simulates the network: it makes the response that brought the document.
package final class RawResponseBackend<C: DocumentCodec>: Backend {
  package typealias Document = C.Document

  private let codec: C
  /// The network's own codec, because ``prepare(_:)`` may be called while another thread decodes.
  private let network: C
  private let place: FilePlace
  private var arrived: (document: Document, response: Data)?
  private var recent: [(fingerprint: Checksum, response: Data)] = []

  package init(_ codec: C, in place: FilePlace) throws {
    self.codec = codec
    self.place = place
    network = try codec.twin()
  }

  /// Receives the document's response.
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
    return try located("encode", place.location) { try codec.encode(document) }
  }

  package func write(_ payload: Data) throws { try place.write(payload) }
  package func read() throws -> Data { try place.read() }

  package func decode(_ payload: Data) throws -> Document {
    try located("decode", place.location) { try codec.decode(payload) }
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
}

extension RawResponseBackend: ResponseParsing {
  package var keepsResponse: Bool { true }

  /// Keeps the bytes of the last two: two documents are stored alternately, and each must come with
  /// the same bytes again.
  package func response(of document: Document) throws -> Data {
    // Compares fingerprints instead of using `==`, for the same reason as `isSame`.
    let fingerprint = document.fingerprint
    if let known = recent.first(where: { $0.fingerprint == fingerprint }) { return known.response }
    let response = try located("encode", place.location) { try network.encode(document) }
    recent = recent.suffix(1) + [(fingerprint, response)]
    return response
  }
}

extension RawResponseBackend: ConcurrentReading {
  package var readsBesideWriter: Bool { place.readsBesideWriter }

  package func openReader() throws -> any Backend<Document> {
    try RawResponseBackend(try codec.twin(), in: place.openReader())
  }
}

extension RawResponseBackend: SchemaChanging where C: MenuCodec {
  /// Stores the response that the network brought to the other program.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try place.write(codec.encode(menu, across: change))
  }
}

import Foundation
import MenuModel

/// A codec in a place: the bytes of one whole document.
public final class CodecBackend<Document: BenchDocument, C: Codec, P: Place>: Backend {
  private let codec: C
  private let place: P

  /// Composes a codec and a place.
  public init(storing type: Document.Type = Document.self, codec: C, place: P) {
    self.codec = codec
    self.place = place
  }

  /// The document as the codec's bytes.
  public func encode(_ document: Document) throws -> Data { try codec.encode(document) }

  /// Hands the bytes to the place.
  public func write(_ payload: Data) throws { try place.write(payload) }

  /// Takes the bytes from the place.
  public func read() throws -> Data { try place.read() }

  /// The document that the codec's bytes hold.
  public func decode(_ payload: Data) throws -> Document {
    try codec.decode(Document.self, from: payload)
  }

  /// The number of bytes.
  public func size(of payload: Data) -> Size { .bytes(payload.count) }

  /// What the place keeps.
  public func storedSize() throws -> Size { try place.storedSize() }

  /// Has the place forget.
  public func dropCaches() throws { try place.dropCaches() }

  /// Closes the place.
  public func close() throws { try place.close() }
}

extension CodecBackend: ConcurrentReading where P: ConcurrentPlace {
  /// The same codec, on a handle of its own to the place.
  public func openReader() throws -> any Backend<Document> {
    CodecBackend(codec: codec, place: try place.openReader())
  }
}

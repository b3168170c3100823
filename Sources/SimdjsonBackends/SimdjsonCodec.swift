import BackendKit
import BenchDocuments
import Foundation

extension BackendEntry {
  /// `json-simdjson`: `json`'s file, decoded by simdjson.
  public static var jsonSimd: Self { Self(.jsonSimd, in: .file, id: "json-simdjson") }

  /// `raw-simdjson`: the network's response in one file, decoded by simdjson.
  public static var rawSimd: Self { Self(.jsonSimd, in: .response, id: "raw-simdjson") }
}

extension CodecEntry {
  /// `json-simdjson`: Foundation's JSON, decoded by simdjson.
  public static var jsonSimd: Self {
    Self(
      id: "json-simdjson", summary: "JSON by Foundation, decoded by simdjson",
      caveat: "json-simdjson encodes by Foundation's JSONEncoder, as json does, because simdjson "
        + "only reads. Foundation also decodes a text with the number -0, a whole number beyond 64 "
        + "bits or a fault",
      library: .simdjson, fileExtension: "json",
      advice: [
        Advice(
          "one parser for many texts, which keeps its memory",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/performance.md"),
        Advice(
          "texts with padding after their end, so that none is copied",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/performance.md",
          here: "not followed: a text comes as Data of its own length, and simdjson copies it"),
        Advice(
          "On Demand, which fills your own values without a tree",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/basics.md",
          here: "not followed: Decodable asks for keys repeatedly and in any order, so a tree is "
            + "built. Most of a decode is spent in Codable"),
      ], codec: SimdjsonCodec())
  }
}

/// JSON that Foundation's `JSONEncoder` writes and simdjson reads.
///
/// One parser serves all documents, so only one thread may use it at a time. A twin has its own parser.
public struct SimdjsonCodec: Codec, ResponseCodec {
  private let encoder = JSONEncoder()
  private let decoder = SimdjsonDecoder()

  /// Makes a codec.
  public init() {}

  /// Encodes the document as JSON, with keys in no particular order.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  /// Decodes a document from JSON.
  ///
  /// - Throws: The errors of `JSONDecoder`.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }

  /// Creates another codec with a parser of its own.
  public func twin() throws -> SimdjsonCodec { SimdjsonCodec() }
}

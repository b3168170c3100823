import BenchCLI
import Foundation

extension BackendEntry {
  /// `json-sorted`: JSON that is the same bytes for the same document, in one file.
  static var sortedJSON: Self {
    Self(
      id: "json-sorted", summary: "JSON by Foundation, keys sorted, in one file",
      library: .foundation, promises: .durable, codec: SortedJSONCodec()
    ) { FilePlace($0, name: "menu.json") }
  }
}

/// JSON with sorted keys, so that a cache can tell by its bytes whether a menu changed.
struct SortedJSONCodec: Codec {
  private let encoder: JSONEncoder
  private let decoder = JSONDecoder()

  init() {
    encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
  }

  func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try encoder.encode(document)
  }

  func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try decoder.decode(type, from: bytes)
  }
}

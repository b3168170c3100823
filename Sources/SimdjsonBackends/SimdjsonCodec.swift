import BackendKit
import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `json-simdjson`: `json`'s file, decoded by simdjson.
  public static var jsonSimd: Self { Self(.jsonSimd, in: .file, id: "json-simdjson") }

  /// `raw-simdjson`: the network's response in one file, decoded by simdjson.
  public static var rawSimd: Self { Self(.jsonSimd, in: .response, id: "raw-simdjson") }
}

extension CodecEntry where Document == Menu {
  /// `json-simdjson`: Foundation's JSON, decoded by simdjson.
  public static var jsonSimd: Self {
    Self(
      id: "json-simdjson", summary: "JSON by Foundation, decoded by simdjson",
      caveat: "simdjson only reads, so Foundation's JSONEncoder encodes what must be encoded. Each "
        + "type of the menu is read by hand, without Codable. Foundation decodes a text with other members "
        + "than this program's, such as one of another version, the number -0 or a fault",
      library: .simdjson, fileExtension: "json",
      advice: [
        Advice(
          "one parser for many texts, which keeps its memory",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/performance.md",
          here: "not followed: an app loads once, and the parser would keep fifteen times the text"),
        Advice(
          "texts with padding after their end, so that none is copied",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/performance.md",
          here: "not followed: a text comes as Data of its own length, and simdjson copies it"),
        Advice(
          "On Demand, which fills your own values without a tree",
          source: "https://github.com/simdjson/simdjson/blob/master/doc/basics.md",
          here: "not followed: it is a C++ template, so Swift reads the tree's tape. Parsing takes "
            + "a quarter of a decode"),
      ], documentCodec: SimdjsonCodec())
  }
}

/// JSON that Foundation's `JSONEncoder` writes and simdjson reads.
///
/// simdjson's tape is read straight into the menu's types. A text that is not exactly as this
/// program writes it is decoded by `JSONDecoder`: its value or its error is the result.
struct SimdjsonCodec: MenuCodec, ResponseCodec {
  private let foundation = JSONCodec()

  func encode(_ menu: Menu) throws -> Data { try foundation.encode(menu) }

  func encode(_ menu: Menu, across change: SchemaChange) throws -> Data {
    try foundation.encode(ForeignMenu(menu, across: change))
  }

  func decode(_ json: Data) throws -> Menu {
    try Menu(simdjson: json) ?? foundation.decode(Menu.self, from: json)
  }
}

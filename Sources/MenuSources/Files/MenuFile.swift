import Basics
import Foundation
import MenuModel

/// A menu in a file of our format, which `Datasets/menu.schema.json` publishes:
/// `{"format":"menubench.menu","menu":{…},"schema":1}`.
package struct MenuFile: Equatable, Sendable {
  /// The menu.
  package var menu: Menu
  /// One line each: what of the file has no place in the menu.
  package var notes: [String]

  package init(menu: Menu, notes: [String] = []) {
    self.menu = menu
    self.notes = notes
  }

  /// What the file's `format` says.
  static let format = "menubench.menu"
  /// The schema that this program reads and writes.
  static let schema = 1
  /// The largest file that is read, in bytes; a store's whole menu takes about 0.2 MB.
  static let sizeLimit = 100_000_000
  /// What stands for standard input where a path is expected.
  package static let standardInput = "-"

  /// Reads a file.
  ///
  /// - Throws: the path and what is wrong.
  package static func load(path: String) throws(Refusal) -> MenuFile {
    do throws(Refusal) {
      return try decode(try Data(ofFile: path, limit: sizeLimit))
    } catch {
      let isThere = access(path, F_OK) == 0
      throw Refusal(
        "menu file \(path.debugDescription): \(error)",
        help: isThere ? error.help : "a preset is named without a path: --menu large")
    }
  }

  /// Reads a pipe until its end.
  ///
  /// - Throws: what is wrong with standard input.
  package static func load(from pipe: FileHandle) throws(Refusal) -> MenuFile {
    do throws(Refusal) {
      return try decode(try pipe.contents(upTo: sizeLimit))
    } catch {
      throw Refusal("standard input: \(error)", help: error.help)
    }
  }

  /// Reads the content of a file, and checks that the menu holds together.
  ///
  /// - Throws: what is wrong, in words that follow the file's name.
  package static func decode(_ data: Data) throws(Refusal) -> MenuFile {
    if data.isGzip {
      throw Refusal("it is compressed by gzip", help: "undo it: gunzip -c FILE | bench import -")
    }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    var parts = MenuFileParts()
    try JSONScanner.scan([UInt8](text)) { parts.add($0) }
    guard parts.topLevelKeys.isSuperset(of: ["format", "schema"]) else {
      throw foreign("it is not a menu in our format: \(parts.shape)")
    }
    do {
      let menu = try readMenu(text)
      try menu.validate()
      return MenuFile(menu: menu, notes: parts.notes)
    } catch let error as DecodingError {
      throw parts.refusal(error)
    } catch let error as InvalidMenu {
      let (first, rest) = (error.problems[0], error.problems.count - 1)
      throw Refusal(rest > 0 ? "\(first) (and \(rest) more)" : "\(first)")
    } catch {
      throw error as? Refusal ?? Refusal("\(error)")
    }
  }

  /// The file of a menu: sorted keys and a final newline, so that equal menus are equal files.
  ///
  /// - Throws: `EncodingError` where nutrition holds a number that JSON has no form for.
  package static func encode(_ menu: Menu) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(format: format, menu: menu, schema: schema)
    return try encoder.encode(whole) + Data("\n".utf8)
  }

  /// - Throws: `DecodingError`; `Refusal` where the format or its schema is another.
  private static func readMenu(_ text: Data) throws -> Menu {
    let decoder = JSONDecoder()
    let header = try decoder.decode(Header.self, from: text)
    guard header.format == format else {
      throw foreign(
        "its format is \(header.format.debugDescription), not \(format.debugDescription)")
    }
    guard header.schema == schema else {
      throw Refusal(
        "it has schema \(header.schema) of \(format); this program reads schema \(schema)",
        help: header.schema > schema
          ? "use the version of bench that wrote the file, or write it again with this one"
          : "write the file again with this version of bench")
    }
    return try decoder.decode(Whole.self, from: text).menu
  }

  private static func foreign(_ words: String) -> Refusal {
    Refusal(
      words,
      help: "convert it with jq, see Documentation/recipes.md, for example: "
        + "jq -f Datasets/recipes/dominos.jq menu.json | bench import -")
  }

  private struct Header: Decodable {
    var format: String
    var schema: Int
  }

  private struct Whole: Codable {
    var format: String
    var menu: Menu
    var schema: Int
  }
}

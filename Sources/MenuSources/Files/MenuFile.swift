import Basics
import Foundation
import MenuModel

/// A menu in a file of our format, with the schema published in `Datasets/menu.schema.json`:
/// `{"format":"menubench.menu","menu":{…},"schema":1}`.
package struct MenuFile: Equatable, Sendable {
  /// The menu in the file.
  package var menu: Menu
  /// One line for each part of the file that has no place in the menu.
  package var notes: [String]

  package init(menu: Menu, notes: [String] = []) {
    self.menu = menu
    self.notes = notes
  }

  /// The value of the file's `format`.
  static let format = "menubench.menu"
  /// The schema version that this program reads and writes.
  static let schema = 1
  /// The maximum file size in bytes. The whole menu of one store takes about 0.2 MB.
  static let sizeLimit = 100_000_000
  /// The path that stands for standard input.
  package static let standardInput = "-"

  /// Whether a name stands for a pipe, which can be read only once.
  package static func isPipe(_ name: String) -> Bool {
    var status = stat()
    return name == standardInput
      || stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Reads a menu from a file.
  ///
  /// - Throws: an error with the path and the reason.
  package static func load(path: String) throws(Refusal) -> MenuFile {
    do throws(Refusal) {
      return try decode(try Data(ofFile: path, limit: sizeLimit))
    } catch {
      let exists = access(path, F_OK) == 0
      throw Refusal(
        "menu file \(path.debugDescription): \(error)",
        help: exists ? error.help : "a preset has no path: --menu large")
    }
  }

  /// Reads a menu from a pipe, up to its end.
  ///
  /// - Throws: the reason, after the words "standard input".
  package static func load(from pipe: FileHandle) throws(Refusal) -> MenuFile {
    do throws(Refusal) {
      return try decode(try pipe.contents(upTo: sizeLimit))
    } catch {
      throw Refusal("standard input: \(error)", help: error.help)
    }
  }

  /// Decodes the content of a file and validates the menu.
  ///
  /// - Throws: the reason, in words that follow the file's name.
  package static func decode(_ data: Data) throws(Refusal) -> MenuFile {
    if data.isGzip {
      throw Refusal("it is compressed by gzip", help: "unpack it: gunzip -c FILE | bench import -")
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

  /// Encodes a menu with sorted keys and a final newline, so that equal menus give equal files.
  ///
  /// - Throws: `EncodingError` if nutrition contains a number that JSON cannot express.
  package static func encode(_ menu: Menu) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(format: format, menu: menu, schema: schema)
    return try encoder.encode(whole) + Data("\n".utf8)
  }

  /// - Throws: `DecodingError`, or `Refusal` if the format or schema differs.
  private static func readMenu(_ text: Data) throws -> Menu {
    let decoder = JSONDecoder()
    let header = try decoder.decode(Header.self, from: text)
    guard header.format == format else {
      throw foreign(
        "its format is \(header.format.debugDescription), not \(format.debugDescription)")
    }
    guard header.schema == schema else {
      throw Refusal(
        "it has schema \(header.schema) of \(format), but this program reads schema \(schema)",
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

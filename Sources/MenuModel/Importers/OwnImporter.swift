import Basics
import Foundation

/// Reads the project's own format: `{"format":"menubench.menu","menu":{…},"schema":1}`.
struct OwnImporter: MenuImporter {
  /// `menubench`.
  let id = "menubench"
  /// What the format is, in one line.
  let summary = "MenuBench's own menu file"

  /// What the file's `format` says.
  static let format = "menubench.menu"
  /// The schema that this program reads and writes.
  static let schema = 1

  /// Whether the keys hold `format` and `schema`.
  func recognises(topLevelKeys: Set<String>) -> Bool {
    topLevelKeys.isSuperset(of: ["format", "schema"])
  }

  /// Reads a menu; keys that it does not know are named in a note.
  ///
  /// - Throws: `DecodingError`; ``MenuFileProblem`` where the format or its schema is another.
  func importMenu(from data: Data) throws -> ImportedMenu {
    let decoder = JSONDecoder()
    let header = try decoder.decode(Header.self, from: data)
    guard header.format == Self.format else {
      throw MenuFileProblem.otherFormat(found: header.format, expected: Self.format)
    }
    guard header.schema == Self.schema else {
      throw MenuFileProblem.otherSchema(
        format: header.format, found: header.schema, supported: Self.schema)
    }
    let menu: Menu
    do {
      menu = try decoder.decode(Body.self, from: data).menu
    } catch DecodingError.keyNotFound(let key, let context) {
      let missing = DecodingError.keyNotFound(key, context)
      // Whoever wrote a key wrongly finds it faster by what they wrote.
      let likely = NearestMatch.of(key.stringValue, among: Self.unknownKeys(in: data).map(\.key))
      guard let likely else { throw missing }
      throw MenuFileProblem.invalidValue(
        missing.place, reason: "\(missing.fault), and '\(likely)' is no key of the format")
    }
    return ImportedMenu(menu: menu, format: id, notes: Self.note(of: Self.unknownKeys(in: data)))
  }

  /// The file of a menu: sorted keys and a final newline, so that equal menus are equal files.
  ///
  /// - Throws: `EncodingError` where nutrition holds a number that JSON has no form for.
  static func file(of menu: Menu) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let whole = Whole(format: format, menu: menu, schema: schema)
    return try encoder.encode(whole) + Data("\n".utf8)
  }

  /// Every key that a file of this format may hold.
  static let keys: Set<String> = [
    "allergens", "availability", "carbohydrates", "categories", "categoryID", "city", "code",
    "combos", "currency", "days", "defaultProductID", "details", "dough", "energy", "entity",
    "entityID", "fats", "format", "free", "from", "hours", "id", "image", "ingredientID",
    "ingredients", "isRemovable", "isRequired", "kind", "locale", "max", "menu", "min",
    "modifierGroupIDs", "modifierGroups", "name", "nutrition", "oldPrice", "optionListID",
    "optionLists", "options", "orderType", "otherCategoryIDs", "parentID", "per100g", "price",
    "priceTiers", "prices", "product", "productID", "products", "proteins", "revision",
    "schema", "size", "slots", "stopList", "storeID", "storeOverrides", "surcharge", "tags",
    "translations", "until", "variantID", "variants", "weight", "whole",
  ]

  /// The keys that the format does not have, each where it stands first.
  private static func unknownKeys(in data: Data) -> [(key: String, path: String)] {
    let text = [UInt8](data)
    var scanner = JSONScanner(text, nestingLimit: MenuFile.nestingLimit)
    try? scanner.scan()
    var unknown = Set(scanner.keys.filter { !keys.contains($0) })
    guard !unknown.isEmpty else { return [] }
    let tree = JSONTree(scanned: text)
    return (0..<tree.count).compactMap { value in
      tree.key(of: value).flatMap { unknown.remove($0) }.map { ($0, tree.path(to: value)) }
    }
  }

  private static func note(of unknown: [(key: String, path: String)]) -> [String] {
    guard !unknown.isEmpty else { return [] }
    let places = unknown.prefix(10).map { key, path in
      path + (NearestMatch.of(key, among: keys.sorted()).map { " (did you mean \($0)?)" } ?? "")
    }
    let have = unknown.count == 1 ? "1 key has" : "\(unknown.count) keys have"
    return [
      "\(have) no place in the menu model: \(places.joined(separator: ", "))"
        + (unknown.count > 10 ? ", …" : "")
    ]
  }

  private struct Header: Decodable {
    var format: String
    var schema: Int
  }

  private struct Body: Decodable {
    var menu: Menu
  }

  private struct Whole: Encodable {
    var format: String
    var menu: Menu
    var schema: Int
  }
}

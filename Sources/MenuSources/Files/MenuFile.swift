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
  /// The deepest nesting that is read, Foundation's own limit.
  static let nestingLimit = 512
  /// What stands for standard input where a path is expected.
  package static let standardInput = "-"

  /// Reads a file.
  ///
  /// - Throws: ``MenuFileError``: the path and what is wrong.
  package static func load(path: String) throws -> MenuFile {
    try named(path) { try decode(try contents(path)) }
  }

  /// Reads a pipe until its end.
  ///
  /// - Throws: ``MenuFileError``, with ``standardInput`` for a path.
  package static func load(from pipe: FileHandle) throws -> MenuFile {
    try named(standardInput) { try decode(try contents(pipe)) }
  }

  /// Reads the content of a file, and checks that the menu holds together.
  ///
  /// - Throws: ``MenuFileProblem``.
  package static func decode(_ data: Data) throws -> MenuFile {
    let scanned = try scan(data)
    let file = MenuFile(menu: try readMenu(scanned), notes: unknownKeyNotes(scanned))
    do throws(InvalidMenu) {
      try file.menu.validate()
    } catch {
      throw MenuFileProblem.invalidMenu(error.problems)
    }
    return file
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

extension MenuFile {
  /// Every key that a file may hold.
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
  private static func unknownKeys(in scanned: JSONScanner) -> [(name: String, offset: Int)] {
    scanned.keys.filter { !keys.contains($0.name) }
  }

  /// Names the first ten unknown keys, each with its place and the key that was likely meant.
  private static func unknownKeyNotes(_ scanned: JSONScanner) -> [String] {
    let unknown = unknownKeys(in: scanned)
    guard !unknown.isEmpty else { return [] }
    let places = unknown.prefix(10).map { key in
      scanned.path(to: key.offset)
        + (NearestMatch.of(key.name, among: keys.sorted()).map { " (did you mean \($0)?)" } ?? "")
    }
    let have = unknown.count == 1 ? "1 key has" : "\(unknown.count) keys have"
    return [
      "\(have) no place in the menu model: \(places.joined(separator: ", "))"
        + (unknown.count > 10 ? ", …" : "")
    ]
  }

  /// The text of a file's content, which was found to be JSON.
  private static func scan(_ data: Data) throws -> JSONScanner {
    if data.isGzip { throw MenuFileProblem.gzip }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = [UInt8](
      data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data)
    if text.isEmpty { throw MenuFileProblem.empty }
    if let offset = UTF8Check.firstInvalid(text) {
      if UTF8Check.isCutLetter(text[min(offset, text.count - 1)...]) {
        throw MenuFileProblem.truncated(end: TextPosition(offset: text.count, in: text))
      }
      throw MenuFileProblem.notUTF8(
        byte: text[min(offset, text.count - 1)], at: TextPosition(offset: offset, in: text))
    }
    var scanner = JSONScanner(text, nestingLimit: nestingLimit)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      throw MenuFileProblem(error, in: text)
    }
    if let key = scanner.repeatedKey {
      throw MenuFileProblem.repeatedKey(
        String(decoding: text[key].dropFirst().dropLast(), as: UTF8.self),
        at: TextPosition(offset: key.lowerBound, in: text))
    }
    return scanner
  }

  private static func readMenu(_ scanned: JSONScanner) throws -> Menu {
    let data = Data(scanned.text)
    let keys = topLevelKeys(data)
    guard keys.contains("format"), keys.contains("schema") else {
      throw MenuFileProblem.foreign(topLevelKeys: keys)
    }
    do {
      return try decodeMenu(data)
    } catch let error as DecodingError {
      throw problem(error, in: scanned)
    }
  }

  private static func topLevelKeys(_ data: Data) -> [String] {
    struct Anything: Decodable {
      init(from decoder: any Decoder) {}
    }
    return (try? JSONDecoder().decode([String: Anything].self, from: data).keys.sorted()) ?? []
  }

  /// - Throws: `DecodingError`; ``MenuFileProblem`` where the format or its schema is another.
  private static func decodeMenu(_ data: Data) throws -> Menu {
    let decoder = JSONDecoder()
    let header = try decoder.decode(Header.self, from: data)
    guard header.format == format else { throw MenuFileProblem.otherFormat(header.format) }
    guard header.schema == schema else { throw MenuFileProblem.otherSchema(header.schema) }
    return try decoder.decode(Body.self, from: data).menu
  }

  private static func problem(
    _ error: DecodingError, in scanned: JSONScanner
  ) -> MenuFileProblem {
    // A missing key may be there under a wrong name, which is quicker to find by that name.
    if case .keyNotFound(let key, _) = error,
      let likely = NearestMatch.of(key.stringValue, among: unknownKeys(in: scanned).map(\.name))
    {
      return .invalidValue(
        error.place, reason: "\(error.fault), and '\(likely)' is no key of the format")
    }
    // On Linux the decoder's error for such a number has neither path nor value (Swift 6.3.1).
    let number = error.place.isEmpty ? oddNumber(in: scanned) : nil
    return number ?? .invalidValue(error.place, reason: error.fault)
  }

  /// The first number that its place cannot hold, a whole one of 64 bits unless it is a fraction's; nil
  /// where there is none. What stands under keys that the format does not have is not looked at.
  private static func oddNumber(in scanned: JSONScanner) -> MenuFileProblem? {
    let fractions: Set = ["energy", "proteins", "fats", "carbohydrates"]
    for bytes in scanned.oddNumbers {
      let number = String(decoding: scanned.text[bytes], as: UTF8.self)
      let value = Double(number) ?? .infinity
      // A path takes a scan of the text, and a menu has thousands of sound fractions.
      let name = key(before: bytes.lowerBound, in: scanned.text)
      if let name, !keys.contains(name) { continue }
      let isHeld = name.map(fractions.contains) == true || Int64(exactly: value) != nil
      if value.isFinite, isHeld { continue }
      let path = scanned.path(to: bytes.lowerBound)
      let names = path.split(separator: ".").map { String($0.prefix { $0 != "[" }) }
      guard names.allSatisfy(keys.contains) else { continue }
      let fault =
        value.isFinite ? "is not a whole number of 64 bits" : "is larger than any number of 64 bits"
      return .invalidValue(path, reason: "\(number.prefix(40)) \(fault)")
    }
    return nil
  }

  /// The key whose value begins at an offset; nil of an element of a list.
  private static func key(before offset: Int, in text: [UInt8]) -> String? {
    let before = text[..<offset].reversed().drop { $0 <= UInt8(ascii: " ") }
    guard before.first == UInt8(ascii: ":") else { return nil }
    let quoted = before.dropFirst().drop { $0 <= UInt8(ascii: " ") }.dropFirst()
    return String(decoding: quoted.prefix { $0 != UInt8(ascii: "\"") }.reversed(), as: UTF8.self)
  }
}

extension MenuFile {
  /// Says which file a problem is of.
  private static func named<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let problem as MenuFileProblem {
      throw MenuFileError(path: path, problem: problem)
    }
  }

  /// The bytes of a pipe until its end; no more of them than the limit are kept.
  private static func contents(_ pipe: FileHandle) throws -> Data {
    let found: Data?
    do {
      found = try pipe.contents(upTo: sizeLimit)
    } catch {
      throw MenuFileProblem.unreadable(reason: systemReason(error))
    }
    guard let data = found else { throw MenuFileProblem.tooLarge }
    return data
  }

  /// The bytes of a file, which is asked for its kind and size before it is opened.
  private static func contents(_ path: String) throws -> Data {
    guard !path.isEmpty else { throw MenuFileProblem.missing }
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    try checkKindAndSize(real.path)
    do {
      return try Data(contentsOf: real)
    } catch {
      throw MenuFileProblem.unreadable(reason: systemReason(error))
    }
  }

  private static func checkKindAndSize(_ path: String) throws {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      throw MenuFileProblem.missing
    } catch {
      throw MenuFileProblem.unreadable(reason: systemReason(error))
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    // A link that leads nowhere, or in a circle, is not resolved.
    case .typeSymbolicLink:
      let leadsNowhere = access(path, F_OK) == 0 || errno != ELOOP
      throw leadsNowhere
        ? MenuFileProblem.missing : MenuFileProblem.unreadable(reason: errnoMessage(ELOOP))
    case .typeDirectory: throw MenuFileProblem.directory
    default: throw MenuFileProblem.notAFile
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard size <= sizeLimit else { throw MenuFileProblem.tooLarge }
  }
}

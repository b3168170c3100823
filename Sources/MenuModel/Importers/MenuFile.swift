import Basics
import Foundation

/// Menus on disk: reading any known format, writing our own.
package enum MenuFile {
  /// The largest file that is read, in bytes; a store's whole menu takes about 0.2 MB.
  package static let sizeLimit = 100_000_000
  /// The deepest nesting that is read, Foundation's own limit.
  package static let nestingLimit = 512

  /// Reads a menu file of any known format, recognised by its content; gzip is undone first.
  ///
  /// - Parameter mapping: what says where the menu is in a file of any other format.
  /// - Throws: ``MenuFileError``: the path and what is wrong.
  package static func load(
    path: String, mappedBy mapping: MenuMapping? = nil
  ) throws -> ImportedMenu {
    try named(path) { try decode(try contents(path), mappedBy: mapping) }
  }

  /// Reads a menu of any known format from a pipe, until its end.
  ///
  /// - Parameter mapping: what says where the menu is in a file of any other format.
  /// - Throws: ``MenuFileError``, with ``standardInput`` for a path.
  package static func load(
    from pipe: FileHandle, mappedBy mapping: MenuMapping? = nil
  ) throws -> ImportedMenu {
    try named(standardInput) { try decode(try contents(pipe), mappedBy: mapping) }
  }

  /// What stands for standard input where a path is expected.
  package static let standardInput = "-"

  /// Reads a menu of any known format from the content of a file, compressed or not.
  ///
  /// - Parameter mapping: what says where the menu is in a file of any other format.
  /// - Throws: ``MenuFileProblem``.
  package static func decode(
    _ data: Data, mappedBy mapping: MenuMapping? = nil
  ) throws -> ImportedMenu {
    let scanned = try scan(data)
    let imported = try mapping.map { try read(scanned, $0) } ?? read(scanned)
    do throws(InvalidMenu) {
      try imported.menu.validate()
    } catch {
      throw MenuFileProblem.invalidMenu(error.problems)
    }
    return imported
  }

  /// A menu as a file of our own format: sorted keys, so that equal menus are equal files.
  ///
  /// - Throws: `EncodingError` where nutrition holds a number that JSON has no form for.
  package static func encode(_ menu: Menu) throws -> Data {
    try OwnImporter.file(of: menu)
  }

  /// Says which file a problem is of.
  private static func named<Value>(_ path: String, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let problem as MenuFileProblem {
      throw MenuFileError(path: path, problem: problem)
    }
  }

  /// The text of a file's content, compressed or not, which is JSON.
  ///
  /// - Throws: ``MenuFileProblem``.
  static func text(of data: Data) throws -> [UInt8] { try scan(data).text }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text of a file's content, compressed or not, that was found to be JSON.
  private static func scan(_ data: Data) throws -> JSONScanner {
    let data = try inflated(data)
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
    return scanner
  }

  private static func topLevelKeys(_ data: Data) -> Set<String> {
    struct Keys: Decodable {
      var all: Set<String>
      init(from decoder: any Decoder) throws {
        all = Set(try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue))
      }
    }
    return (try? JSONDecoder().decode(Keys.self, from: data).all) ?? []
  }

  private static func read(
    _ scanned: JSONScanner, _ mapping: MenuMapping
  ) throws -> ImportedMenu {
    do {
      return try MappedMenu.menu(mapping, JSONTree(scanned: scanned.text))
    } catch let problem as MappingProblem {
      throw MenuFileProblem.mapping(problem)
    }
  }

  private static func read(_ scanned: JSONScanner) throws -> ImportedMenu {
    // A mapping finds both values by itself.
    if let key = scanned.repeatedKey {
      throw MenuFileProblem.repeatedKey(
        String(decoding: scanned.text[key].dropFirst().dropLast(), as: UTF8.self),
        at: TextPosition(offset: key.lowerBound, in: scanned.text))
    }
    let data = Data(scanned.text)
    let keys = topLevelKeys(data)
    guard let importer = ImporterRegistry.all.first(where: { $0.recognises(topLevelKeys: keys) })
    else { throw MenuFileProblem.unknownFormat(topLevelKeys: keys.sorted()) }
    do {
      return try importer.importMenu(from: data)
    } catch let error as DecodingError {
      if let number = OddNumber.blamed(in: scanned, by: importer) {
        throw MenuFileProblem.invalidValue(number.path, reason: number.reason)
      }
      throw MenuFileProblem(error)
    }
  }
}

extension MenuFile {
  /// The content where the data is gzip, else the data itself; the limit holds for either.
  private static func inflated(_ data: Data) throws -> Data {
    guard Gzip.isGzip(data) else { return data }
    do throws(Gzip.Fault) {
      return try Gzip.content(of: data, limit: sizeLimit)
    } catch {
      throw error.isOfSystem
        ? MenuFileProblem.unreadable(reason: error.words(limit: sizeLimit))
        : MenuFileProblem.gzip(error, limit: sizeLimit)
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
    guard let data = found else { throw MenuFileProblem.tooLong(limit: sizeLimit) }
    return data
  }

  /// The bytes of a file, which is asked for its kind and size before it is opened.
  static func contents(_ path: String) throws -> Data {
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
    guard size <= sizeLimit else {
      throw MenuFileProblem.tooLarge(bytes: size, limit: sizeLimit)
    }
  }
}

/// A key of a JSON object, whatever it says.
struct AnyKey: CodingKey, Hashable {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) {
    self.stringValue = stringValue
  }

  init?(intValue: Int) {
    return nil
  }
}

/// A record of a foreign format that knows which of its fields the menu model has a place for.
protocol ForeignRecord: Decodable {
  associatedtype CodingKeys: CodingKey, CaseIterable
}

/// A foreign record with the names of its further fields, so that none is dropped unseen.
@dynamicMemberLookup
struct Row<Fields: ForeignRecord>: Decodable {
  var fields: Fields
  /// The fields without a place, sorted; blank ones (null, "", [], {}) say nothing and are not here.
  var leftovers: [String]

  init(from decoder: any Decoder) throws {
    fields = try Fields(from: decoder)
    let placed = Set(Fields.CodingKeys.allCases.map(\.stringValue))
    let container = try decoder.container(keyedBy: AnyKey.self)
    leftovers = try container.allKeys
      .filter { !placed.contains($0.stringValue) }
      .filter { try container.decode(Extent.self, forKey: $0).count > 0 }
      .map(\.stringValue).sorted()
  }

  subscript<Value>(dynamicMember path: KeyPath<Fields, Value>) -> Value {
    fields[keyPath: path]
  }
}

/// How much a value of unknown shape holds: the entries of an array or object, 1 for any other
/// value, 0 for null and the empty text.
struct Extent: Decodable {
  var count: Int

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: AnyKey.self) {
      count = object.allKeys.count
    } else if let array = try? decoder.unkeyedContainer() {
      count = array.count ?? 0
    } else {
      let value = try decoder.singleValueContainer()
      let isBlank = value.decodeNil() || (try? value.decode(String.self)) == ""
      count = isBlank ? 0 : 1
    }
  }
}

/// A number that stands where only a whole number of 64 bits can.
///
/// On Linux the decoder's error for it has neither path nor value (Swift 6.3.1). It is found by
/// trying: with every odd number masked by a 0 the error goes, and the first one whose return
/// brings it back is to blame.
struct OddNumber {
  var path: String
  var reason: String

  /// The first number to blame; nil where decoding fails for another reason.
  ///
  /// Cost: one import for every doubling of the odd numbers in the file.
  static func blamed(
    in scanned: JSONScanner, by importer: any MenuImporter
  ) -> OddNumber? {
    let numbers = scanned.oddNumbers
    func isRefused(unmasked: Int) -> Bool {
      var text = scanned.text
      for bytes in numbers.dropFirst(unmasked) { mask(bytes, in: &text) }
      return isPathlessError { _ = try importer.importMenu(from: Data(text)) }
    }
    guard isRefused(unmasked: numbers.count), !isRefused(unmasked: 0) else { return nil }
    var good = 0
    var bad = numbers.count
    while bad - good > 1 {
      let middle = good + (bad - good) / 2
      if isRefused(unmasked: middle) { bad = middle } else { good = middle }
    }
    let bytes = numbers[good]
    let written = String(decoding: scanned.text[bytes].prefix(40), as: UTF8.self)
    let isTooLarge = Double(written)?.isInfinite == true
    return OddNumber(
      path: scanned.path(toNumberAt: bytes.lowerBound),
      reason: isTooLarge
        ? "\(written) is larger than any number of 64 bits"
        : "\(written) is not a whole number of 64 bits")
  }

  private static func isPathlessError(_ decode: () throws -> Void) -> Bool {
    do {
      try decode()
      return false
    } catch DecodingError.dataCorrupted(let context) {
      return context.codingPath.isEmpty
    } catch {
      return false
    }
  }

  private static func mask(_ bytes: Range<Int>, in text: inout [UInt8]) {
    for index in bytes { text[index] = UInt8(ascii: " ") }
    text[bytes.lowerBound] = UInt8(ascii: "0")
  }
}

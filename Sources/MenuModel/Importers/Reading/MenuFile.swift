public import Foundation
import StrictJSON

/// Menus on disk: reading any known format, writing our own.
public enum MenuFile {
  /// The largest file that is read, in bytes; a store's whole menu takes about 0.2 MB.
  public static let sizeLimit = 100_000_000
  /// The deepest nesting that is read, Foundation's own limit.
  public static let nestingLimit = 512

  /// Reads a menu file of any known format, recognised by its content.
  ///
  /// - Throws: ``MenuFileError``: the path and what is wrong.
  public static func load(path: String) throws -> ImportedMenu {
    do {
      return try decode(try contents(path))
    } catch let problem as MenuFileProblem {
      throw MenuFileError(path: path, problem: problem)
    }
  }

  /// Reads a menu of any known format from the content of a file.
  ///
  /// - Throws: ``MenuFileProblem``.
  public static func decode(_ data: Data) throws -> ImportedMenu {
    let data = data.starts(with: byteOrderMark) ? data.dropFirst(byteOrderMark.count) : data
    let scanned = try scan([UInt8](data))
    let keys = topLevelKeys(data)
    guard let importer = ImporterRegistry.all.first(where: { $0.recognises(topLevelKeys: keys) })
    else { throw MenuFileProblem.unknownFormat(topLevelKeys: keys.sorted()) }
    let imported = try read(data, importer, scanned)
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
  public static func encode(_ menu: Menu) throws -> Data {
    try OwnImporter.file(of: menu)
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private static func scan(_ text: [UInt8]) throws -> JSONScanner {
    if text.isEmpty { throw MenuFileProblem.empty }
    if let offset = UTF8Check.firstInvalid(text) {
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
    _ data: Data, _ importer: any MenuImporter, _ scanned: JSONScanner
  ) throws -> ImportedMenu {
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

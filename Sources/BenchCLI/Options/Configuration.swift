import Basics
import Foundation

/// A checked configuration file: `{"tolerances": {"instructions": "0.1%"}}`.
struct Configuration {
  /// The file that is read where it is there and no other is named.
  static let defaultPath = "menubench.json"
  /// Its path, where anything is there; nil elsewhere.
  static var usualPath: String? { SafeFile.isThere(defaultPath) ? defaultPath : nil }
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1_000_000

  /// The tolerances, in the file's order.
  let tolerances: [ToleranceEntry]

  /// Reads a file.
  ///
  /// - Throws: a ``CLIError`` of status `usage` that names the file, the place and what is valid.
  init(path: String) throws {
    tolerances = try ConfigurationText(path: path, text: try Self.contents(path)).tolerances()
  }

  private static func contents(_ path: String) throws -> [UInt8] {
    let kind = SafeFile.mode(of: path).map { $0 & S_IFMT } ?? S_IFREG
    // A pipe would be waited for, and could be read but once.
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw unreadable(path, "it is not a regular file")
    }
    let data: Data
    do {
      // Read up to the limit and no further.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      data = try file.read(upToCount: sizeLimit + 1) ?? Data()
    } catch {
      throw unreadable(path, systemReason(error))
    }
    guard data.count <= sizeLimit else {
      throw unreadable(path, "it is larger than \(sizeLimit) bytes")
    }
    return [UInt8](data)
  }

  private static func unreadable(_ path: String, _ reason: String) -> CLIError {
    CLIError(
      "the configuration \(path) cannot be read: \(reason)",
      help: "give another with --config, such as {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }
}

/// A file's text, which tells faults by their places.
private struct ConfigurationText {
  let path: String
  let text: [UInt8]

  private static let key = "tolerances"
  /// The keys of earlier versions, whose objects held options of commands.
  private static let formerKeys = ["options", "run", "gate", "compare", "scale"]

  /// What it says.
  func tolerances() throws -> [ToleranceEntry] {
    let scanner = try scanned()
    let start = text.firstIndex { !Self.isSpace($0) } ?? 0
    guard text[start] == Self.brace else {
      throw error("\(shown(start..<text.count)) is no object", at: start)
    }
    for member in scanner.members where member.depth == 1 {
      let key = string(member.key) ?? ""
      guard key == Self.key else {
        let choice = ValidNames(kind: "key", ids: [Self.key]).unknown(key)
        let help = "options are no longer kept here: type them, or keep a script that does"
        throw error(
          choice.message, at: member.key.lowerBound,
          help: Self.formerKeys.contains(key) ? help : choice.help)
      }
      guard text[member.value.lowerBound] == Self.brace else {
        throw error(
          "\(key) is \(shown(member.value)), which is no object", at: member.value.lowerBound)
      }
    }
    return try scanner.members.filter { $0.depth == 2 }.map(entry)
  }

  /// Foundation's decoder traps on some broken texts, tells no position, and takes either value of
  /// a key that is there twice: scan first.
  private func scanned() throws -> JSONScanner {
    guard !text.allSatisfy(Self.isSpace) else {
      throw error("it is empty", at: 0, help: "write {} for nothing, or remove it")
    }
    if let offset = UTF8Check.firstInvalid(text) {
      if UTF8Check.isCutLetter(text[min(offset, text.count - 1)...]) {
        throw error("it ends in the middle of a letter, it was cut short", at: text.count)
      }
      throw error("a byte that is not UTF-8", at: offset, help: "save it as UTF-8")
    }
    var scanner = JSONScanner(text, nestingLimit: 64)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      throw fault(error)
    }
    if let key = scanner.repeatedKey {
      throw error(
        "the key \(shown(key)) is there twice", at: key.lowerBound, help: "keep one of the two")
    }
    return scanner
  }

  private func entry(_ member: JSONScanner.Member) throws -> ToleranceEntry {
    let key = string(member.key) ?? ""
    let isNumber = "-0123456789".utf8.contains(text[member.value.lowerBound])
    let number = isNumber ? String(decoding: text[member.value], as: UTF8.self) : nil
    guard let value = number ?? string(member.value), isNumber || value.hasSuffix("%") else {
      throw error(
        "\(shown(member.value)) is no tolerance of '\(key)'", at: member.value.lowerBound,
        help: ToleranceEntry.valueRule)
    }
    return ToleranceEntry(
      place: "\(path), \(position(member.key.lowerBound)): ", isTyped: false, key: key,
      value: value)
  }

  /// What a text in quotation marks says; nil of any other value.
  private func string(_ bytes: Range<Int>) -> String? {
    try? JSONDecoder().decode(String.self, from: Data(text[bytes]))
  }

  private static let brace = UInt8(ascii: "{")

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private func fault(_ fault: JSONScanner.Fault) -> CLIError {
    switch fault {
    case .truncated: error("it ends too soon, it was cut short", at: text.count)
    case .unexpected(let offset): error("it is not JSON", at: offset)
    case .tooDeep(let offset): error("it is nested too deep", at: offset)
    }
  }

  private func error(_ reason: String, at offset: Int, help: String? = nil) -> CLIError {
    CLIError(
      "\(path), \(position(offset)): \(reason)",
      help: help ?? "it should be like {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }

  private func position(_ offset: Int) -> TextPosition { TextPosition(offset: offset, in: text) }

  private func shown(_ bytes: Range<Int>) -> String {
    let text = String(decoding: self.text[bytes.prefix(60)], as: UTF8.self)
    return bytes.count > 60 ? text + "…" : text
  }
}

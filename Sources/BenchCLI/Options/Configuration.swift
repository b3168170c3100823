import Basics
import BenchResults
import Foundation

/// A checked configuration file: `{"tolerances": {"instructions": "0.1%"}}`.
struct Configuration {
  /// The file that is read where it is there and no other is named.
  static let defaultPath = "menubench.json"
  /// Its path, where anything is there; nil elsewhere.
  static var usualPath: String? { SafeFile.isThere(defaultPath) ? defaultPath : nil }

  /// The tolerances, in the file's order.
  let tolerances: [ToleranceEntry]

  private static let key = "tolerances"
  /// The keys of earlier versions, whose objects held options of commands.
  private static let formerKeys = ["options", "run", "gate", "compare", "scale"]
  private static let brace = UInt8(ascii: "{")

  init(path: String) throws {
    let text = try Self.text(of: path)
    func refused(_ reason: String, at offset: Int, help: String? = nil) -> CLIError {
      let position = TextPosition(offset: offset, in: text)
      return Self.refused("\(path), \(position): \(reason)", help: help)
    }
    func shown(_ bytes: Range<Int>) -> String {
      String(decoding: text[bytes.prefix(60)], as: UTF8.self) + (bytes.count > 60 ? "…" : "")
    }
    // The content of a text in quotation marks; nil of any other value.
    func string(_ bytes: Range<Int>) -> String? {
      try? JSONDecoder().decode(String.self, from: Data(text[bytes]))
    }
    if let fault = RunFile.fault(of: text) { throw Self.refused("\(path): \(fault)") }
    var scanner = JSONScanner(text, nestingLimit: 64)
    try scanner.scan()
    let start = text.firstIndex { !" \n\r\t".utf8.contains($0) } ?? 0
    guard text[start] == Self.brace else {
      throw refused("\(shown(start..<text.count)) is no object", at: start)
    }
    for member in scanner.members where member.depth == 1 {
      let key = string(member.key) ?? ""
      guard key == Self.key else {
        let unknown = ValidNames(kind: "key", ids: [Self.key]).unknown(key)
        let help = "options are no longer kept here: type them, or keep a script that does"
        throw refused(
          unknown.message, at: member.key.lowerBound,
          help: Self.formerKeys.contains(key) ? help : unknown.help)
      }
      guard text[member.value.lowerBound] == Self.brace else {
        throw refused(
          "\(key) is \(shown(member.value)), which is no object", at: member.value.lowerBound)
      }
    }
    tolerances = try scanner.members.filter { $0.depth == 2 }.map { member in
      let key = string(member.key) ?? ""
      let isNumber = "-0123456789".utf8.contains(text[member.value.lowerBound])
      let value =
        isNumber ? String(decoding: text[member.value], as: UTF8.self) : string(member.value)
      guard let value, isNumber || value.hasSuffix("%") else {
        throw refused(
          "\(shown(member.value)) is no tolerance of '\(key)'", at: member.value.lowerBound,
          help: ToleranceEntry.valueRule)
      }
      let position = TextPosition(offset: member.key.lowerBound, in: text)
      return ToleranceEntry(
        place: "\(path), \(position): ", isTyped: false, key: key, value: value)
    }
  }

  private static func text(of path: String) throws -> [UInt8] {
    do {
      return [UInt8](try RunFile.contents(path))
    } catch RunFileError.unreadable(_, let reason), RunFileError.notARun(_, let reason) {
      throw refused("the configuration \(path) cannot be read: \(reason)")
    }
  }

  private static func refused(_ message: String, help: String? = nil) -> CLIError {
    CLIError(
      message, help: help ?? "it should be like {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }
}

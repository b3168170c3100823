import Foundation
import StrictJSON

/// A checked configuration file: `{"tolerances": {"instructions": "0.1%"}}`.
struct GateConfiguration {
  /// The file that is read where it is there and no other is named.
  static let defaultPath = "menubench.json"
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1_000_000

  /// The tolerances, in the file's order.
  let tolerances: [ToleranceEntry]

  /// Reads a file.
  ///
  /// - Throws: a ``CLIError`` of status `usage` that names the file, the place and what is valid.
  init(path: String) throws {
    let text = try Self.contents(path)
    let reading = Reading(path: path, json: JSONMembers(text: text))
    try reading.scan()
    tolerances = try reading.tolerances()
  }

  private static func contents(_ path: String) throws -> [UInt8] {
    let reason: String
    do {
      // Read up to the limit and no further, whatever the path leads to.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      let data = try file.read(upToCount: sizeLimit + 1) ?? Data()
      if data.count <= sizeLimit { return [UInt8](data) }
      reason = "it is larger than \(sizeLimit) bytes"
    } catch {
      reason = ErrorWording.systemReason(error)
    }
    throw CLIError(
      "the configuration \(path) cannot be read: \(reason)",
      help: "give another with --config, such as {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }
}

/// One reading of a file, which knows where everything stands.
private struct Reading {
  let path: String
  let json: JSONMembers

  private static let keys = ["tolerances"]

  /// Foundation's decoder traps on some broken texts and tells no position: scan first.
  func scan() throws {
    if json.text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
      throw error("it is empty", at: 0, help: "write {} for no tolerances, or remove it")
    }
    if let offset = UTF8Check.firstInvalid(json.text) {
      throw error("a byte that is not UTF-8", at: offset, help: "save it as UTF-8")
    }
    var scanner = JSONScanner(json.text, nestingLimit: 64)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      throw fault(error)
    }
  }

  func tolerances() throws -> [ToleranceEntry] {
    guard let members = json.members(of: json.root) else {
      throw error("\(shown(json.root)) is no object", at: json.root.lowerBound)
    }
    try checkNoneIsTwice(members)
    for member in members where !Self.keys.contains(member.key) {
      do {
        _ = try Choice(kind: "key", ids: Self.keys).one(member.key)
      } catch let choice as CLIError {
        throw error(choice.message, at: member.offset, help: choice.help)
      }
    }
    guard let value = members.first?.value else { return [] }
    guard let entries = json.members(of: value) else {
      throw error("tolerances is \(shown(value)), which is no object", at: value.lowerBound)
    }
    try checkNoneIsTwice(entries)
    return try entries.map(entry)
  }

  private func entry(_ member: JSONMember) throws -> ToleranceEntry {
    let (text, isNumber) = (json.string(member.value), isNumber(member.value))
    guard isNumber || text?.hasSuffix("%") == true else {
      throw error(
        "\(shown(member.value)) is no tolerance of '\(member.key)'", at: member.value.lowerBound,
        help: ToleranceEntry.valueRule)
    }
    return ToleranceEntry(
      place: "\(path), \(position(member.offset)): ", isTyped: false, key: member.key,
      value: text ?? json.raw(member.value))
  }

  private func isNumber(_ value: Range<Int>) -> Bool {
    json.first(of: value).map { "-0123456789".utf8.contains($0) } ?? false
  }

  private func checkNoneIsTwice(_ members: [JSONMember]) throws {
    var seen: [String: Int] = [:]
    for member in members {
      if let first = seen[member.key] {
        throw error(
          "the key '\(member.key)' is there twice, first at \(position(first))", at: member.offset,
          help: "keep one of the two")
      }
      seen[member.key] = member.offset
    }
  }

  private func fault(_ fault: JSONScanner.Fault) -> CLIError {
    switch fault {
    case .truncated: error("it ends too soon, it was cut short", at: json.text.count)
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

  private func position(_ offset: Int) -> TextPosition {
    TextPosition(offset: offset, in: json.text)
  }

  private func shown(_ value: Range<Int>) -> String {
    let text = json.raw(value.prefix(60))
    return value.count > 60 ? text + "…" : text
  }
}

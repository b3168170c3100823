import Basics
import Foundation

/// A checked configuration file: `{"tolerances": {"instructions": "0.1%"}, "options": {"budget": 60}}`.
struct Configuration {
  /// The file that is read where it is there and no other is named.
  static let defaultPath = "menubench.json"
  /// The largest file that is read, in bytes.
  static let sizeLimit = 1_000_000

  /// The tolerances, in the file's order.
  let tolerances: [ToleranceEntry]
  /// What stands in for options that are not typed, in the file's order: for every command that has them,
  /// then for one.
  let options: [ConfiguredOption]

  /// Reads a file.
  ///
  /// - Throws: a ``CLIError`` of status `usage` that names the file, the place and what is valid.
  init(path: String) throws {
    let text = try Self.contents(path)
    let reading = Reading(path: path, json: JSONMembers(text: text))
    try reading.scan()
    let sections = try reading.sections()
    tolerances = try sections["tolerances"].map(reading.tolerances) ?? []
    options = try Reading.optionKeys.flatMap { key in
      try sections[key].map { try reading.options($0, of: key) } ?? []
    }
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

/// One reading of a file, which knows where everything stands.
private struct Reading {
  let path: String
  let json: JSONMembers

  /// The keys whose objects hold options: of all commands, and of one each.
  static let optionKeys = ["options"] + ConfiguredOption.commands

  private static let keys = ["tolerances"] + optionKeys

  /// Foundation's decoder traps on some broken texts and tells no position: scan first.
  func scan() throws {
    if json.text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
      throw error("it is empty", at: 0, help: "write {} for nothing, or remove it")
    }
    if let offset = UTF8Check.firstInvalid(json.text) {
      if UTF8Check.isCutLetter(json.text[min(offset, json.text.count - 1)...]) {
        throw error("it ends in the middle of a letter, it was cut short", at: json.text.count)
      }
      throw error("a byte that is not UTF-8", at: offset, help: "save it as UTF-8")
    }
    var scanner = JSONScanner(json.text, nestingLimit: 64)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      throw fault(error)
    }
  }

  /// The members of the objects that there are, by the objects' keys.
  func sections() throws -> [String: [JSONMember]] {
    guard let members = json.members(of: json.root) else {
      throw error("\(shown(json.root)) is no object", at: json.root.lowerBound)
    }
    try checkNoneIsTwice(members)
    var sections: [String: [JSONMember]] = [:]
    for member in members {
      guard Self.keys.contains(member.key) else {
        let choice = ValidNames(kind: "key", ids: Self.keys).unknown(member.key)
        throw error(choice.message, at: member.offset, help: choice.help)
      }
      guard let entries = json.members(of: member.value) else {
        throw error(
          "\(member.key) is \(shown(member.value)), which is no object", at: member.value.lowerBound
        )
      }
      try checkNoneIsTwice(entries)
      sections[member.key] = entries
    }
    return sections
  }

  func tolerances(_ entries: [JSONMember]) throws -> [ToleranceEntry] { try entries.map(entry) }

  func options(_ members: [JSONMember], of section: String) throws -> [ConfiguredOption] {
    let known = KnownOption.all.filter {
      section == "options" || $0.commands.contains(section)
    }
    return try members.map { member in
      guard let option = known.first(where: { $0.name == member.key }) else {
        let choice = ValidNames(kind: "option", ids: known.map(\.name)).unknown(member.key)
        let place = section == "options" ? "" : " of \(section)"
        throw error(choice.message + place, at: member.offset, help: choice.help)
      }
      guard let words = words(member.value, of: option) else {
        throw error(
          "\(shown(member.value)) is no value of '\(option.name)'", at: member.value.lowerBound,
          help: "give \(option.kind.rule)")
      }
      return ConfiguredOption(
        known: option, words: words, command: section == "options" ? nil : section)
    }
  }

  /// A value as it would be typed, in one word, so that no text is taken for an option; nil of one that is
  /// of another kind.
  private func words(_ value: Range<Int>, of option: KnownOption) -> [String]? {
    let name = "--" + option.name
    switch (option.kind, json.raw(value)) {
    case (.flag, "true"): return [name]
    case (.flag, "false"): return option.isOn ? ["--no-" + option.name] : []
    case (.integer, let raw) where raw.allSatisfy(\.isNumber): return ["\(name)=\(raw)"]
    case (.number, let raw) where isNumber(value) && Double(raw)?.isFinite == true:
      return ["\(name)=\(raw)"]
    case (.text, _): return json.string(value).map { ["\(name)=\($0)"] }
    case (.texts, _):
      let texts = json.elements(of: value)?.map(json.string) ?? [json.string(value)]
      let known = texts.compactMap(\.self)
      return known.count == texts.count ? known.map { "\(name)=\($0)" } : nil
    default: return nil
    }
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

/// A member of a JSON object, with its place: Foundation's decoder keeps neither the order nor what
/// stands there twice.
struct JSONMember {
  /// The key, unescaped.
  var key: String
  /// The byte at which the key begins.
  var offset: Int
  /// The bytes of the value.
  var value: Range<Int>
}

/// Reads the members of objects in a text that was scanned and is JSON.
struct JSONMembers {
  /// The whole text.
  let text: [UInt8]

  /// The members of the object at a place, in order; nil where something else stands there.
  func members(of value: Range<Int>) -> [JSONMember]? {
    guard first(of: value) == UInt8(ascii: "{") else { return nil }
    var members: [JSONMember] = []
    var offset = next(after: value.lowerBound)
    while offset < value.upperBound, text[offset] == UInt8(ascii: "\"") {
      let key = offset..<end(of: offset)
      let colon = skipSpace(key.upperBound)
      let start = next(after: colon)
      let end = end(of: start)
      members.append(JSONMember(key: string(key) ?? "", offset: key.lowerBound, value: start..<end))
      offset = next(after: skipSpace(end))
    }
    return members
  }

  /// The places of the elements of the array at a place, in order; nil where something else stands there.
  func elements(of value: Range<Int>) -> [Range<Int>]? {
    guard first(of: value) == UInt8(ascii: "[") else { return nil }
    var elements: [Range<Int>] = []
    var offset = next(after: value.lowerBound)
    while offset < value.upperBound - 1 {
      let end = end(of: offset)
      elements.append(offset..<end)
      offset = next(after: skipSpace(end))
    }
    return elements
  }

  /// The value of the whole text.
  var root: Range<Int> {
    let start = skipSpace(0)
    return start..<end(of: start)
  }

  /// The first byte of a value.
  func first(of value: Range<Int>) -> UInt8? { value.isEmpty ? nil : text[value.lowerBound] }

  /// The text of a string, unescaped; nil where something else stands there.
  func string(_ value: Range<Int>) -> String? {
    guard first(of: value) == UInt8(ascii: "\"") else { return nil }
    return try? JSONDecoder().decode(String.self, from: Data(text[value]))
  }

  /// The bytes of a value as they stand.
  func raw(_ value: Range<Int>) -> String { String(decoding: text[value], as: UTF8.self) }

  private func next(after offset: Int) -> Int { skipSpace(offset + 1) }

  private func skipSpace(_ start: Int) -> Int {
    var offset = start
    while offset < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[offset]) { offset += 1 }
    return offset
  }

  /// Where the value ends that begins at a byte.
  private func end(of start: Int) -> Int {
    var (offset, depth) = (start, 0)
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""): offset = endOfString(offset)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        (offset, depth) = (offset + 1, depth + 1)
        continue
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        (offset, depth) = (offset + 1, depth - 1)
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
        offset += 1
        continue
      default: offset = endOfWord(offset)
      }
      if depth <= 0 { return offset }
    }
    return offset
  }

  private func endOfString(_ start: Int) -> Int {
    var offset = start + 1
    while offset < text.count, text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(offset + 1, text.count)
  }

  /// The end of a number, `true`, `false` or `null`.
  private func endOfWord(_ start: Int) -> Int {
    text[start...].firstIndex { ",]} \t\n\r".utf8.contains($0) } ?? text.count
  }
}

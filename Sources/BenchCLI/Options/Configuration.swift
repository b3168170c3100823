import Basics
import Foundation

/// A checked configuration file: `{"tolerances": {"instructions": "0.1%"}, "options": {"budget": 60}}`.
struct Configuration {
  /// The file that is read where it is there and no other is named.
  static let defaultPath = "menubench.json"
  /// Its path, where anything is there; nil elsewhere.
  static var usualPath: String? { SafeFile.isThere(defaultPath) ? defaultPath : nil }
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
    let file = FileText(path: path, text: try Self.contents(path))
    let reading = Reading(file: file, json: try file.tree())
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

/// A file's text, which tells faults by their places.
private struct FileText {
  let path: String
  let text: [UInt8]

  /// The values in it.
  ///
  /// Foundation's decoder traps on some broken texts and tells no position: scan first.
  func tree() throws -> JSONTree {
    if text.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
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
    return JSONTree(scanned: text)
  }

  private func fault(_ fault: JSONScanner.Fault) -> CLIError {
    switch fault {
    case .truncated: error("it ends too soon, it was cut short", at: text.count)
    case .unexpected(let offset): error("it is not JSON", at: offset)
    case .tooDeep(let offset): error("it is nested too deep", at: offset)
    }
  }

  func error(_ reason: String, at offset: Int, help: String? = nil) -> CLIError {
    CLIError(
      "\(path), \(position(offset)): \(reason)",
      help: help ?? "it should be like {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }

  func position(_ offset: Int) -> TextPosition { TextPosition(offset: offset, in: text) }
}

/// One reading of a file, value by value.
private struct Reading {
  let file: FileText
  let json: JSONTree

  /// A member of an object.
  struct Member {
    let key: String
    /// The byte at which the key begins.
    let offset: Int
    let value: Int
  }

  /// The keys whose objects hold options: of all commands, and of one each.
  static let optionKeys = ["options"] + ConfiguredOption.commands

  private static let keys = ["tolerances"] + optionKeys

  /// The members of the objects that there are, by the objects' keys.
  func sections() throws -> [String: [Member]] {
    let root = JSONTree.root
    guard let members = try members(of: root) else {
      throw error("\(shown(root)) is no object", of: root)
    }
    var sections: [String: [Member]] = [:]
    for member in members {
      guard Self.keys.contains(member.key) else {
        let choice = ValidNames(kind: "key", ids: Self.keys).unknown(member.key)
        throw file.error(choice.message, at: member.offset, help: choice.help)
      }
      guard let entries = try self.members(of: member.value) else {
        throw error(
          "\(member.key) is \(shown(member.value)), which is no object", of: member.value)
      }
      sections[member.key] = entries
    }
    return sections
  }

  func tolerances(_ entries: [Member]) throws -> [ToleranceEntry] { try entries.map(entry) }

  func options(_ members: [Member], of section: String) throws -> [ConfiguredOption] {
    let known = KnownOption.all.filter {
      section == "options" || $0.commands.contains(section)
    }
    return try members.map { member in
      guard let option = known.first(where: { $0.name == member.key }) else {
        let choice = ValidNames(kind: "option", ids: known.map(\.name)).unknown(member.key)
        let place = section == "options" ? "" : " of \(section)"
        throw file.error(choice.message + place, at: member.offset, help: choice.help)
      }
      guard let words = words(member.value, of: option) else {
        throw error(
          "\(shown(member.value)) is no value of '\(option.name)'", of: member.value,
          help: "give \(option.kind.rule)")
      }
      return ConfiguredOption(
        known: option, words: words, command: section == "options" ? nil : section)
    }
  }

  /// A value as it would be typed, in one word, so that no text is taken for an option; nil of one that is
  /// of another kind.
  private func words(_ value: Int, of option: KnownOption) -> [String]? {
    let name = "--" + option.name
    let scalar = json.scalar(value) ?? ""
    switch (option.kind, json.kind(value)) {
    case (.flag, .truth):
      if json.truth(value) == true { return [name] }
      return option.isOn ? ["--no-" + option.name] : []
    case (.integer, .number):
      return scalar.allSatisfy(\.isNumber) ? ["\(name)=\(scalar)"] : nil
    case (.number, .number): return Double(scalar)?.isFinite == true ? ["\(name)=\(scalar)"] : nil
    case (.text, .text), (.texts, .text): return ["\(name)=\(scalar)"]
    case (.texts, .array):
      let elements = Array(json.children(of: value))
      guard elements.allSatisfy({ json.kind($0) == .text }) else { return nil }
      return elements.compactMap(json.scalar).map { "\(name)=\($0)" }
    default: return nil
    }
  }

  private func entry(_ member: Member) throws -> ToleranceEntry {
    guard let value = json.scalar(member.value),
      json.kind(member.value) == .number || value.hasSuffix("%")
    else {
      throw error(
        "\(shown(member.value)) is no tolerance of '\(member.key)'", of: member.value,
        help: ToleranceEntry.valueRule)
    }
    return ToleranceEntry(
      place: "\(file.path), \(file.position(member.offset)): ", isTyped: false, key: member.key,
      value: value)
  }

  /// The members of an object, none of which may be there twice, in order; nil of anything else.
  private func members(of value: Int) throws -> [Member]? {
    guard json.kind(value) == .object else { return nil }
    var seen: [String: Int] = [:]
    return try json.children(of: value).map { child -> Member in
      // What stands in an object has a key.
      let (key, offset) = (json.key(of: child) ?? "", json.keyBytes(of: child)?.lowerBound ?? 0)
      if let first = seen.updateValue(offset, forKey: key) {
        throw file.error(
          "the key '\(key)' is there twice, first at \(file.position(first))", at: offset,
          help: "keep one of the two")
      }
      return Member(key: key, offset: offset, value: child)
    }
  }

  private func error(_ reason: String, of value: Int, help: String? = nil) -> CLIError {
    file.error(reason, at: json.bytes(of: value).lowerBound, help: help)
  }

  private func shown(_ value: Int) -> String {
    let bytes = json.bytes(of: value)
    let text = String(decoding: json.text[bytes.prefix(60)], as: UTF8.self)
    return bytes.count > 60 ? text + "…" : text
  }
}

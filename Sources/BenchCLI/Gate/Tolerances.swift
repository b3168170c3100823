import ArgumentParser
import Basics
import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// How far figures may move before they count as changed, as typed and from the configuration.
struct ToleranceOptions: ParsableArguments {
  @Option(help: "A file of tolerances (default: menubench.json in this folder, if there is one).")
  var config: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "How far rows may move: allocations=2, json/decode/wall=5%; repeatable.")
  var tolerance: [String] = []

  /// The rules of the file, then those typed: of several for a row, the last one holds.
  ///
  /// - Parameter rows: the rows that are to be judged. A rule for none of them is refused where it
  ///   was typed, and noted where it stands in the file, which serves other choices too.
  /// - Throws: a ``CLIError`` of status `usage` that names the place, the value and what is valid.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>, rows: [Series.Key]
  ) throws -> Tolerances {
    let rules = ToleranceRules(suite)
    let entries = try configured() + tolerance.map(ToleranceEntry.init(typed:))
    return Tolerances(
      try entries.map { entry in
        let rule = try rules.rule(entry)
        try check(entry, meets: rows, by: rule)
        return rule
      })
  }

  private func configured() throws -> [ToleranceEntry] {
    if let config { return try GateConfiguration(path: config).tolerances }
    var status = stat()
    guard lstat(GateConfiguration.defaultPath, &status) == 0 else { return [] }
    return try GateConfiguration(path: GateConfiguration.defaultPath).tolerances
  }

  private func check(
    _ entry: ToleranceEntry, meets rows: [Series.Key], by rule: Tolerances.Rule
  ) throws {
    guard !rows.contains(where: rule.rows.matches) else { return }
    let message = "\(entry.place)'\(entry.key)' matches none of the rows chosen"
    guard entry.isTyped else { return Console.note("note: \(message)") }
    let cells = Set(rows.map(\.cell.description)).sorted()
    throw CLIError(
      message, help: "the cells chosen are \(Wording.list(cells, most: 8))", status: .usage)
  }
}

extension Selection.Chosen {
  /// Every row that measuring them can give: each metric of each phase of each cell.
  func rows(in suite: Suite<Document>) -> [Series.Key] {
    let metrics = Metric.all.map(\.id).filter { self.metrics?.contains($0) ?? true }
    return cells.map(\.cell).flatMap { cell in
      let phases = (try? suite.workload(cell.workload))?.phases ?? []
      return phases.flatMap { phase in
        metrics.map { Series.Key(cell: cell, phase: phase.id, metric: $0) }
      }
    }
  }
}

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
      reason = systemReason(error)
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
      let choice = ValidNames(kind: "key", ids: Self.keys).unknown(member.key)
      throw error(choice.message, at: member.offset, help: choice.help)
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

/// A tolerance as written in a file or typed: nothing of it is known to make sense yet.
struct ToleranceEntry: Equatable {
  /// Where it stands, as the beginning of a message: `menubench.json, line 2, column 5: `.
  var place: String
  /// Whether it comes from the command line.
  var isTyped: Bool
  /// Which rows: `METRIC`, `BACKEND/PHASE/METRIC` or all six parts.
  var key: String
  /// How far they may move: `5%`, or a number in the metric's unit.
  var value: String

  /// What a value may be, in words.
  static let valueRule =
    "a tolerance is a percentage such as \"0.5%\", or for counts and bytes a number such as 2"
  /// What a key may be, in words.
  static let keyRule =
    "a key is METRIC, BACKEND/PHASE/METRIC or BACKEND/MENU/WORKLOAD/DURABILITY/PHASE/METRIC, "
    + "with * for any but the metric"
}

extension ToleranceEntry {
  /// Takes what was typed after `--tolerance`: a menu's name may hold `=`, a value may not.
  ///
  /// - Throws: a ``CLIError`` of status `usage` where there is no `=`.
  init(typed text: String) throws {
    guard let equals = text.lastIndex(of: "=") else {
      throw CLIError(
        "--tolerance \(text): a value is missing",
        help: "type KEY=VALUE, such as json/decode/allocations=5", status: .usage)
    }
    self.init(
      place: "--tolerance \(text): ", isTyped: true, key: String(text[..<equals]),
      value: String(text[text.index(after: equals)...]))
  }
}

/// Turns entries into rules, by the ids that a suite knows.
struct ToleranceRules {
  private let backends: ValidNames
  private let workload: @Sendable (String) throws -> String
  private let phases: ValidNames

  init<Document: BenchDocument>(_ suite: Suite<Document>) {
    backends = ValidNames(kind: "backend", ids: suite.allBackends.map(\.id))
    workload = { try suite.workloads(typed: $0).first?.id ?? $0 }
    phases = ValidNames(
      kind: "phase", ids: suite.workloads.flatMap { $0.phases.map(\.id) }.distinct)
  }

  /// The rule of an entry.
  ///
  /// - Throws: a ``CLIError`` of status `usage` that names the place, the value and what is valid.
  func rule(_ entry: ToleranceEntry) throws -> Tolerances.Rule {
    do {
      let rows = try selector(entry.key)
      return Tolerances.Rule(rows, try tolerance(entry, of: rows.metric))
    } catch var error as CLIError {
      error.message = entry.place + error.message
      throw error
    }
  }

  private func selector(_ key: String) throws -> RowSelector {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let metric = parts.last, parts.count == 1 || parts.count == 3 || parts.count >= 6 else {
      throw CLIError("'\(key)' names no rows", help: ToleranceEntry.keyRule, status: .usage)
    }
    guard metric != "*" else {
      throw CLIError(
        "'\(key)' names no metric, and no two have one unit", help: ToleranceEntry.keyRule,
        status: .usage)
    }
    var rows = RowSelector(metric: try ValidNames.metrics.one(metric))
    guard parts.count > 1 else { return rows }
    rows.backend = try id(parts[0], backends)
    rows.phase = try id(parts[parts.count - 2], phases)
    guard parts.count > 3 else { return rows }
    rows.durability = try id(parts[parts.count - 3], .durabilities)
    let typed = parts[parts.count - 4]
    rows.workload = typed == "*" ? nil : try workload(typed)
    // A menu's file may lie in folders: its name is whatever is left between.
    let menu = parts[1..<(parts.count - 4)].joined(separator: "/")
    rows.menu = menu == "*" ? nil : menu
    return rows
  }

  private func id(_ part: String, _ choice: ValidNames) throws -> String? {
    part == "*" ? nil : try choice.one(part)
  }

  private func tolerance(_ entry: ToleranceEntry, of id: String) throws -> Tolerance {
    let isRelative = entry.value.hasSuffix("%")
    let text = isRelative ? String(entry.value.dropLast()) : entry.value
    guard let number = Self.number(text) else {
      throw Self.wrong(entry, "is no tolerance", help: ToleranceEntry.valueRule)
    }
    guard number >= 0 else {
      throw Self.wrong(
        entry, "is negative", help: "give 0 or more; it is for worse and better alike")
    }
    guard !isRelative else {
      guard number <= 1_000 else {
        throw Self.wrong(entry, "makes no sense", help: "give a percentage from 0% to 1000%")
      }
      return .relative(number / 100)
    }
    return try absolute(number, entry, of: id)
  }

  private func absolute(
    _ number: Double, _ entry: ToleranceEntry, of id: String
  ) throws -> Tolerance {
    guard Metric.all.first(where: { $0.id == id })?.isTime == false else {
      throw Self.wrong(
        entry, "is no tolerance of the time '\(id)'",
        help: "times differ from machine to machine: give a percentage, such as \"5%\"")
    }
    guard number <= 1e12 else {
      throw Self.wrong(entry, "makes no sense", help: "give a number from 0 to 1000000000000")
    }
    return .absolute(number)
  }

  /// A decimal number; nil of anything else, such as `nan`, `inf` and hexadecimal, and beyond 1e308.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func wrong(_ entry: ToleranceEntry, _ what: String, help: String) -> CLIError {
    CLIError("'\(entry.value)' \(what)", help: help, status: .usage)
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

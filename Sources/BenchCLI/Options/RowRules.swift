import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import PersistenceBackends

/// A tolerance or a limit as written in a file or typed, before it is validated.
struct RuleEntry: Equatable {
  /// The kinds, with their keys in a file.
  enum Kind: String, CaseIterable {
    case tolerance = "tolerances"
    case limit = "limits"
  }

  var kind: Kind
  /// Its place, as the beginning of a message: `menubench.json, line 2, column 5: `.
  var place: String
  /// Whether it comes from the command line.
  var isTyped: Bool
  /// The rows it applies to: `METRIC`, `BACKEND/METRIC`, `BACKEND/PHASE/METRIC` or all six parts.
  var key: String
  /// The value: `5%`, `16ms`, `2MB`, or a number in the metric's unit.
  var value: String
}

extension RuleEntry {
  /// Parses the text after `--tolerance` or `--limit`: a menu's name may contain `=`, but a value may not.
  init(_ kind: Kind, typed text: String) throws {
    guard let equals = text.lastIndex(of: "=") else {
      throw CLIError(
        "--\(kind) \(text): a value is missing",
        help: "type KEY=VALUE, such as json/decode/allocations=5", status: .usage)
    }
    self.init(
      kind: kind, place: "--\(kind) \(text): ", isTyped: true, key: String(text[..<equals]),
      value: String(text[text.index(after: equals)...]))
  }
}

/// What decides whether a run passes.
struct Judgement: Sendable {
  var tolerances = Tolerances()
  var limits = BenchAnalysis.Limits()
  /// Whether times are compared, and not only counts.
  var gatesTimes = true
  var mixesProcesses = false
  var rule = PassRule.comparison()
}

/// Turns entries into rules, using the ids that a suite knows.
struct RuleParser {
  private let backends: ValidNames
  private let workload: @Sendable (String) throws -> String
  private let phases: ValidNames

  init<Document: BenchDocument>(_ suite: Suite<Document>) {
    backends = ValidNames(kind: "backend", ids: suite.allBackends.map(\.id))
    workload = { try suite.workloads(named: $0).first?.id ?? $0 }
    phases = ValidNames(
      kind: "phase",
      ids: suite.workloads.flatMap { $0.phases.map(\.id) + $0.info.costs.map(\.name) }.distinct)
  }

  /// Adds an entry to the rules of its kind, and returns the rows that it selects.
  func add(_ entry: RuleEntry, to judgement: inout Judgement) throws -> RowSelector {
    do {
      let (rows, metric) = try selector(entry.key)
      switch entry.kind {
      case .tolerance:
        judgement.tolerances.rules.append(.init(rows, try tolerance(entry.value, of: metric)))
      case .limit:
        let most = try limit(entry.value, of: metric)
        judgement.limits.rules.append(.init(rows, most: most, isRequired: entry.isTyped))
      }
      return rows
    } catch {
      guard var known = ErrorWording.cliError(for: error) else { throw error }
      known.message = entry.place + known.message
      throw known
    }
  }

  private func selector(_ key: String) throws -> (RowSelector, Metric) {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.last, id != "*", parts.count < 4 || parts.count > 5 else {
      throw CLIError(
        "'\(key)' is not a key of rows",
        help: "a key is METRIC, BACKEND/METRIC, BACKEND/PHASE/METRIC or "
          + "BACKEND/MENU/WORKLOAD/DURABILITY/PHASE/METRIC, with * for any part but the metric",
        status: .usage)
    }
    // Reports have short titles, such as `time`.
    let metric =
      try Metric.all.first { $0.title == id }
      ?? ValidNames.choice("metric", id, among: Metric.all, by: \.id)
    var rows = RowSelector(metric: metric.id)
    if parts.count == 2, phases.ids.contains(parts[0]), !backends.ids.contains(parts[0]) {
      throw CLIError(
        "'\(parts[0])' is a phase or a cost, not a backend", help: "for all backends: */\(key)",
        status: .usage)
    }
    if parts.count > 1 { rows.backend = try self.id(parts[0], backends) }
    if parts.count > 2 { rows.phase = try self.id(parts[parts.count - 2], phases) }
    guard parts.count > 3 else { return (rows, metric) }
    rows.durability = try self.id(parts[parts.count - 3], .durabilities)
    let typed = parts[parts.count - 4]
    rows.workload = typed == "*" ? nil : try workload(typed)
    // A menu's file may be in folders, so its name has all parts in between.
    let menu = parts[1..<(parts.count - 4)].joined(separator: "/")
    rows.menu = menu == "*" ? nil : menu
    return (rows, metric)
  }

  private func id(_ part: String, _ choice: ValidNames) throws -> String? {
    part == "*" ? nil : try choice.one(part)
  }

  private func tolerance(_ text: String, of metric: Metric) throws -> Tolerance {
    let isRelative = text.hasSuffix("%")
    let unit = isRelative ? BenchResults.Unit.percent : metric.unit
    guard isRelative || !metric.isTime, let amount = unit.amount(text),
      amount <= (isRelative ? 1_000 : 1e12)
    else {
      throw CLIError(
        "'\(text)' is not a tolerance of \(metric.id)",
        help: metric.isTime
          ? "times differ from machine to machine: give a percentage up to 1000%, such as 5%"
          : "give a percentage up to 1000%, such as 0.5%, or \(metric.unit.amounts)",
        status: .usage)
    }
    return isRelative ? .relative(amount / 100) : .absolute(amount)
  }

  private func limit(_ text: String, of metric: Metric) throws -> Double {
    guard let most = metric.unit.amount(text) else {
      throw CLIError(
        "'\(text)' is not a limit of \(metric.id)", help: "give \(metric.unit.amounts)",
        status: .usage)
    }
    return most
  }
}

extension BenchResults.Unit {
  /// The units that can be typed, each with its size in this unit.
  private var typed: [(name: String, size: Double)] {
    switch self {
    case .nanoseconds: [("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)]
    case .bytes: [("", 1), ("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9)]
    case .count: [("", 1)]
    case .percent: [("%", 1)]
    }
  }

  /// Explains valid amounts in error messages.
  fileprivate var amounts: String {
    switch self {
    case .nanoseconds: "a time with its unit (ns, us, µs, ms or s), such as 16ms"
    case .bytes: "a number of bytes, or one with its unit (B, kB, MB or GB), such as 2MB"
    case .count: "a number such as 2000"
    case .percent: "a percentage such as 80%"
    }
  }

  /// Parses an amount such as `16ms` or `2MB`. Returns nil if it is not a number from 0 with one of the units.
  func amount(_ text: String) -> Double? {
    let number = text.prefix { "0123456789+-.eE".contains($0) }
    let name = text.dropFirst(number.count).trimmingPrefix(" ")
    guard let unit = typed.first(where: { $0.name == name }),
      let value = try? Double.typed(String(number)), value >= 0
    else { return nil }
    return (value * unit.size).finite
  }
}

extension Double {
  /// Parses a finite decimal number. Refuses anything else, such as `nan` or hexadecimal.
  static func typed(_ text: String) throws -> Double {
    guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }),
      let number = Double(text)?.finite
    else { throw ValidationError("give a number such as 2 or 0.5") }
    return number
  }
}

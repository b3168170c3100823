import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import Foundation
import PersistenceBackends

/// The tolerances from the command line and the configuration.
struct ToleranceOptions: ParsableArguments {
  @Option(help: "A file of tolerances (default: menubench.json here, if it exists).")
  var config: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: "How far rows may move: allocations=2, json/decode/wall=5%; repeatable.")
  var tolerance: [String] = []

  /// Resolves the rules of the file, then those typed. If several match a row, the last one applies.
  ///
  /// - Parameter rows: The rows to be measured. A typed rule that matches none is refused. In the
  ///   file it is only noted, since the file serves other selections too.
  func resolve<Document: BenchDocument>(
    in suite: Suite<Document>, rows: [Series.Key]
  ) throws -> Tolerances {
    let rules = ToleranceRules(suite)
    let file = try (config ?? Configuration.usualPath).map(Configuration.init(path:))
    let entries = try (file?.tolerances ?? []) + tolerance.map(ToleranceEntry.init(typed:))
    return Tolerances(
      try entries.map { entry in
        let rule = try rules.rule(entry)
        try check(entry, meets: rows, by: rule)
        return rule
      })
  }

  private func check(
    _ entry: ToleranceEntry, meets rows: [Series.Key], by rule: Tolerances.Rule
  ) throws {
    guard !rows.contains(where: rule.rows.matches) else { return }
    let message = "\(entry.place)'\(entry.key)' matches none of the chosen rows"
    guard entry.isTyped else { return Console.note("note: \(message)") }
    let metric = rule.rows.metric
    let cells = Set(rows.filter { $0.metric == metric }.map(\.cell.description)).sorted()
    throw CLIError(
      message,
      help: cells.isEmpty
        ? "\(metric) is not measured: see --tier, --metrics and --times"
        : "the cells with \(metric) are \(Wording.list(cells, most: 8))", status: .usage)
  }
}

extension ChosenCells {
  /// Returns every row that measuring these cells can give: each metric of each phase of each cell.
  func rows<Document>(in suite: Suite<Document>) -> [Series.Key] {
    let metrics = Metric.all.map(\.id).filter { self.metrics?.contains($0) ?? true }
    return cells.map(\.cell).flatMap { cell in
      let phases = (try? suite.workload(cell.workload))?.phases ?? []
      return phases.flatMap { phase in
        metrics.map { Series.Key(cell: cell, phase: phase.id, metric: $0) }
      }
    }
  }
}

/// A tolerance as written in a file or typed, before it is validated.
struct ToleranceEntry: Equatable {
  /// Its place, as the beginning of a message: `menubench.json, line 2, column 5: `.
  var place: String
  /// Whether it comes from the command line.
  var isTyped: Bool
  /// The rows it applies to: `METRIC`, `BACKEND/PHASE/METRIC` or all six parts.
  var key: String
  /// The tolerance itself: `5%`, or a number in the metric's unit.
  var value: String

  /// Explains valid values in error messages.
  static let valueRule =
    "a tolerance is a percentage such as \"0.5%\", or for counts and bytes a number such as 2"
  /// Explains valid keys in error messages.
  static let keyRule =
    "a key is METRIC, BACKEND/PHASE/METRIC or BACKEND/MENU/WORKLOAD/DURABILITY/PHASE/METRIC, "
    + "with * for any part but the metric"
}

extension ToleranceEntry {
  /// Parses the text after `--tolerance`: a menu's name may contain `=`, but a value may not.
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

/// Turns entries into rules, using the ids that a suite knows.
struct ToleranceRules {
  private let backends: ValidNames
  private let workload: @Sendable (String) throws -> String
  private let phases: ValidNames

  init<Document: BenchDocument>(_ suite: Suite<Document>) {
    backends = ValidNames(kind: "backend", ids: suite.allBackends.map(\.id))
    workload = { try suite.workloads(named: $0).first?.id ?? $0 }
    phases = ValidNames(
      kind: "phase", ids: suite.workloads.flatMap { $0.phases.map(\.id) }.distinct)
  }

  func rule(_ entry: ToleranceEntry) throws -> Tolerances.Rule {
    do {
      let rows = try selector(entry.key)
      return Tolerances.Rule(rows, try tolerance(entry, of: rows.metric))
    } catch {
      guard var known = ErrorWording.cliError(for: error) else { throw error }
      known.message = entry.place + known.message
      throw known
    }
  }

  private func selector(_ key: String) throws -> RowSelector {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let metric = parts.last, parts.count == 1 || parts.count == 3 || parts.count >= 6 else {
      throw CLIError("'\(key)' is not a key of rows", help: ToleranceEntry.keyRule, status: .usage)
    }
    guard metric != "*" else {
      throw CLIError(
        "'\(key)' names no metric, and metrics differ in their units", help: ToleranceEntry.keyRule,
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
    // A menu's file may be in folders, so its name has all parts in between.
    let menu = parts[1..<(parts.count - 4)].joined(separator: "/")
    rows.menu = menu == "*" ? nil : menu
    return rows
  }

  private func id(_ part: String, _ choice: ValidNames) throws -> String? {
    part == "*" ? nil : try choice.one(part)
  }

  private func tolerance(_ entry: ToleranceEntry, of id: String) throws -> Tolerance {
    func wrong(_ what: String, help: String) -> CLIError {
      CLIError("'\(entry.value)' \(what)", help: help, status: .usage)
    }
    let isRelative = entry.value.hasSuffix("%")
    let text = isRelative ? String(entry.value.dropLast()) : entry.value
    guard let number = try? Double.typed(text) else {
      throw wrong("is not a tolerance", help: ToleranceEntry.valueRule)
    }
    guard number >= 0 else {
      throw wrong("is negative", help: "give 0 or more. A tolerance is for both worse and better")
    }
    guard isRelative || Metric.all.first(where: { $0.id == id })?.isTime == false else {
      throw wrong(
        "is not a tolerance for the time '\(id)'",
        help: "times differ from machine to machine: give a percentage, such as \"5%\"")
    }
    guard number <= (isRelative ? 1_000 : 1e12) else {
      throw wrong(
        "is out of range",
        help: isRelative
          ? "give a percentage from 0% to 1000%" : "give a number from 0 to 1000000000000")
    }
    return isRelative ? .relative(number / 100) : .absolute(number)
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

import Basics
import BenchResults

/// The data behind conclusions. Each rule is a property that looks for one kind of doubt.
struct Evidence {
  var record: RunRecord
  var baseline: RunRecord?
  var rows: [ReportRow]
  var comparison: Comparison?

  /// All conclusions, worst first, equally severe ones in the order of the rules. Rules about
  /// figures come before rules about backends, which may have many conclusions.
  var conclusions: [Conclusion] {
    let drawn = [
      failures, overLimit, belowFloor, debugBuild, notFinite, interrupted, shards, recordWarnings,
      oneProcess, notComparable, instructions, drift, contradicted, notExact, notJudged, budget,
      load, memoryFileSystem, allocationShifts, tooFewBlocks, withoutTime, uncontrolled,
      storedBaseline, refusals, unsupported,
    ].joined()
    return [Conclusion.Severity.error, .warning, .hint].flatMap { severity in
      drawn.filter { $0.severity == severity }
    }
  }

  /// Returns a cell's name: backend and menu, with workload and durability if the run has several.
  func name(_ cell: Cell) -> String {
    let measured = record.cells.map(\.cell) + record.failures.map(\.cell)
    let isAlone = (measured + (baseline?.cells.map(\.cell) ?? [])).allSatisfy {
      $0.workload == cell.workload && $0.durability == cell.durability
    }
    return isAlone ? "\(cell.backend)/\(cell.menu)" : cell.description
  }

  var hasTimes: Bool { record.cells.contains { $0.metric.isTime && $0.blockMedians != nil } }

  /// Lists some of the cells, each once, and how many more there are.
  func names(_ cells: [Cell]) -> String {
    Wording.list(cells.distinct.map(name))
  }
}

/// A doubt or fact that a reader must know before trusting a figure. Conclusions travel with the
/// data, so that every output can show them.
package struct Conclusion: Equatable, Sendable {
  package let severity: Severity
  /// The text, in one line.
  package let text: String

  package init(_ severity: Severity, _ text: String) {
    (self.severity, self.text) = (severity, text)
  }

  /// How much a conclusion matters. Reports print the raw value before the text.
  package enum Severity: String, Sendable {
    /// Worth knowing.
    case hint
    /// Some figures mean less than they seem to.
    case warning
    /// Some figures are missing or mean nothing.
    case error
  }
}

/// Shorthands for rules that draw one conclusion.
extension [Conclusion] {
  static func hint(_ text: String) -> Self { [Conclusion(.hint, text)] }
  static func warning(_ text: String) -> Self { [Conclusion(.warning, text)] }
  static func error(_ text: String) -> Self { [Conclusion(.error, text)] }
}

extension Evidence {
  /// Cells that could not be measured on either side, one line per reason. If one side of a gate
  /// fails, the gate gives the cell up on the other, which has nothing to add.
  var failures: [Conclusion] {
    let (new, old) = (record.failures, baseline?.failures ?? [])
    return failures(new, besides: old, "") + failures(old, besides: new, " in the baseline")
  }

  private func failures(
    _ failures: [Failure], besides others: [Failure], _ side: String
  ) -> [Conclusion] {
    let told = failures.filter { failure in
      failure.stage != nil || !others.contains { $0.cell == failure.cell && $0.stage != nil }
    }
    return told.grouped { [$0.stage, $0.reason] }.map { _, alike in
      let first = alike[0]
      let stage = first.stage.map { " (\($0))" } ?? ""
      let verb = alike.count == 1 ? "was" : "were"
      return Conclusion(
        .error,
        "\(names(alike.map(\.cell))) \(verb) not measured\(side)\(stage): \(first.reason)")
    }
  }

  /// Workloads that do not apply to a backend, one line per reason.
  var refusals: [Conclusion] {
    let refused = record.outcomes.filter { $0.stop == .notApplicable }
    return refused.grouped(by: \.reason).map { reason, alike in
      let cause = "the workload does not apply: \(reason ?? "no reason given")"
      return Conclusion(.hint, "no figures of \(names(alike.map(\.cell))), because \(cause)")
    }
  }

  var debugBuild: [Conclusion] {
    guard record.machine.build == "debug" else { return [] }
    return .error("measured in a debug build: its figures tell you nothing about a release build")
  }

  var interrupted: [Conclusion] {
    let stopped = record.outcomes.filter { $0.stop == .interrupted || $0.stop == .running }
    guard !stopped.isEmpty else { return [] }
    return .warning("the run was interrupted before it finished \(names(stopped.map(\.cell)))")
  }

  var recordWarnings: [Conclusion] {
    record.warnings.map { Conclusion(.warning, $0) }
  }

  /// The limits of blocks that share a process.
  var oneProcess: [Conclusion] {
    guard record.settings.oneProcess == true else { return [] }
    return .warning(
      "measured in one process: its blocks share a heap and caches, so ± does not include "
        + "differences between processes. Nothing is cold, and counts, memory and I/O include the "
        + "app's own")
  }

  /// Machines that others were using when the run began.
  var load: [Conclusion] {
    guard hasTimes else { return [] }
    return record.byMachine.compactMap { part in
      guard let load = part.machine.loadAverage, let cores = part.machine.cores,
        load > Double(cores)
      else { return nil }
      let average = Wording.fixed(load, decimals: 1)
      return Conclusion(
        .warning,
        "\(prefix(part))load average \(average) on \(Wording.plural(cores, "core")) when the run"
          + " began, so its times may be too long")
    }
  }

  /// File systems in memory, on which a flush protects nothing from a power cut.
  var memoryFileSystem: [Conclusion] {
    record.byMachine.compactMap { part in
      let settings = part.settings
      guard let system = settings.fileSystem, Settings.memoryFileSystems.contains(system)
      else { return nil }
      let place = "\(prefix(part))\(settings.storage) is on \(system), which is memory"
      let flushing = part.cells.map(\.cell.durability).distinct.filter { $0 != "none" }
      return flushing.isEmpty
        ? Conclusion(.hint, "\(place), so times of saves include no drive")
        : Conclusion(
          .warning,
          "\(place), so \(flushing.map { "`\($0)`" }.joined(separator: " and "))"
            + " flushed nothing to a drive")
    }
  }

  /// Phases without a time, including floors. Every machine has a clock, so the phase is the cause.
  var withoutTime: [Conclusion] { lacks { $0 == Metric.wall.id } }

  /// Metrics that are unavailable on the machine or for single backends, which are named.
  var unsupported: [Conclusion] { lacks { $0 != Metric.wall.id } }

  private func lacks(of isMeant: (String) -> Bool) -> [Conclusion] {
    let lacking = record.cells.filter { $0.unsupported != nil }
    let machine = record.machine.unsupported.map { [$0.key, $0.value] }
    var lacks = Dictionary(grouping: lacking) { [$0.metric.id, $0.unsupported ?? ""] }
    lacks.merge(machine.map { ($0, []) }) { series, _ in series }
    let all = Set(record.cells.map(\.cell.backend))
    let sorted = lacks.filter { isMeant($0.key[0]) }.sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }
    return sorted.grouped { lack, series -> [String] in
      let backends = Set(series.map(\.cell.backend))
      let isGeneral = machine.contains(lack) || (all.count > 1 && backends == all)
      let phases = lack[0] == Metric.wall.id ? series.map(\.phase).distinct : []
      return [
        isGeneral ? "" : "\(Wording.list(backends.sorted())): ", Wording.list(phases),
        "\(isGeneral ? " here" : ""): \(lack[1])",
      ]
    }.map { words, alike in
      guard words[1].isEmpty else {
        return Conclusion(.hint, "\(words[0])no time of \(words[1])\(words[2])")
      }
      let metrics = alike.map { $0.key[0] }
      let names = Wording.list(metrics, most: metrics.count)
      return Conclusion(.hint, "\(words[0])no figures of \(names)\(words[2])")
    }
  }

  /// Times of a gate that the budget left undecided, although more pairs could have decided them.
  var budget: [Conclusion] {
    guard comparison?.isPaired == true else { return [] }
    let cells = Set(record.outcomes.filter { $0.stop == .budget }.map(\.cell))
    let open = rows.filter {
      cells.contains($0.cell) && $0.metric.isTime && $0.verdict?.isInconclusive ?? false
    }
    guard !open.isEmpty else { return [] }
    let budget = record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
    let verb = open.count == 1 ? "was" : "were"
    return .warning(
      "the budget\(budget) ended before \(Wording.plural(open.count, "time")) \(verb) decided:"
        + " raise it with --budget")
  }

  var notFinite: [Conclusion] {
    let broken = record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }
      .map { "\(name($0.cell)) \($0.phase) \($0.metric.id)" }
    guard !broken.isEmpty else { return [] }
    return .error("a value is not a number, so there are no figures of \(Wording.list(broken))")
  }

  var overLimit: [Conclusion] {
    rows.filter { $0.verdict == .overLimit }.map {
      let place = "\(name($0.cell)) \($0.phase) \($0.metric.id)"
      return Conclusion(.error, "\(place) is over its limit: \($0.besideLimit)")
    }
  }

  /// Phases that are faster than their floors allow, without an explanation.
  var belowFloor: [Conclusion] {
    rows.filter { $0.floor?.isError ?? false }.compactMap { row in
      row.belowFloorReason.map { Conclusion(.error, "\(name(row.cell)) \(row.phase) \($0)") }
    }
  }

  /// Exact metrics whose blocks differ, one line per metric.
  var notExact: [Conclusion] {
    let sides = [("", record), (" in the baseline", baseline)]
    return sides.flatMap { side, record in
      let uneven = (record?.cells ?? []).filter(\.disagrees)
      return Dictionary(grouping: uneven, by: \.metric.id).sorted { $0.key < $1.key }.map {
        let places = Wording.list($0.value.map { range($0) })
        return Conclusion(
          .warning,
          "\($0.key) should be exact, but differs between blocks\(side): \(places)")
      }
    }
  }

  /// Describes a series: `json/large encode (7 to 9)`.
  private func range(_ series: Series) -> String {
    let medians = (series.blockMedians ?? []).sorted()
    let range = [medians.first, medians.last].compactMap { $0 }
      .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
    return "\(name(series.cell)) \(series.phase) (\(range))"
  }

  /// Cells with too few blocks for an interval: a warning if the budget ended first.
  var tooFewBlocks: [Conclusion] {
    let need = MeanSum.fewest
    let few = rows.filter {
      $0.series.isJudged && $0.metric.id == Metric.wall.id
        && $0.summary.map { $0.blocks < need } ?? false
    }
    guard let most = few.compactMap(\.summary?.blocks).max() else { return [] }
    let text =
      "no ± from \(Wording.plural(most, "block")), because a 95 % interval takes"
      + " \(need): \(names(few.map(\.cell)))"
    let cells = Set(few.map(\.cell))
    let isCutShort = record.outcomes.contains { $0.stop == .budget && cells.contains($0.cell) }
    return isCutShort ? .warning("\(text) (give more time with --budget)") : .hint(text)
  }
}

import Basics
import BenchResults

/// What an analyser may look at.
struct Evidence {
  var record: RunRecord
  var baseline: RunRecord?
  var rows: [ReportRow]
  var comparison: Comparison?

  /// A cell's name: backend and menu, with workload and durability where the run has several.
  func name(_ cell: Cell) -> String {
    let measured = record.cells.map(\.cell) + record.failures.map(\.cell)
    let isAlone = (measured + (baseline?.cells.map(\.cell) ?? [])).allSatisfy {
      $0.workload == cell.workload && $0.durability == cell.durability
    }
    return isAlone ? "\(cell.backend)/\(cell.menu)" : cell.description
  }

  /// Whether the run measured any time.
  var hasTimes: Bool { record.cells.contains { $0.metric.isTime && $0.blockMedians != nil } }

  /// Some of the cells, each once, and how many more there are.
  func names(_ cells: [Cell]) -> String {
    Wording.list(cells.distinct.map(name))
  }
}

/// Every rule that draws conclusions; each looks for one kind of doubt.
enum Analysers {
  /// The rules, in the order in which equally severe conclusions are shown.
  static let all: [@Sendable (Evidence) -> [Conclusion]] = [
    failures, debugBuild, notFinite, interrupted, recordWarnings, notComparable, instructions,
    oneSided, drift, unconfirmed, notExact, budget, load, memoryFileSystem, allocationShifts,
    tooFewToCompare, refusals,
    caveats, tooFewBlocks, uncontrolled, storedBaseline, emptySample, unsupported,
  ]

  /// All conclusions, worst first.
  static func conclusions(_ evidence: Evidence) -> [Conclusion] {
    let drawn = all.flatMap { $0(evidence) }
    return [Conclusion.Severity.error, .warning, .hint].flatMap { severity in
      drawn.filter { $0.severity == severity }
    }
  }
}

/// What a reader must know before trusting a figure.
///
/// Doubts travel with the data, so that every output can show them.
package struct Conclusion: Hashable, Sendable {
  /// How much it matters.
  package let severity: Severity
  /// What it is, in one line.
  package let text: String

  package init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }

  /// How much a conclusion matters.
  package enum Severity: String, Hashable, Sendable, Comparable {
    /// Good to know.
    case hint
    /// Some figures mean less than they seem to.
    case warning
    /// Some figures are missing or mean nothing.
    case error

    /// By weight, hints lightest.
    package static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

    private var weight: Int {
      switch self {
      case .hint: 0
      case .warning: 1
      case .error: 2
      }
    }
  }
}

/// Doubts about the run as a whole.
extension Analysers {
  /// Cells that could not be measured, a line a reason, on both sides.
  ///
  /// What one side of a gate could not measure is given up on the other, which has no more to say.
  @Sendable static func failures(_ evidence: Evidence) -> [Conclusion] {
    let (new, old) = (evidence.record.failures, evidence.baseline?.failures ?? [])
    return failures(new.filter { !isEcho($0, of: old) }, "", evidence)
      + failures(old.filter { !isEcho($0, of: new) }, " in the baseline", evidence)
  }

  private static func isEcho(_ failure: Failure, of others: [Failure]) -> Bool {
    failure.stage == nil && others.contains { $0.cell == failure.cell && $0.stage != nil }
  }

  private static func failures(
    _ failures: [Failure], _ side: String, _ evidence: Evidence
  ) -> [Conclusion] {
    failures.grouped { [$0.stage, $0.reason] }.map { _, alike in
      let first = alike[0]
      let stage = first.stage.map { " (\($0))" } ?? ""
      let verb = alike.count == 1 ? "was" : "were"
      return Conclusion(
        .error,
        "\(evidence.names(alike.map(\.cell))) \(verb) not measured\(side)\(stage): \(first.reason)")
    }
  }

  /// Workloads that make no sense on a backend, a line a reason.
  @Sendable static func refusals(_ evidence: Evidence) -> [Conclusion] {
    let refused = evidence.record.outcomes.filter { $0.stop == .notApplicable }
    return refused.grouped(by: \.reason).map { reason, alike in
      Conclusion(
        .hint,
        "does not apply to \(evidence.names(alike.map(\.cell))): \(reason ?? "no reason given")")
    }
  }

  /// Figures of unoptimised code.
  @Sendable static func debugBuild(_ evidence: Evidence) -> [Conclusion] {
    guard evidence.record.machine.build == "debug" else { return [] }
    return [
      Conclusion(.error, "measured in a debug build: its figures say nothing of a release build")
    ]
  }

  /// A run that somebody stopped.
  @Sendable static func interrupted(_ evidence: Evidence) -> [Conclusion] {
    let stopped = evidence.record.outcomes.filter { $0.stop == .interrupted || $0.stop == .running }
    guard !stopped.isEmpty else { return [] }
    return [
      Conclusion(
        .warning,
        "the run was interrupted before these were done: \(evidence.names(stopped.map(\.cell)))")
    ]
  }

  /// What the harness noted.
  @Sendable static func recordWarnings(_ evidence: Evidence) -> [Conclusion] {
    evidence.record.warnings.map { Conclusion(.warning, $0) }
  }

  /// Others were using the machine while times were measured.
  @Sendable static func load(_ evidence: Evidence) -> [Conclusion] {
    let machine = evidence.record.machine
    guard evidence.hasTimes, let load = machine.loadAverage, let cores = machine.cores,
      load > Double(cores)
    else { return [] }
    let average = Wording.fixed(load, decimals: 1)
    return [
      Conclusion(
        .warning,
        "load average \(average) on \(Wording.plural(cores, "core")) when the run began:"
          + " times are inflated")
    ]
  }

  /// Flushing to a file system that no power cut leaves anything of.
  @Sendable static func memoryFileSystem(_ evidence: Evidence) -> [Conclusion] {
    let settings = evidence.record.settings
    guard let system = settings.fileSystem, ["tmpfs", "ramfs"].contains(system) else { return [] }
    let place = "\(settings.storage) is on \(system), which is memory"
    return evidence.record.cells.contains { $0.cell.durability == "durable" }
      ? [Conclusion(.warning, "\(place): `durable` flushed nothing to a drive")]
      : [Conclusion(.hint, "\(place): nothing was written to a drive")]
  }
}

/// What to know of the backends and metrics of the run.
extension Analysers {
  /// What a reader of a backend's figures must know.
  @Sendable static func caveats(_ evidence: Evidence) -> [Conclusion] {
    let measured = Set(evidence.record.cells.map(\.cell.backend))
    let caveats = evidence.record.backends.filter { $0.caveat != nil }.grouped(by: \.id)
    return caveats.compactMap { id, backends in
      let backend = backends[0]
      guard let caveat = backend.caveat, measured.contains(id) else { return nil }
      return Conclusion(
        .hint, caveat.hasPrefix("\(backend.id) ") ? caveat : "\(backend.id): \(caveat)")
    }
  }

  /// Metrics that could not be had: of the machine, or of single backends, which are named.
  @Sendable static func unsupported(_ evidence: Evidence) -> [Conclusion] {
    let machine = Set(
      evidence.record.machine.unsupported.map { Lack(metric: $0.key, reason: $0.value) })
    let series = evidence.record.cells.compactMap { series in
      series.unsupported.map {
        (backend: series.cell.backend, lack: Lack(metric: series.metric.id, reason: $0))
      }
    }
    let backends = Dictionary(grouping: series, by: \.lack).mapValues { Set($0.map(\.backend)) }
    let all = Set(evidence.record.cells.map(\.cell.backend))
    return machine.union(backends.keys).sorted().map { lack in
      let lacking = backends[lack] ?? []
      let isGeneral = machine.contains(lack) || (all.count > 1 && lacking == all)
      let who = isGeneral ? "" : "\(Wording.list(lacking.sorted())): "
      let place = isGeneral ? " here" : ""
      return Conclusion(.hint, "\(who)\(lack.metric) is unsupported\(place): \(lack.reason)")
    }
  }

  /// A metric that could not be had, and why.
  private struct Lack: Hashable, Comparable {
    var metric: String
    var reason: String

    static func < (left: Lack, right: Lack) -> Bool {
      (left.metric, left.reason) < (right.metric, right.reason)
    }
  }
}

/// Doubts about cells that ran out of time.
extension Analysers {
  /// How many ended early, and how far the worst of them is from what was asked for.
  @Sendable static func budget(_ evidence: Evidence) -> [Conclusion] {
    let outcomes = evidence.record.outcomes
    let ended = outcomes.filter { $0.stop == .budget }
    guard !ended.isEmpty else { return [] }
    if evidence.comparison?.isPaired == true { return undecided(Set(ended.map(\.cell)), evidence) }
    let asked = Wording.percent(evidence.record.settings.targetPrecision)
    let (medians, verb) = ended.count == 1 ? ("its median", "was") : ("their medians", "were")
    let widest = widest(Set(ended.map(\.cell)), evidence)
    return [
      Conclusion(
        .warning,
        "\(Wording.count(Double(ended.count))) of \(Wording.plural(outcomes.count, "cell")) ended"
          + " with the budget before \(medians) \(verb) known to ±\(asked)\(widest):"
          + " give more time with --budget")
    ]
  }

  /// Times of a gate that more pairs could have decided.
  private static func undecided(_ cells: Set<Cell>, _ evidence: Evidence) -> [Conclusion] {
    let open = evidence.rows.filter {
      cells.contains($0.cell) && $0.metric.isTime && $0.verdict?.isInconclusive ?? false
    }
    guard !open.isEmpty else { return [] }
    let budget =
      evidence.record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
    let verb = open.count == 1 ? "was" : "were"
    return [
      Conclusion(
        .warning,
        "the budget\(budget) ended before \(Wording.plural(open.count, "time")) \(verb) decided:"
          + " give more with --budget")
    ]
  }

  /// `; the widest is ±14 % (json/small write)`, of the phases that measuring waits for.
  private static func widest(_ cells: Set<Cell>, _ evidence: Evidence) -> String {
    let settings = evidence.record.settings
    let rule = PrecisionRule(
      relativeHalfWidth: settings.targetPrecision,
      emptySample: evidence.record.machine.emptySample)
    let awaited = evidence.rows.filter { row in
      cells.contains(row.cell) && row.metric.id == Metric.wall.id && row.series.isJudged
        && row.summary.map(rule.waits) ?? false
    }
    let widths = awaited.compactMap { row in row.summary?.relativeWidth.map { (row, $0) } }
    guard let (row, width) = widths.max(by: { $0.1 < $1.1 }) else { return "" }
    return "; the widest is \(Wording.precision(width)) (\(evidence.name(row.cell)) \(row.phase))"
  }
}

/// Doubts about single figures.
extension Analysers {
  /// Values that are no numbers.
  @Sendable static func notFinite(_ evidence: Evidence) -> [Conclusion] {
    let broken = evidence.record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }
      .map { "\(evidence.name($0.cell)) \($0.phase) \($0.metric.id)" }
    guard !broken.isEmpty else { return [] }
    return [
      Conclusion(
        .error, "a value is no number, so that there are no figures: \(Wording.list(broken))")
    ]
  }

  /// Exact metrics that were not, a line a metric.
  @Sendable static func notExact(_ evidence: Evidence) -> [Conclusion] {
    let sides = [("", evidence.record), (" in the baseline", evidence.baseline)]
    return sides.flatMap { side, record in
      let uneven = (record?.cells ?? []).filter(\.disagrees)
      return Dictionary(grouping: uneven, by: \.metric.id).sorted { $0.key < $1.key }.map {
        let places = Wording.list($0.value.map { range($0, evidence) })
        return Conclusion(
          .warning, "\($0.key) should be exact and differs between blocks\(side): \(places)")
      }
    }
  }

  /// `json/large encode (7 to 9)`.
  private static func range(_ series: Series, _ evidence: Evidence) -> String {
    let medians = (series.blockMedians ?? []).sorted()
    let range = [medians.first, medians.last].compactMap { $0 }
      .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
    return "\(evidence.name(series.cell)) \(series.phase) (\(range))"
  }

  /// Times that are mostly the measuring itself, a line a clock.
  @Sendable static func emptySample(_ evidence: Evidence) -> [Conclusion] {
    [Metric.wall, .cpu].compactMap { metric in
      let machine = evidence.record.machine
      let tiny = evidence.rows.filter { $0.metric.id == metric.id && $0.isTiny }
      guard !tiny.isEmpty, let empty = machine.emptyReading(metric),
        let least = machine.leastTellable(metric)
      else { return nil }
      return Conclusion(
        .hint,
        "\(Wording.plural(tiny.count, "\(metric.id) time")) of \(evidence.names(tiny.map(\.cell)))"
          + " cannot be told from an empty sample's \(Wording.time(empty)): shown as"
          + " < \(Wording.time(least))")
    }
  }

  /// Cells of too few blocks for an interval.
  @Sendable static func tooFewBlocks(_ evidence: Evidence) -> [Conclusion] {
    let need = Statistics.fewestForMedianInterval
    let few = evidence.rows.filter {
      $0.series.isJudged && $0.metric.id == Metric.wall.id
        && $0.summary.map { $0.blocks < need }
          ?? false
    }
    guard let most = few.compactMap(\.summary?.blocks).max() else { return [] }
    return [
      Conclusion(
        .hint,
        "no interval of the median at 95 % from \(Wording.plural(most, "block")):"
          + " need \(need) blocks (\(evidence.names(few.map(\.cell))))")
    ]
  }
}

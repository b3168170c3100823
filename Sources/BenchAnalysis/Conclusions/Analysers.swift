import Basics
import BenchResults

/// What conclusions are drawn from; each rule, a property, looks for one kind of doubt.
struct Evidence {
  var record: RunRecord
  var baseline: RunRecord?
  var rows: [ReportRow]
  var comparison: Comparison?

  /// All conclusions, worst first, equally severe ones in the order of the rules: what a reader must know
  /// of the figures before what there is to know of backends, of which there may be many.
  var conclusions: [Conclusion] {
    let drawn = [
      failures, belowFloor, debugBuild, notFinite, interrupted, shards, recordWarnings, oneProcess,
      notComparable, instructions, oneSided, drift, unconfirmed, notExact, notJudged, rareUnseen,
      budget, load, memoryFileSystem,
      allocationShifts, tooFewToCompare, tooFewBlocks, withoutTime, uncontrolled, storedBaseline,
      twoSpeeds, refusals, flushes, caveats, emptySample, unsupported,
    ].joined()
    return [Conclusion.Severity.error, .warning, .hint].flatMap { severity in
      drawn.filter { $0.severity == severity }
    }
  }

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

/// What a reader must know before trusting a figure.
///
/// Doubts travel with the data, so that every output can show them.
package struct Conclusion: Equatable, Sendable {
  /// How much it matters.
  package let severity: Severity
  /// What it is, in one line.
  package let text: String

  package init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }

  static func hint(_ text: String) -> Conclusion { Conclusion(.hint, text) }
  static func warning(_ text: String) -> Conclusion { Conclusion(.warning, text) }
  static func error(_ text: String) -> Conclusion { Conclusion(.error, text) }

  /// How much a conclusion matters; the raw value stands before its text.
  package enum Severity: String, Sendable {
    /// Good to know.
    case hint
    /// Some figures mean less than they seem to.
    case warning
    /// Some figures are missing or mean nothing.
    case error
  }
}

/// Doubts about the run as a whole.
extension Evidence {
  /// Cells that could not be measured, a line a reason, on both sides.
  ///
  /// What one side of a gate could not measure is given up on the other, which has no more to say.
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
      return .error(
        "\(names(alike.map(\.cell))) \(verb) not measured\(side)\(stage): \(first.reason)")
    }
  }

  /// Workloads that make no sense on a backend, a line a reason.
  var refusals: [Conclusion] {
    let refused = record.outcomes.filter { $0.stop == .notApplicable }
    return refused.grouped(by: \.reason).map { reason, alike in
      .hint("does not apply to \(names(alike.map(\.cell))): \(reason ?? "no reason given")")
    }
  }

  /// Figures of unoptimised code.
  var debugBuild: [Conclusion] {
    guard record.machine.build == "debug" else { return [] }
    return [
      .error("measured in a debug build: its figures say nothing of a release build")
    ]
  }

  /// A run that somebody stopped.
  var interrupted: [Conclusion] {
    let stopped = record.outcomes.filter { $0.stop == .interrupted || $0.stop == .running }
    guard !stopped.isEmpty else { return [] }
    return [
      .warning("the run was interrupted before these were done: \(names(stopped.map(\.cell)))")
    ]
  }

  /// What the harness noted.
  var recordWarnings: [Conclusion] {
    record.warnings.map { .warning($0) }
  }

  /// What blocks that share a process do not tell.
  var oneProcess: [Conclusion] {
    guard record.settings.oneProcess == true else { return [] }
    return [
      .warning(
        "measured in one process: its blocks share a heap and caches, so that ± lacks what differs "
          + "between processes; nothing is cold, and counts, memory and I/O cannot be told from the "
          + "app's own")
    ]
  }

  /// Others were using the machine while times were measured.
  var load: [Conclusion] {
    guard hasTimes else { return [] }
    return record.byMachine.compactMap { part in
      guard let load = part.machine.loadAverage, let cores = part.machine.cores,
        load > Double(cores)
      else { return nil }
      let average = Wording.fixed(load, decimals: 1)
      return .warning(
        "\(prefix(part))load average \(average) on \(Wording.plural(cores, "core")) when the run"
          + " began: times are inflated")
    }
  }

  /// Flushing to a file system that no power cut leaves anything of.
  var memoryFileSystem: [Conclusion] {
    record.byMachine.compactMap { part in
      let settings = part.settings
      guard let system = settings.fileSystem, Settings.memoryFileSystems.contains(system)
      else { return nil }
      let place = "\(prefix(part))\(settings.storage) is on \(system), which is memory"
      let flushing = part.cells.map(\.cell.durability).distinct.filter { $0 != "none" }
      return flushing.isEmpty
        ? Conclusion.hint("\(place): nothing was written to a drive")
        : Conclusion.warning(
          "\(place): \(flushing.map { "`\($0)`" }.joined(separator: " and "))"
            + " flushed nothing to a drive")
    }
  }
}

/// What to know of the backends and metrics of the run.
extension Evidence {
  /// What a reader of a backend's figures must know.
  var caveats: [Conclusion] {
    let measured = Set(record.cells.map(\.cell.backend))
    let caveats = record.backends.filter { $0.caveat != nil }.grouped(by: \.id)
    return caveats.compactMap { id, backends in
      let backend = backends[0]
      guard let caveat = backend.caveat, measured.contains(id) else { return nil }
      return .hint(caveat.hasPrefix("\(backend.id) ") ? caveat : "\(backend.id): \(caveat)")
    }
  }

  /// What one durability is to some backends and not to others: a flush with every save.
  var flushes: [Conclusion] {
    record.cells.map(\.cell).grouped(by: \.durability).compactMap { durability, cells in
      let known = cells.map(\.backend).distinct.compactMap { id in
        record.backend(id)?.flushes.map { (id: id, flushes: $0.contains(durability)) }
      }
      let without = known.filter { !$0.flushes }.map(\.id)
      guard !without.isEmpty, without.count < known.count else { return nil }
      return .hint(
        "at \(durability) \(Wording.list(without)) \(without.count == 1 ? "flushes" : "flush") no save"
          + " to the drive, where the others flush each: saving is the cheaper for it, and a power"
          + " cut may cost the last saves")
    }
  }

  /// Phases without a time, floors among them. Every machine has a clock: it is the phase that has none.
  var withoutTime: [Conclusion] { lacks { $0 == Metric.wall.id } }

  /// Metrics that could not be had: of the machine, or of single backends, which are named.
  var unsupported: [Conclusion] { lacks { $0 != Metric.wall.id } }

  private func lacks(of isMeant: (String) -> Bool) -> [Conclusion] {
    let machine = Set(record.machine.unsupported.map { Lack(metric: $0.key, reason: $0.value) })
    let series = record.cells.compactMap { series in
      series.unsupported.map {
        (
          backend: series.cell.backend, phase: series.phase,
          lack: Lack(metric: series.metric.id, reason: $0)
        )
      }
    }
    let lacks = Dictionary(grouping: series, by: \.lack)
    let backends = lacks.mapValues { Set($0.map(\.backend)) }
    let all = Set(record.cells.map(\.cell.backend))
    return machine.union(backends.keys).filter { isMeant($0.metric) }.sorted().grouped { lack in
      let lacking = backends[lack] ?? []
      let isGeneral = machine.contains(lack) || (all.count > 1 && lacking == all)
      let phases = lack.metric == Metric.wall.id ? (lacks[lack] ?? []).map(\.phase).distinct : []
      return Absence(
        who: isGeneral ? "" : "\(Wording.list(lacking.sorted())): ",
        place: isGeneral ? " here" : "", phases: phases, reason: lack.reason)
    }.map { absence, alike in
      let (who, place, reason) = (absence.who, absence.place, absence.reason)
      guard absence.phases.isEmpty else {
        return .hint("\(who)no time of \(Wording.list(absence.phases))\(place): \(reason)")
      }
      let metrics = alike.map(\.metric)
      let verb = metrics.count == 1 ? "is" : "are"
      let names = Wording.list(metrics, most: metrics.count)
      return .hint("\(who)\(names) \(verb) unsupported\(place): \(reason)")
    }
  }

  /// What lacks metrics for one reason, in the words around it.
  private struct Absence: Hashable {
    var who: String
    var place: String
    var phases: [String]
    var reason: String
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
extension Evidence {
  /// How many ended early, and how far the worst of them is from what was asked for.
  var budget: [Conclusion] {
    let outcomes = record.outcomes
    let ended = outcomes.filter { $0.stop == .budget }
    guard !ended.isEmpty else { return [] }
    if comparison?.isPaired == true { return undecided(Set(ended.map(\.cell))) }
    let asked = Wording.percent(record.settings.targetPrecision)
    let (medians, verb) = ended.count == 1 ? ("its median", "was") : ("their medians", "were")
    let widest = widest(Set(ended.map(\.cell)))
    return [
      Conclusion(
        haveIntervals(Set(ended.map(\.cell))) ? .hint : .warning,
        "\(Wording.count(ended.count)) of \(Wording.plural(outcomes.count, "cell")) ended"
          + " with the budget before \(medians) \(verb) known to ±\(asked)\(widest):"
          + " give more time with --budget")
    ]
  }

  /// Whether every time of the cells' own phases is shown with its interval: a reader sees how far to
  /// trust it, and is told nothing new.
  private func haveIntervals(_ cells: Set<Cell>) -> Bool {
    let times = rows.filter {
      cells.contains($0.cell) && $0.metric.id == Metric.wall.id && $0.series.isJudged
        && $0.unsupported == nil
    }
    return !times.isEmpty && times.allSatisfy { $0.summary?.interval != nil }
  }

  /// Times of a gate that more pairs could have decided.
  private func undecided(_ cells: Set<Cell>) -> [Conclusion] {
    let open = rows.filter {
      cells.contains($0.cell) && $0.metric.isTime && $0.verdict?.isInconclusive ?? false
    }
    guard !open.isEmpty else { return [] }
    let budget = record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
    let verb = open.count == 1 ? "was" : "were"
    return [
      .warning(
        "the budget\(budget) ended before \(Wording.plural(open.count, "time")) \(verb) decided:"
          + " give more with --budget")
    ]
  }

  /// `; the widest is ±14 % (json/small write)`, of the phases that measuring waits for.
  private func widest(_ cells: Set<Cell>) -> String {
    let rule = PrecisionRule(
      relativeHalfWidth: record.settings.targetPrecision, emptySample: record.machine.emptySample)
    let awaited = rows.filter { row in
      cells.contains(row.cell) && row.metric.id == Metric.wall.id && row.series.isJudged
        && row.summary.map(rule.waits) ?? false
    }
    let widths = awaited.compactMap { row in row.summary?.relativeWidth.map { (row, $0) } }
    guard let (row, width) = widths.max(by: { $0.1 < $1.1 }) else { return "" }
    return "; the widest is \(Wording.precision(width)) (\(name(row.cell)) \(row.phase))"
  }
}

/// Doubts about single figures.
extension Evidence {
  /// Values that are no numbers.
  var notFinite: [Conclusion] {
    let broken = record.cells.filter { !$0.blocks.joined().allSatisfy(\.isFinite) }
      .map { "\(name($0.cell)) \($0.phase) \($0.metric.id)" }
    guard !broken.isEmpty else { return [] }
    return [
      .error("a value is no number, so that there are no figures: \(Wording.list(broken))")
    ]
  }

  /// Phases that are faster than their floors allow, and nobody says why.
  var belowFloor: [Conclusion] {
    rows.filter { $0.floor?.isError ?? false }.compactMap { row in
      row.belowFloorReason.map { .error("\(name(row.cell)) \(row.phase) \($0)") }
    }
  }

  /// Exact metrics that were not, a line a metric.
  var notExact: [Conclusion] {
    let sides = [("", record), (" in the baseline", baseline)]
    return sides.flatMap { side, record in
      let uneven = (record?.cells ?? []).filter(\.disagrees)
      return Dictionary(grouping: uneven, by: \.metric.id).sorted { $0.key < $1.key }.map {
        let places = Wording.list($0.value.map { range($0) })
        return Conclusion.warning(
          "\($0.key) should be exact and differs between blocks\(side): \(places)")
      }
    }
  }

  /// `json/large encode (7 to 9)`.
  private func range(_ series: Series) -> String {
    let medians = (series.blockMedians ?? []).sorted()
    let range = [medians.first, medians.last].compactMap { $0 }
      .map { Wording.value($0, series.metric.unit) }.joined(separator: " to ")
    return "\(name(series.cell)) \(series.phase) (\(range))"
  }

  /// Times that are mostly the measuring itself, a line a clock.
  var emptySample: [Conclusion] {
    [Metric.wall, .cpu].compactMap { metric in
      let tiny = rows.filter { $0.metric.id == metric.id && $0.isTiny }
      guard let least = tiny.compactMap(\.leastTellable).max(),
        let empty = record.machine.emptyReading(metric)
      else { return nil }
      return .hint(
        "\(Wording.plural(tiny.count, "\(metric.id) time")) of \(names(tiny.map(\.cell)))"
          + " below ten empty samples of \(Wording.time(empty)), too much of which would be the"
          + " clock: shown as < \(Wording.time(least))")
    }
  }

  /// Times whose samples lie around two middles, the furthest apart first.
  var twoSpeeds: [Conclusion] {
    let found = rows.compactMap { row -> (row: ReportRow, modes: TwoModes)? in
      guard row.metric.id == Metric.wall.id, row.series.isJudged, !row.isTiny,
        let modes = TwoModes(Array(row.series.blocks.joined()))
      else { return nil }
      return (row, modes)
    }
    guard let (row, modes) = found.max(by: { $0.modes.ratio < $1.modes.ratio }) else { return [] }
    let others = found.count > 1 ? ", and \(Wording.plural(found.count - 1, "other time"))" : ""
    let median = row.summary?.p50 ?? modes.lower
    let isBetween = median > modes.lower * 1.1 && median < modes.upper / 1.1
    let isUpper = median * median > modes.lower * modes.upper
    let meaning =
      isBetween
      ? "lies between them, where few samples do: take both"
      : (isUpper ? modes.share : 1 - modes.share) >= 0.5
        ? "is that of the more frequent" : "is that of the rarer, since blocks differ"
    return [
      .hint(
        "\(name(row.cell)) \(row.phase) runs at two speeds\(others): \(Wording.percent(modes.share))"
          + " of its samples around \(Wording.time(modes.upper)), the others around"
          + " \(Wording.time(modes.lower)); the median, \(Wording.time(median)), \(meaning)")
    ]
  }

  /// Cells of too few blocks for an interval.
  var tooFewBlocks: [Conclusion] {
    let need = Statistics.fewestForMedianInterval
    let few = rows.filter {
      $0.series.isJudged && $0.metric.id == Metric.wall.id
        && $0.summary.map { $0.blocks < need } ?? false
    }
    guard let most = few.compactMap(\.summary?.blocks).max() else { return [] }
    return [
      .hint(
        "no interval of the median at 95 % from \(Wording.plural(most, "block")):"
          + " need \(need) blocks (\(names(few.map(\.cell))))")
    ]
  }
}

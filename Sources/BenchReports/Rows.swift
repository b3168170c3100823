import Basics
import BenchAnalysis
import BenchResults

/// A row's texts beside the baseline's; nil where unknown.
extension ReportRow {
  /// The baseline's median, of pairs that of the turns which decide.
  var baselineText: String? { besideText?.then ?? comparison?.baselineP50.map(text) }

  /// The median; beside a ratio of pairs the baseline's times the ratio.
  var nowText: String? { besideText?.now ?? summary.map { text($0.p50) } }

  /// Both, where there are two: exact ones in digits that tell them apart, of others these would be
  /// noise.
  private var besideText: (then: String, now: String)? {
    if let paired = comparison?.paired, summary != nil {
      return (text(paired.baseline), text(paired.now))
    }
    guard let comparison, comparison.difference != nil, let then = comparison.baselineP50,
      let now = summary?.p50
    else { return nil }
    return Wording.values(then, now, metric.unit)
  }

  private func text(_ value: Double) -> String { Wording.value(value, metric.unit) }

  var changeText: String? {
    let change = comparison.flatMap { Wording.change($0, metric) }
    // What could not be told from a change is not the same.
    if case .inconclusive = verdict, change == "same" { return Wording.multiple(1) }
    return change
  }

  /// The ratio's interval, turned over where the ratio is below 1, as the change is: `1.16× faster`
  /// lies in `1.15–1.17×`, and `1.11× faster` in `0.95–1.25×`.
  var intervalText: String? {
    comparison?.interval.map { interval in
      let isTurned = (comparison?.ratio ?? 1) < 1 && interval.low > 0
      let low = isTurned ? 1 / interval.high : interval.low
      let high = isTurned ? 1 / interval.low : interval.high
      return "\(Wording.multiple(low).dropLast())–\(Wording.multiple(high))"
    }
  }

  var name: String { "\(cell) \(phase) \(metric.title)" }

  /// How much it moved, where that has a ratio, and from where to where:
  /// `1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms`; where the largest samples decided, these alone, since the
  /// medians beside them may be as they were.
  var movement: String {
    if comparison?.most != nil, let changeText { return changeText }
    let interval = intervalText.map { " (\($0))" } ?? ""
    let ratio = comparison?.ratio == nil ? "" : "\(changeText ?? "")\(interval), "
    return "\(ratio)\(baselineText ?? Table.unknown) → \(nowText ?? Table.unknown)"
  }

  /// Why the verdict is none; empty of one that is.
  var reason: String {
    switch verdict {
    case .inconclusive(let doubt): Wording.doubt(doubt)
    case .belowFloor: "cannot be true"
    default: ""
    }
  }
}

struct PhaseRows {
  let cell: Cell
  let phase: String
  let rows: [ReportRow]

  /// Every phase, in order of first occurrence.
  static func all(_ rows: [ReportRow]) -> [PhaseRows] {
    rows.grouped { Series.Key(cell: $0.cell, phase: $0.phase, metric: "") }.map {
      PhaseRows(cell: $0.key.cell, phase: $0.key.phase, rows: $0.elements)
    }
  }

  subscript(metric: Metric) -> ReportRow? { rows.first { $0.metric.id == metric.id } }

  /// A metric's median, scaled; of a time that cannot be told from the clock's own cost, only that
  /// it is less than what can.
  func cell(_ metric: Metric) -> Table.Cell {
    guard let row = self[metric], let p50 = row.summary?.p50 else { return .unknown }
    if let bound = peakBound(metric, p50) {
      return Table.Cell("≤ " + Wording.value(bound, row.metric.unit), p50)
    }
    return .value(p50, row.metric.unit, least: row.leastTellable)
  }

  /// What a small peak cannot have been above: what was allocated and freed between two of jemalloc's
  /// looks is not seen, so that it may read 0.
  private func peakBound(_ metric: Metric, _ peak: Double) -> Double? {
    guard metric.id == Metric.peakHeapBytes.id, peak < Metric.peakHeapResolution,
      let allocated = self[.allocatedBytes]?.summary?.p50, allocated > peak
    else { return nil }
    return min(peak + Metric.peakHeapResolution, allocated)
  }

  /// How far wall time may be off; unknown of too few blocks for an interval, and where it is mostly
  /// the clock's own cost.
  var precision: Table.Cell {
    let width = self[.wall].flatMap { $0.isTiny ? nil : $0.summary?.relativeWidth }
    return Table.Cell(width.map(Wording.precision), width)
  }

  /// Wall time as a multiple of its floor, with ``belowFloor`` where it cannot be true; unknown where
  /// either is mostly the clock's own cost, or the floor is too uncertain to divide by.
  var floorMultiple: Table.Cell {
    guard let row = self[.wall], let floor = row.floor else { return .unknown }
    let multiple = row.isTiny ? nil : floor.multiple
    let texts = [multiple.map(Wording.boundedMultiple), floor.isError ? Self.belowFloor : nil]
    let text = texts.compactMap(\.self).joined(separator: " ")
    return text.isEmpty ? .unknown : Table.Cell(text, multiple)
  }

  /// What marks a figure that cannot be true.
  static let belowFloor = "!"

  /// How the phase was done; nil where there is but one way.
  var route: String? { rows.lazy.compactMap(\.series.route).first }
}

extension Report {
  /// Every row that has a figure, each once, in the report's order, and then the sums of phases; floors and control
  /// included, and left out what is below its floor: a series of figures over time must not take in one that cannot
  /// be true.
  var figureRows: [ReportRow] {
    (rows + costRows).filter { $0.summary?.p50.finite != nil && $0.floor?.isError != true }
      .uniqued(on: \.series.key)
  }

  /// The rows missing now, but for those of cells whose failure says it already.
  var lost: [ReportRow] {
    let failed = Set(record.failures.map(\.cell))
    return missing.filter { !failed.contains($0.cell) }
  }
}

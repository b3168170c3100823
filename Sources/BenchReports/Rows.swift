import Basics
import BenchAnalysis
import BenchResults

/// The texts of a row, next to those of the baseline, or nil if unknown.
extension ReportRow {
  /// The baseline's median; for pairs, that of the turns that decide.
  var baselineText: String? { besideText?.then ?? comparison?.baselineP50.map(text) }

  /// The median; next to a ratio of pairs, the baseline's median times that ratio.
  var nowText: String? { besideText?.now ?? summary.map { text($0.p50) } }

  /// Both medians, if there are two. Exact ones have enough digits to tell them apart. In others
  /// those digits would be noise.
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

  var changeText: String? { comparison.flatMap { Wording.change($0, metric) } }

  var intervalText: String? {
    comparison?.interval.map { "\(Wording.shift($0.low)) to \(Wording.shift($0.high))" }
  }

  var name: String { "\(cell) \(phase) \(metric.title)" }

  /// The verdict in the words of people, or empty without one.
  var word: String { verdict.map { Wording.verdict($0, metric) } ?? "" }

  /// The change, if it has a ratio, and both medians: `+25 % (24–26), 51.0 ms → 63.7 ms`. If the
  /// largest samples decided, the change alone, because the medians may be as before.
  var movement: String {
    if comparison?.most != nil, let changeText { return changeText }
    let change = comparison?.ratio.flatMap { ratio in
      comparison?.interval.map { Wording.shift(ratio, within: $0) } ?? changeText
    }
    return (change.map { "\($0), " } ?? "")
      + "\(baselineText ?? Table.unknown) → \(nowText ?? Table.unknown)"
  }
}

struct PhaseRows {
  let cell: Cell
  let phase: String
  let rows: [ReportRow]

  /// Returns the rows of every phase, in order of first occurrence.
  static func all(_ rows: [ReportRow]) -> [PhaseRows] {
    rows.grouped { Series.Key(cell: $0.cell, phase: $0.phase, metric: "") }.map {
      PhaseRows(cell: $0.key.cell, phase: $0.key.phase, rows: $0.elements)
    }
  }

  subscript(metric: Metric) -> ReportRow? { rows.first { $0.metric.id == metric.id } }

  /// Returns a metric's median, scaled. A time too short to tell from the clock's own cost becomes
  /// an upper bound.
  func cell(_ metric: Metric) -> Table.Cell {
    guard let row = self[metric], let p50 = row.summary?.p50 else { return .unknown }
    if let bound = peakBound(metric, p50) {
      return Table.Cell("≤ " + Wording.value(bound, row.metric.unit), p50)
    }
    return .value(p50, row.metric.unit, least: row.resolutionLimit)
  }

  /// Returns the upper bound of a small peak. It may read 0, because jemalloc does not see what is
  /// allocated and freed between two of its checks.
  private func peakBound(_ metric: Metric, _ peak: Double) -> Double? {
    guard metric.id == Metric.peakHeapBytes.id, peak < Metric.peakHeapResolution,
      let allocated = self[.allocatedBytes]?.summary?.p50, allocated > peak
    else { return nil }
    return min(peak + Metric.peakHeapResolution, allocated)
  }

  /// How far wall time may be off. Unknown with too few blocks for an interval, and if the time is
  /// mostly the clock's own cost.
  var precision: Table.Cell {
    let width = self[.wall].flatMap { $0.isUnresolved ? nil : $0.summary?.relativeWidth }
    return Table.Cell(width.map(Wording.precision), width)
  }

  /// Wall time as a multiple of its floor, with ``belowFloor`` if it cannot be true. Unknown if
  /// either is mostly the clock's own cost, or the floor is too uncertain to divide by.
  var floorMultiple: Table.Cell {
    guard let row = self[.wall], let floor = row.floor else { return .unknown }
    let multiple = row.isUnresolved ? nil : floor.multiple
    let texts = [multiple.map(Wording.boundedMultiple), floor.isError ? Self.belowFloor : nil]
    let text = texts.compactMap(\.self).joined(separator: " ")
    return text.isEmpty ? .unknown : Table.Cell(text, multiple)
  }

  /// Marks a figure that cannot be true.
  static let belowFloor = "!"

  /// How the phase was done, or nil if there is only one way.
  var route: String? { rows.lazy.compactMap(\.series.route).first }
}

extension Report {
  /// Every row with a figure, once, in the report's order, and then the sums of phases. Floors and
  /// the control are included. Rows below their floor are not: a series over time must not contain
  /// figures that cannot be true.
  var figureRows: [ReportRow] {
    (rows + costRows).filter { $0.summary?.p50.finite != nil && $0.floor?.isError != true }
      .uniqued(on: \.series.key)
  }

  /// The rows that are missing now, except in cells with a recorded failure.
  var lost: [ReportRow] {
    let failed = Set(record.failures.map(\.cell))
    return missing.filter { !failed.contains($0.cell) }
  }
}

import Basics
import BenchAnalysis
import BenchResults

/// A column of figures: its field in CSV, its place in the table of phases and in that of changes.
///
/// ``all`` is the one list that those three read: a figure derived from a row is added here alone.
struct ReportColumn: Sendable {
  /// CSV's header and field; a field that is nil is an unknown.
  var csv: (id: String, field: @Sendable (ReportRow) -> String?)?
  var phases: (column: Table.Column, cell: @Sendable (PhaseRows) -> Table.Cell)?
  /// In the table of rows beside the baseline's.
  var changes: (column: Table.Column, cell: @Sendable (ReportRow) -> Table.Cell)?
  /// What the column of phases means, where its title does not say it.
  var legend: String?

  /// Every column, in CSV's order, which is a contract; those that CSV does not have stand where the
  /// tables want them.
  static let all: [ReportColumn] = [
    ReportColumn(csv: ("backend", { $0.cell.backend })),
    ReportColumn(csv: ("menu", { $0.cell.menu })),
    ReportColumn(csv: ("workload", { $0.cell.workload })),
    ReportColumn(csv: ("durability", { $0.cell.durability })),
    ReportColumn(csv: ("phase", { $0.phase })),
    ReportColumn(csv: ("metric", { $0.metric.id })),
    ReportColumn(csv: ("unit", { $0.metric.unit.rawValue })),
    figure("samples") { $0.summary.map { Double($0.samples) } },
    figure("min") { $0.summary?.min },
    figure("p50", phases: (.number("time"), { $0.cell(.wall) })) { $0.summary?.p50 },
    figure("mean") { $0.summary?.mean },
    figure("p90") { $0.summary?.p90 },
    figure("p99") { $0.summary?.p99 },
    figure("max") { $0.summary?.max },
    figure("stddev") { $0.summary?.standardDeviation },
    figure("ci_low", phases: (.number("±"), { $0.precision })) { $0.summary?.interval?.low },
    figure("ci_high") { $0.summary?.interval?.high },
    figure(
      "floor_ratio", phases: (.number("× floor"), { $0.floorMultiple }),
      legend: "× floor: multiple of the floor in the next table"
    ) { $0.floorRatio },
    ReportColumn(
      phases: (.text("route", isOptional: true), { Table.Cell($0.route) }),
      legend: "route: the backend's own to a part of the menu, the whole menu read for it, or what"
        + " the process holds"),
    figure(
      "baseline_p50",
      changes: (
        .number("baseline", isOptional: true),
        {
          Table.Cell($0.baselineText, $0.comparison?.paired?.baseline ?? $0.comparison?.baselineP50)
        }
      )
    ) { $0.comparison?.baselineP50 },
    ReportColumn(
      changes: (
        .number("now"), { Table.Cell($0.nowText, $0.comparison?.paired?.now ?? $0.summary?.p50) }
      )),
    figure(
      "ratio",
      changes: (
        .text("change", isOptional: true).last, { Table.Cell($0.changeText, $0.comparison?.ratio) }
      )
    ) { $0.comparison?.ratio },
    figure(
      "ratio_low",
      changes: (
        .text("interval", isOptional: true),
        { Table.Cell($0.intervalText, $0.comparison?.interval?.low) }
      )
    ) { $0.comparison?.interval?.low },
    figure("ratio_high") { $0.comparison?.interval?.high },
    ReportColumn(
      csv: ("verdict", { $0.verdict?.id }),
      changes: (.text("verdict"), { Table.Cell($0.verdict?.id, tone: $0.verdict?.tone) })),
  ]

  /// A column of numbers: all digits in CSV, an unknown and what is no finite number empty.
  private static func figure(
    _ id: String, phases: (Table.Column, @Sendable (PhaseRows) -> Table.Cell)? = nil,
    changes: (Table.Column, @Sendable (ReportRow) -> Table.Cell)? = nil, legend: String? = nil,
    _ value: @escaping @Sendable (ReportRow) -> Double?
  ) -> ReportColumn {
    ReportColumn(
      csv: (id, { value($0)?.finite?.digits }), phases: phases, changes: changes, legend: legend)
  }
}

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

  /// What moved, and how far.
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
}

/// What lists say of a row.
extension ReportRow {
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

/// The rows of one phase of one cell.
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

  /// The row of a metric.
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

  var isControl: Bool { phase == Series.controlPhase }

  /// How the phase was done; nil where there is but one way.
  var route: String? { rows.lazy.compactMap(\.series.route).first }
}

extension Cell {
  /// What tells a phase of it from all others, as names and values.
  func labels(_ phase: String) -> [(name: String, value: String)] {
    [
      ("backend", backend), ("menu", menu), ("workload", workload), ("durability", durability),
      ("phase", phase),
    ]
  }
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

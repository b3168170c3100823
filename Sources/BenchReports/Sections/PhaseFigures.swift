import BenchAnalysis
import BenchResults

/// The rows of one phase of one cell, by metric.
struct PhaseFigures {
  let cell: Cell
  let phase: String
  private let rows: [String: ReportRow]

  var backend: String { cell.backend }

  /// Every phase of which anything was measured, in order of first occurrence.
  static func all(_ rows: [ReportRow]) -> [PhaseFigures] {
    let measured = rows.filter { $0.summary != nil }
    let grouped = Dictionary(grouping: measured) { Key(cell: $0.cell, phase: $0.phase) }
    var seen: Set<Key> = []
    return measured.map { Key(cell: $0.cell, phase: $0.phase) }
      .filter { seen.insert($0).inserted }
      .map { key in
        let rows = (grouped[key] ?? []).map { ($0.metric.id, $0) }
        return PhaseFigures(
          cell: key.cell, phase: key.phase, rows: Dictionary(rows) { first, _ in first })
      }
  }

  private struct Key: Hashable {
    var cell: Cell
    var phase: String
  }

  /// A metric's median, scaled; of a time that cannot be told from the clock's own cost, only that
  /// it is less than what can.
  func text(_ metric: Metric) -> String {
    guard let row = rows[metric.id], let p50 = row.summary?.p50 else { return TextTable.unknown }
    if let bound = peakBound(metric, p50) { return "≤ " + Wording.value(bound, row.metric.unit) }
    return Wording.value(p50, row.metric.unit, leastTellable: row.leastTellable)
  }

  /// What a small peak cannot have been above: what was allocated and freed between two of jemalloc's
  /// looks is not seen, so that it may read 0.
  private func peakBound(_ metric: Metric, _ peak: Double) -> Double? {
    guard metric.id == Metric.peakHeapBytes.id, peak < Metric.peakHeapResolution,
      let allocated = rows[Metric.allocatedBytes.id]?.summary?.p50, allocated > peak
    else { return nil }
    return min(peak + Metric.peakHeapResolution, allocated)
  }

  /// How far wall time may be off; unknown where it is mostly the clock's own cost.
  var precision: String {
    tellable?.summary?.relativeWidth.map(Wording.precision) ?? TextTable.unknown
  }

  /// Wall time as a multiple of its floor; unknown where either is mostly the clock's own cost.
  var floorMultiple: String {
    guard let row = tellable, row.isFloorTellable, let ratio = row.floorRatio else {
      return TextTable.unknown
    }
    return Wording.multiple(ratio)
  }

  /// How the phase was done; unknown where there is but one way.
  var route: String {
    rows.values.lazy.compactMap(\.series.route).first ?? TextTable.unknown
  }

  private var tellable: ReportRow? {
    rows[Metric.wall.id].flatMap { $0.isTiny ? nil : $0 }
  }
}

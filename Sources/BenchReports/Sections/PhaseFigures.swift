import BenchAnalysis
import BenchResults

/// The rows of one phase of one cell, by metric.
struct PhaseFigures {
  let cell: Cell
  let phase: String
  private let rows: [String: ReportRow]

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

  /// A metric's median, scaled.
  func text(_ metric: Metric) -> String {
    guard let row = rows[metric.id], let p50 = row.summary?.p50 else { return TextTable.unknown }
    return Wording.value(p50, row.metric.unit)
  }

  /// The width of the median's interval, of wall time.
  var precision: String {
    rows[Metric.wall.id]?.summary?.relativeWidth.map { "±" + Wording.percent($0) }
      ?? TextTable.unknown
  }

  /// Wall time as a multiple of its floor.
  var floorMultiple: String {
    rows[Metric.wall.id]?.floorRatio.map { Wording.multiple($0) } ?? TextTable.unknown
  }
}

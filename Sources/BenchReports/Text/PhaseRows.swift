import BenchAnalysis
import BenchResults

extension Report {
  /// Every row that has a figure, each once, in the report's order; floors and control included.
  var figureRows: [ReportRow] {
    var seen: Set<Series.Key> = []
    return rows.filter { row in
      row.summary?.p50.finite != nil && seen.insert(row.series.key).inserted
    }
  }
}

/// The rows with figures of one phase of one cell.
struct PhaseRows {
  var cell: Cell
  var phase: String
  var rows: [ReportRow]

  /// Every phase, in order of first occurrence.
  static func all(_ rows: [ReportRow]) -> [PhaseRows] {
    var phases: [PhaseRows] = []
    var places: [Key: Int] = [:]
    for row in rows {
      let key = Key(cell: row.cell, phase: row.phase)
      if let place = places[key] {
        phases[place].rows.append(row)
      } else {
        places[key] = phases.count
        phases.append(PhaseRows(cell: row.cell, phase: row.phase, rows: [row]))
      }
    }
    return phases
  }

  private struct Key: Hashable {
    var cell: Cell
    var phase: String
  }
}

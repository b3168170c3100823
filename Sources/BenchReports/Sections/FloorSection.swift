import BenchAnalysis
import BenchResults

/// What the work cannot cost less than, and the control, apart from the backends' own phases.
enum FloorSection {
  /// A table of the group's floors and controls.
  static func parts(_ group: ReportGroup) -> [Part] {
    let phases = PhaseFigures.all(group.rows.filter { !$0.series.isJudged })
    guard !phases.isEmpty else { return [] }
    let table = TextTable(
      columns: [
        .text("backend", shrinksTo: 16), .text("floor", shrinksTo: 16), .number("time"),
        .number("±"),
      ],
      rows: phases.map { [$0.cell.backend, $0.phase, $0.text(.wall), $0.precision] })
    return [.table(table)]
  }
}

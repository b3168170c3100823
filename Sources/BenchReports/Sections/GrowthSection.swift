import BenchAnalysis
import BenchResults

/// How large a store becomes while revisions are stored over each other.
enum GrowthSection {
  /// A table of stored sizes, where there are several of one store.
  static func parts(_ group: ReportGroup) -> [Part] {
    let rows = group.rows.filter { $0.metric.id == Metric.storedBytes.id && $0.summary != nil }
    guard rows.contains(where: { isGrowth($0.series) }) else { return [] }
    let table = TextTable(
      columns: [
        .text("backend", shrinksTo: 10), .text("phase", shrinksTo: 12), .number("first"),
        .number("last"), .number("most"),
      ],
      rows: rows.map { row in
        let values = row.series.blocks.first { !$0.isEmpty } ?? []
        let first = isGrowth(row.series) ? values.first : nil
        return [row.cell.backend, row.phase]
          + [first, values.last, row.summary?.max].map { bytes in
            bytes.map { Wording.value($0, .bytes) } ?? TextTable.unknown
          }
      }, isGrouped: true)
    return [
      .table(table),
      .paragraph("bytes of every file of the store: after the first revision, the last, at most"),
    ]
  }

  private static func isGrowth(_ series: Series) -> Bool {
    series.blocks.contains { $0.count > 1 }
  }
}

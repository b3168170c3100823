import BenchAnalysis
import BenchResults

/// What each storage costs, for somebody who must choose one.
enum GlanceSection {
  /// A table of the group's backends, those that failed included.
  static func parts(_ group: ReportGroup, failures: [Failure]) -> [Part] {
    let rows = group.glance.filter { $0.save != nil || $0.load != nil || $0.stored != nil }
    let failed = failures.map(\.cell).filter {
      $0.menu == group.menu && $0.workload == group.workload && $0.durability == group.durability
    }
    guard !rows.isEmpty || !failed.isEmpty else { return [] }
    let table = TextTable(
      columns: [
        .text("backend", shrinksTo: 16), .number("save"), .number("× best"), .number("load"),
        .number("× best"), .number("stored"), .number("× best"), .text("", isOptional: true),
      ],
      rows: rows.map { row in
        [row.backend] + figure(row.save, .nanoseconds) + figure(row.load, .nanoseconds)
          + figure(row.stored, .bytes) + [""]
      } + failed.map { [$0.backend] + Array(repeating: TextTable.unknown, count: 6) + ["failed"] })
    return [
      .table(table),
      .paragraph(
        "save: encode and write; load: read and decode; × best: multiple of the best that stores"
          + " anything"),
    ]
  }

  private static func figure(_ figure: GlanceRow.Figure?, _ unit: Unit) -> [String] {
    guard let figure else { return [TextTable.unknown, TextTable.unknown] }
    return [
      Wording.value(figure.summary.p50, unit),
      figure.multiple.map { $0 == 1 ? "best" : Wording.multiple($0) } ?? TextTable.unknown,
    ]
  }
}

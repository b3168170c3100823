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
    // Of one alone it would say `best` and nothing else.
    let hasRivals = rows.count { $0.stored?.multiple != nil } > 1
    let table = TextTable(
      columns: [.text("backend", shrinksTo: 16)]
        + ["save", "load", "stored"].flatMap { title in
          [.number(title, isOptional: true), .number("× best", isOptional: true)]
        } + [.text("", isOptional: true)],
      rows: rows.map { row in
        [row.backend] + figure(row.save, .nanoseconds, hasRivals)
          + figure(row.load, .nanoseconds, hasRivals) + figure(row.stored, .bytes, hasRivals) + [""]
      } + failed.map { [$0.backend] + Array(repeating: TextTable.unknown, count: 6) + ["failed"] })
    let legend = legend(Set(table.columns.map(\.title)), hasRivals)
    return [.table(table)] + (legend.isEmpty ? [] : [.paragraph(legend)])
  }

  /// What the columns mean, of those that there are.
  private static func legend(_ titles: Set<String>, _ hasRivals: Bool) -> String {
    let meanings = [
      ("save", "save: encode and write"), ("load", "load: read and decode"),
      ("× best", hasRivals ? "× best: multiple of the best that keeps anything" : nil),
    ]
    return meanings.filter { titles.contains($0.0) }.compactMap(\.1).joined(separator: "; ")
  }

  private static func figure(
    _ figure: GlanceRow.Figure?, _ unit: Unit, _ hasRivals: Bool
  ) -> [String] {
    guard let figure else { return [TextTable.unknown, TextTable.unknown] }
    let multiple = hasRivals && !figure.isTiny ? figure.multiple : nil
    return [
      Wording.value(figure.summary.p50, unit, leastTellable: figure.leastTellable),
      multiple.map { $0 == 1 ? "best" : Wording.multiple($0) } ?? TextTable.unknown,
    ]
  }
}

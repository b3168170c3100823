import BenchAnalysis
import BenchResults

/// Where the cost lies: one line a backend and phase.
enum DetailSection {
  /// The metrics that follow wall time; the glance has the stored size.
  private static let columns = Metric.titled.filter {
    $0.metric != .wall && $0.metric != .storedBytes
  }

  /// A table of the group's phases, floors and control left out.
  static func parts(_ group: ReportGroup) -> [Part] {
    let phases = PhaseFigures.all(group.rows.filter(\.series.isJudged))
    guard !phases.isEmpty else { return [] }
    let isTimed = phases.contains { $0.text(.wall) != TextTable.unknown }
    // A run's table is the same however few blocks it has; a comparison shows what it knows.
    let isOptional = !isTimed || group.rows.contains { $0.comparison != nil }
    let table = TextTable(
      columns: [
        .text("backend", shrinksTo: 10), .text("phase", shrinksTo: 12),
        .number("time", isOptional: isOptional), .number("±", isOptional: isOptional),
        .number("× floor", isOptional: isOptional), .text("route", isOptional: true),
      ] + columns.map { .number($0.title, isOptional: true) },
      rows: phases.map { phase in
        [
          phase.cell.backend, phase.phase, phase.text(.wall), phase.precision, phase.floorMultiple,
          phase.route,
        ] + columns.map { phase.text($0.metric) }
      }, isGrouped: true)
    let words = table.columns.map(\.title) + phases.map(\.route)
    return [.table(table), .paragraph(legend(Set(words)))]
  }

  /// What the columns and routes mean, of those that there are.
  private static func legend(_ words: Set<String>) -> String {
    let interval = words.contains("±") ? ", ± its 95 % interval" : ""
    let meanings = [
      ("time", "time: median of block medians\(interval)"),
      ("× floor", "× floor: multiple of the floor in the next table"),
      ("route", "route: the backend's own to a part of the menu, or the whole menu read for it"),
      ("in turns", "in turns: readers and the writer share one handle"),
      ("cpu", "cpu: of all threads"), ("peak", "peak: most heap bytes at once"),
      ("torn", "torn: reads that were of no one revision"),
      ("persistence", "persistence: the share of the time that storing and reading back took"),
    ]
    let texts = meanings.filter { words.contains($0.0) }.map(\.1) + ["—: unknown or none"]
    return texts.joined(separator: "; ")
  }
}

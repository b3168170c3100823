import Basics
import BenchAnalysis
import BenchResults

/// What each backend costs, for somebody who must choose one.
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

/// Where the cost lies: one line a backend and phase.
enum DetailSection {
  /// The metrics that follow wall time; the glance has the stored size.
  private static let metrics = Metric.titles.filter {
    $0.metric != .wall && $0.metric != .storedBytes
  }

  /// A table of the group's phases, floors and control left out.
  static func parts(_ group: ReportGroup) -> [Part] {
    let phases = PhaseRows.all(group.rows.filter { $0.series.isJudged && $0.summary != nil })
    guard !phases.isEmpty else { return [] }
    let isTimed = phases.contains { $0[.wall] != nil }
    // A run's table is the same however few blocks it has; a comparison shows what it knows.
    let isOptional = !isTimed || group.rows.contains { $0.comparison != nil }
    let figures = ReportColumn.all.compactMap(\.phases).map { figure in
      (figure.column.optional(isOptional), figure.text)
    }
    let table = TextTable(
      columns: [.text("backend", shrinksTo: 10), .text("phase", shrinksTo: 12)]
        + figures.map(\.0) + metrics.map { .number($0.title, isOptional: true) },
      rows: phases.map { phase in
        let texts = figures.map { $0.1(phase) } + metrics.map { phase.text($0.metric) }
        return [phase.cell.backend, phase.phase] + texts.map { $0 ?? TextTable.unknown }
      }, isGrouped: true)
    let words = table.columns.map(\.title) + phases.compactMap(\.route)
    return [.table(table), .paragraph(states(phases) + legend(Set(words)))]
  }

  /// In which state of the caches phases read, where some do cold: they know how cold it was.
  private static func states(_ phases: [PhaseRows]) -> String {
    let cold = phases.filter { $0[.residentShare] != nil }.map(\.phase).distinct
    guard !cold.isEmpty else { return "" }
    return "cold: \(cold.joined(separator: ", ")), from opening the store in a fresh process, its"
      + " files out of the page cache; every other reading is warm: the store is open and in use; "
  }

  /// What the columns and routes mean, of those that there are.
  private static func legend(_ words: Set<String>) -> String {
    let interval = words.contains("±") ? ", ± its 95 % interval" : ""
    let meanings: [(String, String?)] =
      [("time", "time: median of block medians\(interval)")]
      + ReportColumn.all.compactMap { column in
        column.phases.map { ($0.column.title, column.legend) }
      } + [("in turns", "in turns: readers and the writer share one handle")]
      + metrics.map { metric in (metric.title, metric.meaning.map { "\(metric.title): \($0)" }) }
    let texts = meanings.filter { words.contains($0.0) }.compactMap(\.1)
    return (texts + ["—: unknown or none"]).joined(separator: "; ")
  }
}

/// What the work cannot cost less than, and the control, apart from the backends' own phases.
enum FloorSection {
  private static let general = ["floor-copy", "floor-write", "floor-read"]
  private static let parts = ["floor-part", "floor-mapped-part"]

  /// A table of the group's floors and controls, one line a backend.
  static func parts(_ group: ReportGroup) -> [Part] {
    let figures = PhaseRows.all(
      group.rows.filter {
        !$0.series.isJudged && $0.metric.id == Metric.wall.id && $0.summary != nil
      })
    guard !figures.isEmpty else { return [] }
    let phases = ordered(figures.map(\.phase).distinct)
    let backends = figures.map(\.cell.backend).distinct
    let times = Dictionary(grouping: figures, by: \.cell.backend)
    let table = TextTable(
      columns: [.text("backend", shrinksTo: 16)]
        + phases.map { .number(title($0), isOptional: true) },
      rows: backends.map { backend in
        [backend]
          + phases.map { phase in
            times[backend]?.first { $0.phase == phase }?.text(.wall) ?? TextTable.unknown
          }
      })
    return [.table(table), .paragraph(legend(phases))]
  }

  /// The floors of any backend, then those of some, and the control last.
  private static func ordered(_ phases: [String]) -> [String] {
    (general + parts).filter(phases.contains) + native(phases)
      + phases.filter { $0 == Series.controlPhase }
  }

  /// The floors of single backends.
  private static func native(_ phases: [String]) -> [String] {
    phases.filter { !(general + parts).contains($0) && $0 != Series.controlPhase }
  }

  private static func title(_ phase: String) -> String {
    phase.hasPrefix("floor-") ? String(phase.dropFirst("floor-".count)) : phase
  }

  private static func legend(_ phases: [String]) -> String {
    var explained: [String] = []
    if phases.contains(where: general.contains) {
      explained.append("floors: copy (of encode and decode), write and read: the bytes alone")
    }
    if phases.contains(where: parts.contains) {
      explained.append(
        "part: reading as many bytes as the phase takes from its mapped file, out of a file of"
          + " nothing else; mapped-part: the same by mapping that file")
    }
    let names = native(phases).map(title)
    if !names.isEmpty {
      explained.append(
        "\(names.joined(separator: ", ")): the same rows by the backend's leanest route, where it"
          + " has one")
    }
    if phases.contains(Series.controlPhase) {
      explained.append("control: fixed work, which moves with the machine alone")
    }
    return explained.joined(separator: "; ")
  }
}

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

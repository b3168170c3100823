import Basics
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

/// What the work cannot cost less than, and the control, apart from the backends' own phases.
enum FloorSection {
  private static let general = ["floor-copy", "floor-write", "floor-read"]
  private static let parts = ["floor-part", "floor-mapped-part"]

  /// A table of the group's floors and controls, one line a backend.
  static func parts(_ group: ReportGroup) -> [Part] {
    let figures = PhaseFigures.all(
      group.rows.filter { !$0.series.isJudged && $0.metric.id == Metric.wall.id })
    guard !figures.isEmpty else { return [] }
    let phases = ordered(figures.map(\.phase).distinct)
    let backends = figures.map(\.backend).distinct
    let times = Dictionary(grouping: figures, by: \.backend)
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
        "\(names.joined(separator: ", ")): the same rows by the storage's leanest route, where it"
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

extension Metric {
  /// The metrics in the order in which tables have room for them, the most telling first, each with
  /// a title short enough for a column.
  static let titled: [(metric: Metric, title: String)] = [
    (.wall, "time"), (.cpu, "cpu"), (.allocations, "allocs"), (.allocatedBytes, "allocated"),
    (.peakHeapBytes, "peak"), (.writtenBytes, "written"), (.readBytes, "read"),
    (.payloadBytes, "payload"), (.storedBytes, "stored"), (.peakRSSBytes, "rss"),
    (.pageFaults, "faults"), (.writeCalls, "writes"), (.readCalls, "reads"),
    (.instructions, "instructions"), (.persistenceShare, "persistence"), (.tornReads, "torn"),
    (.missedFrames, "missed"),
  ]

  /// The short title; the id of a metric that this program does not know.
  var title: String { Self.titled.first { $0.metric.id == id }?.title ?? id }
}

import Basics
import BenchAnalysis
import BenchResults

/// The costs of each backend, for readers who must choose one.
struct GlanceSection {
  /// The number of costs in front of the stored size. The others follow it, if there is room.
  private static let first = 2

  private let group: ReportGroup
  private let failed: [Cell]
  private let rows: [CostRow]
  /// Whether there are several to compare: a single one would always be the best.
  private let isCompared: Bool

  init(_ group: ReportGroup, failures: [Failure]) {
    self.group = group
    rows = group.overview.filter { !$0.costs.isEmpty || !$0.withheld.isEmpty || $0.stored != nil }
    failed = failures.map(\.cell).filter {
      $0.menu == group.menu && $0.workload == group.workload && $0.durability == group.durability
    }
    isCompared = rows.count { group.reference != nil || $0.isRival } > 1
  }

  /// A table of the group's backends, including those that failed.
  var parts: [Part] {
    guard !rows.isEmpty || !failed.isEmpty else { return [] }
    let costs = group.costs.map(cost)
    let blocks = costs.prefix(Self.first) + [stored] + costs.dropFirst(Self.first)
    let table = Table(
      columns: [.id("backend")] + blocks.flatMap(\.columns),
      rows: rows.map { row in
        [Table.Cell(row.backend, link: "phases")] + blocks.flatMap { $0.cells(row) }
      }
        + failed.map { cell in
          let unknown = blocks.flatMap(\.columns).dropFirst().map { _ in Table.Cell.unknown }
          return [Table.Cell(cell.backend, link: "phases"), "failed"] + unknown
        }, whole: nil)
    let names =
      group.costs.compactMap { CostText.legend($0.name, $0.phases) }
      + (rows.contains { !$0.withheld.isEmpty }
        ? [
          "\(Self.withheld): one of its phases takes less than possible, so no backend is best"
        ]
        : [])
      + (isCompared && rows.contains { $0.costs.values.contains(where: \.isHeld) }
        ? ["\(Self.held): read from the process's memory, not from the store, so without multiple"]
        : [])
    let hasFew = rows.contains { $0.costs.values.contains { $0.hasFewBlocks } }
    return [.table(table)]
      + CostText.legend(names, of: table, hasFew: hasFew, reference: group.reference)
      + CostText.notes(rows.map(\.info))
  }

  /// The columns of one figure. If space is short, later figures are dropped first.
  private typealias Block = (columns: [Table.Column], cells: (CostRow) -> [Table.Cell])

  /// Makes a figure's column, and those that add to it.
  private static func columns(_ title: String, _ more: String...) -> [Table.Column] {
    [.number(title, isOptional: true)]
      + more.map { .number($0, isOptional: true, isMore: true) }
  }

  private func cost(_ cost: WorkloadInfo.Cost) -> Block {
    let cells = { (row: CostRow) -> [Table.Cell] in
      let figure = row.costs[cost.name]
      return row.withheld.contains(cost.name)
        ? [Table.Cell(Self.withheld), .unknown, .unknown]
        : [value(figure, .nanoseconds), precision(figure), multiple(figure)]
    }
    return (Self.columns(cost.name, "±", times), cells)
  }

  private var stored: Block {
    (Self.columns("stored", times), { [value($0.stored, .bytes), multiple($0.stored)] })
  }

  /// The title of multiples: `× best`, or `× json`.
  private var times: String { "× \(group.reference ?? "best")" }

  /// Replaces the multiple of a cost in which the store has no part.
  private static let held = "held"

  /// Replaces a cost that cannot be true.
  private static let withheld = "below floor"

  /// Returns how far a time may be off; with too few blocks for that, the number of blocks.
  private func precision(_ figure: CostFigure?) -> Table.Cell {
    guard let figure, !figure.isUnresolved, figure.value > 0 else { return .unknown }
    let width = figure.relativeWidth
    return Table.Cell(width.map(Wording.precision) ?? "n = \(figure.blocks.count)", width)
  }

  private func value(_ figure: CostFigure?, _ unit: Unit) -> Table.Cell {
    Table.Cell(figure.map { CostText.value($0, unit) }, figure?.value)
  }

  private func multiple(_ figure: CostFigure?) -> Table.Cell {
    guard let figure, isCompared else { return .unknown }
    if figure.isHeld { return Table.Cell(Self.held) }
    return figure.isUnresolved ? .unknown : CostText.multiple(figure, of: group.reference)
  }
}

/// The costs of the phases: one line per backend and phase.
enum DetailSection {
  /// The metrics that follow wall time. The first table has the stored size.
  private static let metrics = Metric.titles.map(\.metric).filter {
    $0 != .wall && $0 != .storedBytes
  }

  /// Returns a table of the group's phases, without floors and the control.
  static func parts(_ group: ReportGroup) -> [Part] {
    let phases = phases(group)
    guard !phases.isEmpty else { return [] }
    // The run of a newer program may have metrics without a title here.
    let known = Set(Metric.titles.map(\.metric.id))
    let unknown = phases.flatMap(\.rows).map(\.metric).filter { !known.contains($0.id) }
    let metrics = metrics + unknown.distinct
    let isTimed = phases.contains { $0[.wall] != nil }
    // A run's table is the same for any number of blocks. A comparison shows what it knows.
    let isOptional = !isTimed || group.rows.contains { $0.comparison != nil }
    let table = Table(
      columns: [.id("backend"), .id("phase")]
        + ["time", "±", "× floor"].map { .number($0, isOptional: isOptional) }
        + [.text("route", isOptional: true)]
        + metrics.map { .number($0.title, isOptional: true) },
      rows: phases.map { phase in
        [
          Table.Cell(phase.cell.backend, link: "phases"), Table.Cell(phase.phase),
          phase.cell(.wall), phase.precision, phase.floorMultiple, Table.Cell(phase.route),
        ] + metrics.map { phase.cell($0) }
      }, isGrouped: true)
    let marks = phases.contains { $0[.wall]?.floor?.isError ?? false } ? [PhaseRows.belowFloor] : []
    let isBound = table.rows.joined().contains { CostText.isBound($0.text) }
    let words =
      table.columns.map(\.title) + phases.compactMap(\.route) + marks + (isBound ? ["<"] : [])
    return [.table(table), .paragraph(states(phases) + legend(Set(words)))] + explanations(group)
  }

  /// Describes the caches if some phases read cold. Those phases know how cold it was.
  private static func states(_ phases: [PhaseRows]) -> String {
    let cold = phases.filter { $0[.residentShare] != nil }.map(\.phase).distinct
    guard !cold.isEmpty else { return "" }
    return "cold: \(cold.joined(separator: ", ")), from opening the store in a fresh process, with"
      + " its files not in the page cache; all other readings have the store's pages in memory; "
  }

  private static func phases(_ group: ReportGroup) -> [PhaseRows] {
    PhaseRows.all(group.rows.filter { $0.series.isJudged && $0.summary != nil })
  }

  /// Returns why phases are below their floors, if the backends explain it.
  static func explanations(_ group: ReportGroup) -> [Part] {
    let items = phases(group).compactMap { phase -> String? in
      guard let floor = phase[.wall]?.floor, floor.isBelow, let words = floor.explanation else {
        return nil
      }
      return "\(phase.cell.backend) \(phase.phase) is below its floor: \(words)"
    }
    return items.isEmpty ? [] : [.list(items.distinct)]
  }

  /// Explains the columns and routes that are present.
  private static func legend(_ words: Set<String>) -> String {
    let interval = words.contains("±") ? ", ± its 95 % interval" : ""
    let meanings: [(String, String?)] =
      [
        ("time", "time: median of block medians\(interval)"),
        ("× floor", "× floor: multiple of the floor in the next table"),
        (
          "route",
          "route: how it gets a part of the menu: natively, from the whole menu, or from what"
            + " the process holds"
        ),
        (
          PhaseRows.belowFloor,
          "\(PhaseRows.belowFloor): below its floor, so it cannot be true"
        ), ("in turns", "in turns: readers and the writer share one handle"), ("<", CostText.bound),
      ]
      + Metric.titles.map { title in (title.title, title.meaning.map { "\(title.title): \($0)" }) }
    let texts = meanings.filter { words.contains($0.0) }.compactMap(\.1)
    return (texts + ["—: unknown or none"]).joined(separator: "; ")
  }
}

/// The least that the work can cost, and the control, apart from the backends' own phases.
enum FloorSection {
  private static let usual = ["floor-copy", "floor-write", "floor-read"]

  /// Returns a table of the group's floors and controls, one line per backend.
  static func parts(_ group: ReportGroup) -> [Part] {
    let figures = PhaseRows.all(
      group.rows.filter {
        !$0.series.isJudged && $0.metric.id == Metric.wall.id && $0.summary != nil
      })
    guard !figures.isEmpty else { return [] }
    let phases = figures.map(\.phase).distinct
    let floors = (usual + phases).distinct.filter {
      phases.contains($0) && $0 != Series.controlPhase
    }
    let control = phases.filter { $0 == Series.controlPhase }
    let table = Table(
      columns: [.id("backend")] + (floors + control).map { .number(title($0)) },
      rows: figures.grouped(by: \.cell.backend).map { backend, times in
        [Table.Cell(backend, link: "phases")]
          + (floors + control).map { phase in
            guard let floor = times.first(where: { $0.phase == phase }) else { return .unknown }
            // The median, and how far it may be off.
            let time = floor.cell(.wall)
            return Table.Cell(time.text + " " + CostText.padded(floor.precision.text), time.value)
          }
      }, whole: nil)
    let legend =
      (floors.isEmpty
        ? [] : ["floors: copy (for encode and decode), write and read the bytes alone"])
      + (control.isEmpty ? [] : ["control: fixed work, which only changes with the machine"])
    return [.table(table), .paragraph(legend.joined(separator: "; "))]
  }

  private static func title(_ phase: String) -> String {
    phase.hasPrefix("floor-") ? String(phase.dropFirst("floor-".count)) : phase
  }
}

/// How files grew while revisions replaced each other.
enum GrowthSection {
  /// Returns nothing if no store was looked at more than once.
  static func parts(_ group: ReportGroup) -> [Part] {
    let metrics = [Metric.storedPeakBytes.id, Metric.storedBytes.id]
    let stores = PhaseRows.all(
      group.rows.filter {
        metrics.contains($0.metric.id) && $0.series.isJudged && $0.summary != nil
      }
    ).map { phase in
      // The sizes in order of time, from the first block that has any.
      (phase, sizes: phase[.storedPeakBytes]?.series.blocks.first { !$0.isEmpty } ?? [])
    }
    guard stores.contains(where: { $0.sizes.count > 1 }) else { return [] }
    let table = Table(
      columns: [.id("backend"), .id("phase")]
        + ["first", "last", "most", "at rest"].map { .number($0) },
      rows: stores.map { phase, sizes in
        let ends = sizes.count > 1 ? [sizes.first, sizes.last] : [nil, nil]
        let most = phase[.storedPeakBytes]?.summary?.max
        return [Table.Cell(phase.cell.backend, link: "phases"), Table.Cell(phase.phase)]
          + (ends + [most, phase[.storedBytes]?.summary?.p50]).map { .value($0, .bytes) }
      }, isGrouped: true)
    return [
      .table(table),
      .paragraph(
        "bytes of all files of the store in use: after the first revision, the last, at most; "
          + "at rest: after it is closed"),
    ]
  }
}

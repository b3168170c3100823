import Basics
import BenchAnalysis
import BenchResults

/// What each backend costs, for somebody who must choose one.
struct GlanceSection {
  /// How many costs stand before what is stored; the others follow it, where there is room.
  private static let first = 2

  private let group: ReportGroup
  private let failed: [Cell]
  private let rows: [CostRow]
  /// Whether there is more than one to choose from: of one alone it would say `best` and nothing else.
  private let hasRivals: Bool

  private init(_ group: ReportGroup, _ failures: [Failure]) {
    self.group = group
    rows = group.glance.filter { !$0.costs.isEmpty || !$0.withheld.isEmpty || $0.stored != nil }
    failed = failures.map(\.cell).filter {
      $0.menu == group.menu && $0.workload == group.workload && $0.durability == group.durability
    }
    hasRivals = rows.count(where: \.isRival) > 1
  }

  /// A table of the group's backends, those that failed included.
  static func parts(_ group: ReportGroup, failures: [Failure]) -> [Part] {
    let section = GlanceSection(group, failures)
    return section.rows.isEmpty && section.failed.isEmpty ? [] : section.parts
  }

  private var parts: [Part] {
    let costs = group.costs.map(cost)
    let blocks = costs.prefix(Self.first) + [stored] + costs.dropFirst(Self.first)
    var table = TextTable(
      columns: [.id("backend")] + blocks.flatMap(\.columns),
      rows: rows.map { row in [row.backend] + blocks.flatMap { $0.texts(row) } }
        + failed.map { cell in
          let unknown = blocks.flatMap(\.columns).dropFirst().map { _ in TextTable.unknown }
          return [cell.backend, "failed"] + unknown
        }, whole: nil)
    table.bars = bars
    let legend =
      group.costs.compactMap { CostText.legend($0.name, $0.phases) }
      + (rows.contains { !$0.withheld.isEmpty }
        ? [
          "\(Self.withheld): a phase of it takes less than the least possible, so that nobody is best"
        ]
        : [])
      + (hasRivals && rows.contains { $0.costs.values.contains(where: \.isHeld) }
        ? ["\(Self.held): of what the process holds, its store is not read; no multiple is of it"]
        : [])
      + CostText.signs(
        in: table,
        hasFew: rows.contains { $0.costs.values.contains { $0.hasFewBlocks } })
    return [.table(table)] + (legend.isEmpty ? [] : [.paragraph(legend.joined(separator: "; "))])
  }

  /// What each backend's first costs come to, beside the most; none where one lacks them.
  private var bars: (title: String, parts: [Double])? {
    let names = group.costs.prefix(Self.first).map(\.name)
    let sums = rows.map { row in
      names.reduce(0.0) { $0 + (row.costs[$1]?.value ?? .nan) }
    }
    guard hasRivals, failed.isEmpty, !names.isEmpty, let most = sums.max(), most > 0,
      sums.allSatisfy(\.isFinite)
    else { return nil }
    return (names.joined(separator: " + "), sums.map { $0 / most })
  }

  /// The columns of one figure, each of which gives way to those before it.
  private struct Block {
    var columns: [TextTable.Column]
    var texts: (CostRow) -> [String]
  }

  /// A figure's column, and those that say more of it.
  private static func columns(_ title: String, _ more: String...) -> [TextTable.Column] {
    [.number(title, isOptional: true)]
      + more.map {
        var column = TextTable.Column.number($0, isOptional: true)
        column.isMore = true
        return column
      }
  }

  private func cost(_ cost: WorkloadInfo.Cost) -> Block {
    Block(columns: Self.columns(cost.name, "±", "× best")) { row in
      let figure = row.costs[cost.name]
      if row.withheld.contains(cost.name) {
        return [Self.withheld, TextTable.unknown, TextTable.unknown]
      }
      return [value(figure, .nanoseconds), precision(figure), multiple(figure)]
    }
  }

  private var stored: Block {
    Block(columns: Self.columns("stored", "× best")) { row in
      [value(row.stored, .bytes), multiple(row.stored)]
    }
  }

  /// What stands for the multiple of a cost that no store has a part in.
  private static let held = "held"

  /// What stands in the place of a cost that cannot be true.
  private static let withheld = "below floor"

  /// How far a time may be off; of too few blocks to know, how many there are.
  private func precision(_ figure: CostFigure?) -> String {
    guard let figure, !figure.isTiny, figure.value > 0 else { return TextTable.unknown }
    return figure.relativeWidth.map(Wording.precision)
      ?? "n = \(figure.blocks.count)"
  }

  private func value(_ figure: CostFigure?, _ unit: Unit) -> String {
    figure.map { Wording.value($0.value, unit, leastTellable: $0.leastTellable) }
      ?? TextTable.unknown
  }

  private func multiple(_ figure: CostFigure?) -> String {
    guard let figure, hasRivals else { return TextTable.unknown }
    if figure.isHeld { return Self.held }
    return figure.isTiny ? TextTable.unknown : CostText.multiple(figure)
  }
}

/// Where the cost lies: one line a backend and phase.
enum DetailSection {
  /// The metrics that follow wall time; the glance has the stored size.
  private static let metrics = Metric.titles.map(\.metric).filter {
    $0 != .wall && $0 != .storedBytes
  }

  /// A table of the group's phases, floors and control left out.
  static func parts(_ group: ReportGroup) -> [Part] {
    let phases = phases(group)
    guard !phases.isEmpty else { return [] }
    let metrics = metrics + unknown(phases)
    let isTimed = phases.contains { $0[.wall] != nil }
    // A run's table is the same however few blocks it has; a comparison shows what it knows.
    let isOptional = !isTimed || group.rows.contains { $0.comparison != nil }
    let figures = ReportColumn.all.compactMap(\.phases).map { figure in
      (figure.column.optional(isOptional), figure.text)
    }
    let table = TextTable(
      columns: [.id("backend"), .id("phase")]
        + figures.map(\.0) + metrics.map { .number($0.title, isOptional: true) },
      rows: phases.map { phase in
        let texts = figures.map { $0.1(phase) } + metrics.map { phase.text($0) }
        return [phase.cell.backend, phase.phase] + texts.map { $0 ?? TextTable.unknown }
      }, isGrouped: true)
    let marks = phases.contains { $0[.wall]?.floor?.isError ?? false } ? [PhaseRows.belowFloor] : []
    let words = table.columns.map(\.title) + phases.compactMap(\.route) + marks
    return [.table(table), .paragraph(states(phases) + legend(Set(words)))] + explanations(phases)
  }

  /// In which state of the caches phases read, where some do cold: they know how cold it was.
  private static func states(_ phases: [PhaseRows]) -> String {
    let cold = phases.filter { $0[.residentShare] != nil }.map(\.phase).distinct
    guard !cold.isEmpty else { return "" }
    return "cold: \(cold.joined(separator: ", ")), from opening the store in a fresh process, its"
      + " files out of the page cache; every other reading has the store's pages in memory; "
  }

  /// The metrics of rows that this program has no title for, as of a newer one's run.
  private static func unknown(_ phases: [PhaseRows]) -> [Metric] {
    let known = Set(Metric.titles.map(\.metric.id))
    return phases.flatMap(\.rows).map(\.metric).filter { !known.contains($0.id) }.distinct
  }

  /// Why phases are below their floors, of a page without the table.
  static func explanations(_ group: ReportGroup) -> [Part] { explanations(phases(group)) }

  private static func phases(_ group: ReportGroup) -> [PhaseRows] {
    PhaseRows.all(group.rows.filter { $0.series.isJudged && $0.summary != nil })
  }

  /// Why phases are below their floors, where the backends say it.
  private static func explanations(_ phases: [PhaseRows]) -> [Part] {
    let items = phases.compactMap { phase -> String? in
      guard let floor = phase[.wall]?.floor, floor.isBelow, let words = floor.explanation else {
        return nil
      }
      return "\(phase.cell.backend) \(phase.phase) is below its floor: \(words)"
    }
    return items.isEmpty ? [] : [.list(items.distinct)]
  }

  /// What the columns and routes mean, of those that there are.
  private static func legend(_ words: Set<String>) -> String {
    let interval = words.contains("±") ? ", ± its 95 % interval" : ""
    let meanings: [(String, String?)] =
      [("time", "time: median of block medians\(interval)")]
      + ReportColumn.all.compactMap { column in
        column.phases.map { ($0.column.title, column.legend) }
      } + [
        (
          PhaseRows.belowFloor,
          "\(PhaseRows.belowFloor): below its floor, so that it cannot be true"
        ), ("in turns", "in turns: readers and the writer share one handle"),
      ]
      + Metric.titles.map { title in (title.title, title.meaning.map { "\(title.title): \($0)" }) }
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
      columns: [.id("backend")] + phases.map { .number(title($0)) },
      rows: backends.map { backend in
        [backend]
          + phases.map { phase in
            text(times[backend]?.first { $0.phase == phase }) ?? TextTable.unknown
          }
      }, whole: nil)
    return [.table(table), .paragraph(legend(phases) + doubts(figures))]
  }

  /// A floor's median and how far it may be off.
  private static func text(_ figure: PhaseRows?) -> String? {
    guard let figure, let text = figure.text(.wall) else { return nil }
    return text + " " + CostText.precision(figure.precision)
  }

  /// Which floors are known too badly for a multiple of them.
  private static func doubts(_ figures: [PhaseRows]) -> String {
    let names = figures.filter { figure in
      !figure.isControl && (figure[.wall]?.summary?.relativeWidth ?? 0) > FloorBound.widest
    }.map { "\($0.cell.backend) \(title($0.phase))" }
    guard !names.isEmpty else { return "" }
    let widest = Wording.precision(FloorBound.widest)
    return "; known no better than \(widest), so that nothing is a multiple of it:"
      + " \(Wording.list(names, most: 8))"
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

/// How large one store became while revisions were stored over each other, by the phase after which it was looked at.
struct StoreGrowth {
  let backend: String
  let phase: String
  /// Bytes of all its files while it was in use, look after look, of the first block that has any.
  let sizes: [Double]
  /// The most of any block while it was in use.
  let most: Double?
  /// Bytes of all its files once it was closed.
  let atRest: Double?

  /// The largest of ``sizes`` over the first, all of one block; nil of none and of a first of nothing.
  var growth: Double? {
    guard let first = sizes.first, first > 0, let most = sizes.max() else { return nil }
    return most / first
  }

  /// Of each storage and phase that has a size, in the group's order.
  static func all(_ group: ReportGroup) -> [StoreGrowth] {
    let metrics = [Metric.storedPeakBytes.id, Metric.storedBytes.id]
    return group.rows.filter {
      metrics.contains($0.metric.id) && $0.series.isJudged && $0.summary != nil
    }.grouped { [$0.cell.backend, $0.phase] }.map { key, rows in
      let used = rows.first { $0.metric.id == Metric.storedPeakBytes.id }
      let closed = rows.first { $0.metric.id == Metric.storedBytes.id }
      return StoreGrowth(
        backend: key[0], phase: key[1],
        sizes: used?.series.blocks.first { !$0.isEmpty } ?? [], most: used?.summary?.max,
        atRest: closed?.summary?.p50)
    }
  }
}

/// The same as a table.
enum GrowthSection {
  /// Nothing where no store was looked at more than once.
  static func parts(_ group: ReportGroup) -> [Part] {
    let stores = StoreGrowth.all(group)
    guard stores.contains(where: { $0.sizes.count > 1 }) else { return [] }
    let table = TextTable(
      columns: [
        .id("backend"), .id("phase"), .number("first"), .number("last"), .number("most"),
        .number("at rest"),
      ],
      rows: stores.map { store in
        let ends = store.sizes.count > 1 ? [store.sizes.first, store.sizes.last] : [nil, nil]
        return [store.backend, store.phase]
          + (ends + [store.most, store.atRest]).map { bytes in
            bytes.map { Wording.value($0, .bytes) } ?? TextTable.unknown
          }
      }, isGrouped: true)
    return [
      .table(table),
      .paragraph(
        "bytes of every file of the store in use: after the first revision, the last, at most; at rest: once it is "
          + "closed"),
    ]
  }
}

import Basics
import BenchAnalysis
import BenchResults

/// What somebody reads who asks how a backend takes to growth: what is worse than linear, by which
/// power everything grows, where the cheaper one changes; then every figure, and how far to trust it.
enum ScaleDocument {
  /// The parts, in order.
  static func parts(of scale: ScaleReport, on medium: Medium) -> [Part] {
    [.headline(headline(scale))] + conclusions(scale) + ExponentSection.parts(scale)
      + CrossoverSection.parts(scale) + CurveSection.parts(scale) + GapSection.parts(scale)
      + (medium == .page ? menus(scale) : []) + ConclusionSection.parts(scale.run, on: medium)
      + FactSection.parts(scale.run)
  }

  private static func headline(_ scale: ScaleReport) -> String {
    guard let low = scale.menus.first?.size, let high = scale.menus.last?.size,
      scale.costs.contains(where: { $0.curves.contains { $0.largeEnd != nil } })
    else { return "Growth takes figures at \(GrowthCurve.fewestSizes) sizes" }
    let range = "from \(Wording.count(low)) to \(Wording.count(high)) \(scale.noun)"
    let worse = scale.conclusions.count { $0.severity == .warning }
    guard worse > 0 else { return "Nothing is shown to grow worse than linearly, \(range)" }
    return "\(Wording.plural(worse, "cost")) \(worse == 1 ? "grows" : "grow") worse than linearly,"
      + " \(range)"
  }

  private static func conclusions(_ scale: ScaleReport) -> [Part] {
    guard !scale.conclusions.isEmpty else { return [] }
    return [.list(scale.conclusions.map { "\($0.severity.rawValue): \($0.text)" })]
  }

  /// The menus by the names with which they can be had again.
  private static func menus(_ scale: ScaleReport) -> [Part] {
    let table = TextTable(
      columns: [.number(scale.noun), .text("menu")],
      rows: scale.menus.map { [Wording.count($0.size), $0.name] })
    let twins = scale.twins.map { "\($0) is left out: another menu is as large" }
    return [.heading("Menus"), .table(table)] + (twins.isEmpty ? [] : [.list(twins)])
  }
}

/// By which power of the menu's size costs grow.
enum ExponentSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    guard scale.menus.count >= GrowthCurve.fewestSizes, !scale.costs.isEmpty else { return [] }
    return [.heading("By which power costs grow"), .table(table(scale)), .paragraph(legend(scale))]
  }

  private static func table(_ scale: ScaleReport) -> TextTable {
    let titles = CostText.titles(scale.costs.map(\.column))
    return TextTable(
      columns: [
        .text("cost", shrinksTo: 12), .text("backend", shrinksTo: 10), .number("all sizes"),
        .number("large end"), .number("10× costs"),
      ],
      rows: zip(scale.costs, titles).flatMap { cost, title in
        cost.curves.map { curve in
          [title, curve.backend]
            + [curve.whole, curve.largeEnd].map { $0.map(Wording.growth) ?? TextTable.unknown }
            + [curve.largeEnd.map { Wording.multiple($0.tenfold) } ?? TextTable.unknown]
        }
      }, isGrouped: true)
  }

  private static func legend(_ scale: ScaleReport) -> String {
    let end = scale.menus.suffix(GrowthCurve.fewestSizes).map { Wording.count($0.size) }
    return "1 is linear: twice the menu costs twice as much; at 2 it costs four times as much. All"
      + " sizes: a line through the logarithms of the medians; its interval, by Student's t at 95 %,"
      + " is wide where they scatter or bend. Large end: of \(end.joined(separator: ", "))"
      + " \(scale.noun) alone, where fixed costs no longer flatten it; its interval is a 95 %"
      + " bootstrap over blocks, and 10× costs is what ten times the menu costs there."
  }
}

/// The figures: a table a cost, a row a size, a column a backend.
enum CurveSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    scale.costs.flatMap { cost in
      [Part.heading(title(cost.column))] + tables(cost, scale.noun) + legend(cost.column)
    }
  }

  private static func title(_ column: CostColumn) -> String {
    let whole = column.name == column.metric.id ? " of \(column.workload)" : ""
    return "\(column.title)\(whole) at durability \(column.durability)"
  }

  private static func tables(_ cost: ScaledCost, _ noun: String) -> [Part] {
    CostText.fitting(cost.curves, titles: cost.curves.map(\.backend), figure: 8, room: 64).map {
      .table(table($0, cost.column, noun))
    }
  }

  private static func table(_ curves: [GrowthCurve], _ column: CostColumn, _ noun: String)
    -> TextTable
  {
    let sizes = curves.first?.points.map(\.size) ?? []
    return TextTable(
      columns: [.number(noun)] + curves.map { .number($0.backend) },
      rows: sizes.indices.map { index in
        [Wording.count(sizes[index])] + curves.map { text($0.points[index].entry, column) }
      })
  }

  private static func text(_ entry: CostEntry, _ column: CostColumn) -> String {
    switch entry {
    case .absent(let lack): lack.word
    case .figure(let figure, _): CostText.value(figure, column)
    }
  }

  private static func legend(_ column: CostColumn) -> [Part] {
    column.name == column.metric.id ? [] : CostSection.legend([column])
  }
}

/// Where the cheaper of two backends changes.
enum CrossoverSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    guard scale.backends.count > 1, scale.menus.count > 1 else { return [] }
    let rows = rows(scale)
    let heading = Part.heading("Where another becomes cheaper")
    guard !rows.isEmpty else {
      return [heading, .paragraph("Nowhere among these sizes, as far as these blocks can tell.")]
    }
    let table = TextTable(
      columns: [
        .text("cost", shrinksTo: 12), .text("cheaper below", shrinksTo: 10),
        .text("cheaper above", shrinksTo: 10), .text(scale.noun), .number("about"),
        .text("proof", isOptional: true),
      ], rows: rows)
    let legend =
      "about: where a straight line between sizes, in logarithms, puts both level; sizes at which"
      + " they are too close to call are looked past"
    return [heading, .table(table), .paragraph(legend)]
  }

  private static func rows(_ scale: ScaleReport) -> [[String]] {
    let titles = CostText.titles(scale.costs.map(\.column))
    return zip(scale.costs, titles).flatMap { cost, title in
      cost.crossovers.map { crossover in
        [
          title, crossover.from, crossover.to,
          "\(Wording.count(crossover.below)) to \(Wording.count(crossover.above))",
          crossover.about.map(CostText.about) ?? TextTable.unknown,
          crossover.isProven ? "" : "unproven",
        ]
      }
    }
  }
}

/// What no growth is fitted to, and why.
enum GapSection {
  static func parts(_ scale: ScaleReport) -> [Part] {
    let gaps = gaps(scale)
    guard !gaps.isEmpty else { return [] }
    return [.heading("Not fitted"), .list(gaps)]
  }

  /// Costs that a backend lacks at the same sizes for the same reason.
  private struct Gap: Hashable {
    var backend: String
    var sizes: [Double]
    var reason: String
  }

  private static func gaps(_ scale: ScaleReport) -> [String] {
    let titles = CostText.titles(scale.costs.map(\.column))
    let all = zip(scale.costs, titles).flatMap { cost, title in
      cost.curves.flatMap(gaps).map { (gap: $0, title: title) }
    }
    return all.grouped(by: \.gap).map { gap, alike in
      let sizes = gap.sizes.map(Wording.count).joined(separator: "; ")
      return "\(gap.backend): \(alike.map(\.title).joined(separator: ", ")) at \(sizes)"
        + " \(scale.noun): \(gap.reason)"
    }
  }

  private static func gaps(_ curve: GrowthCurve) -> [Gap] {
    curve.points.filter { $0.gap != nil }.grouped(by: \.gap).map { reason, points in
      Gap(backend: curve.backend, sizes: points.map(\.size), reason: reason ?? "")
    }
  }
}

/// How costs grow, for scripts: a line for every figure, every exponent and every crossover, told apart
/// by the first field.
///
/// - `figure`: the median at one size, with its interval.
/// - `exponent` and `exponent large end`: the power of growth between two sizes, with its interval.
/// - `crossover`: the size at which `other` becomes cheaper than `backend`, and the two sizes measured
///   that it lies between.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, unknowns empty, all digits of what was measured;
/// what is fitted in six decimals, the same on every platform.
enum ScaleCSV {
  static let header = [
    "row", "backend", "other", "menu", "size_low", "size_high", "workload", "durability", "cost",
    "metric", "unit", "value", "ci_low", "ci_high", "blocks", "reason",
  ]

  static func render(_ scale: ScaleReport) -> String {
    let rows = scale.costs.flatMap { cost in
      cost.curves.flatMap { figures($0, cost.column) + exponents($0, cost.column) }
        + cost.crossovers.map { crossover($0, cost.column, scale.noun) }
    }
    return ([header] + rows.map(\.fields))
      .map { $0.map(CSVReporter.quoted).joined(separator: ",") + "\n" }.joined()
  }

  /// One line's fields, as far as it has them.
  private struct Row {
    var kind: String
    var backend: String
    var other = ""
    var menu = ""
    var sizes: Interval
    var column: CostColumn
    var unit: String
    var value: Double?
    var interval: Interval?
    var blocks: Int?
    var reason = ""

    var fields: [String] {
      [
        kind, backend, other, menu, sizes.low.digits, sizes.high.digits, column.workload,
        column.durability, column.name, column.metric.id, unit,
      ] + [value, interval?.low, interval?.high].map { $0.map(\.digits) ?? "" }
        + [blocks.map(String.init) ?? "", reason]
    }
  }

  private static func figures(_ curve: GrowthCurve, _ column: CostColumn) -> [Row] {
    curve.points.map { point in
      var row = Row(
        kind: "figure", backend: curve.backend, menu: point.menu,
        sizes: Interval(low: point.size, high: point.size), column: column,
        unit: column.metric.unit.rawValue, reason: point.gap ?? "")
      if case .figure(let figure, _) = point.entry {
        row.value = figure.value
        row.interval = figure.isExact ? nil : Statistics.medianInterval(of: figure.blocks)
        row.blocks = figure.blocks.count
      }
      return row
    }
  }

  private static func exponents(_ curve: GrowthCurve, _ column: CostColumn) -> [Row] {
    [("exponent", curve.whole), ("exponent large end", curve.largeEnd)].compactMap { kind, growth in
      growth.map {
        Row(
          kind: kind, backend: curve.backend, sizes: $0.sizes, column: column, unit: "",
          value: rounded($0.exponent),
          interval: $0.interval.map { Interval(low: rounded($0.low), high: rounded($0.high)) })
      }
    }
  }

  private static func crossover(_ crossover: Crossover, _ column: CostColumn, _ noun: String) -> Row
  {
    Row(
      kind: "crossover", backend: crossover.from, other: crossover.to,
      sizes: Interval(low: crossover.below, high: crossover.above), column: column, unit: noun,
      value: crossover.about.map(rounded), reason: crossover.isProven ? "" : "unproven")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

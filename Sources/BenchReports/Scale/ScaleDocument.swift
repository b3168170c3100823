import Basics
import BenchAnalysis
import BenchResults

/// What somebody reads who asks how a backend takes to growth: what is worse than linear, by which
/// power everything grows, where the cheaper one changes; then every figure, and how far to trust it.
struct ScaleDocument {
  let scale: ScaleReport
  /// Every cost with its title in tables.
  let costs: [(cost: ScaledCost, title: String)]

  init(scale: ScaleReport) {
    self.scale = scale
    costs = Array(zip(scale.costs, CostText.titles(scale.costs.map(\.column))))
  }

  /// The parts, in order.
  func parts(on medium: Medium) -> [Part] {
    answer + figures(on: medium) + ConclusionSection.parts(scale.run, on: medium)
      + FactSection(report: scale.run).parts
  }

  /// The same with what is to be warned of.
  var answer: [Part] { [.headline(headline)] + conclusions }

  /// By which power, where the cheaper one changes, and every figure.
  func figures(on medium: Medium) -> [Part] {
    growth + scale.costs.flatMap(curves) + ReachNote(scale.record).parts + gaps
      + (medium == .page ? menus : [])
  }

  /// By which power costs grow, and where the cheaper one changes.
  var growth: [Part] { exponents + crossovers }

  /// Whether anything grows worse than the menu, in a sentence.
  var headline: String {
    guard let low = scale.menus.first?.size, let high = scale.menus.last?.size,
      scale.costs.contains(where: { $0.curves.contains { $0.largeEnd != nil } })
    else { return "Growth takes figures at \(GrowthCurve.fewestSizes) sizes" }
    let range = "from \(Wording.count(low)) to \(Wording.count(high)) \(scale.noun)"
    let worse = scale.conclusions.count { $0.severity == .warning }
    guard worse > 0 else { return "Nothing is shown to grow worse than linearly, \(range)" }
    return "\(Wording.plural(worse, "cost")) \(worse == 1 ? "grows" : "grow") worse than linearly,"
      + " \(range)"
  }

  /// What does, and what looks like it.
  var conclusions: [Part] {
    guard !scale.conclusions.isEmpty else { return [] }
    return [.list(scale.conclusions.map { "\($0.severity.rawValue): \($0.text)" })]
  }

  /// The menus by the names with which they can be had again.
  private var menus: [Part] {
    let table = TextTable(
      columns: [.number(scale.noun), .text("menu")],
      rows: scale.menus.map { [Wording.count($0.size), $0.name] })
    let twins = scale.twins.map { "\($0) is left out: another menu is as large" }
    return [.heading("Menus"), .table(table)] + (twins.isEmpty ? [] : [.list(twins)])
  }

  /// What marks an exponent of other sizes than the table says, after it.
  private static let otherSizes = " †"

  /// By which power of the menu's size costs grow.
  private var exponents: [Part] {
    guard scale.menus.count >= GrowthCurve.fewestSizes, !costs.isEmpty else { return [] }
    let end = scale.menus.suffix(GrowthCurve.fewestSizes).map(\.size)
    let table = TextTable(
      columns: [
        .id("cost"), .id("backend"), .number("all sizes", isOptional: true),
        .number("large end"), .number("10× costs"),
      ],
      rows: costs.flatMap { cost, title in
        cost.curves.map { curve -> [String] in
          let mark = curve.largeEndSizes == end ? "" : Self.otherSizes
          return [
            title, curve.backend, curve.whole.map(Wording.growth) ?? TextTable.unknown,
            curve.largeEnd.map { Wording.growth($0) + mark } ?? TextTable.unknown,
            curve.largeEnd.map { Wording.multiple($0.tenfold) } ?? TextTable.unknown,
          ]
        }
      }, isGrouped: true)
    let others = costs.flatMap { cost, _ in
      cost.curves.compactMap { curve -> Interval? in
        curve.largeEndSizes == end ? nil : curve.largeEnd?.sizes
      }
    }.map { "\(Wording.count($0.low)) to \(Wording.count($0.high))" }.distinct
    let marked =
      others.isEmpty
      ? ""
      : "\(Self.otherSizes): of other sizes (\(others.joined(separator: "; "))), not to be compared"
        + " with the rest."
    let legend =
      "1 is linear: twice the menu costs twice as much; at 2 it costs four times as much. All"
      + " sizes: a line through the logarithms of the medians; its interval, by Student's t at 95 %,"
      + " is wide where they scatter or bend. Large end: of"
      + " \(end.map(Wording.count).joined(separator: ", ")) \(scale.noun) alone, where fixed costs no"
      + " longer flatten it; its interval is a 95 % bootstrap over blocks, and 10× costs is what ten"
      + " times the menu costs there.\(marked)"
    return [.heading("By which power costs grow"), .table(table), .paragraph(legend)]
  }

  /// Where the cheaper of two backends changes.
  private var crossovers: [Part] {
    guard scale.backends.count > 1, scale.menus.count > 1 else { return [] }
    let rows = costs.flatMap { cost, title in
      cost.crossovers.map { crossover in
        [
          title, CostText.either(crossover.from), CostText.either(crossover.to),
          "\(Wording.count(crossover.below)) to \(Wording.count(crossover.above))",
          crossover.about.map(CostText.about) ?? TextTable.unknown,
          crossover.isProven ? "" : "unproven",
        ]
      }
    }
    let heading = Part.heading("Where another becomes cheaper")
    guard !rows.isEmpty else {
      return [heading, .paragraph("Nowhere among these sizes, as far as these blocks can tell.")]
    }
    let table = TextTable(
      columns: [
        .id("cost"), .id("cheaper below"),
        .id("cheaper above"), .text(scale.noun), .number("about", isOptional: true),
        // That nothing is proven is worth more than about where.
        .text("proof", isOptional: rows.allSatisfy { $0.last == "" }),
      ], rows: rows)
    let legend =
      "about: where a straight line between sizes, in logarithms, puts both level; sizes at which"
      + " they are too close to call are looked past"
    return [heading, .table(table), .paragraph(legend)]
  }

  /// The figures of a cost: a row a size, a column a backend.
  private func curves(_ cost: ScaledCost) -> [Part] {
    let column = cost.column
    let isWhole = column.name == column.metric.id
    let title =
      "\(column.title)\(isWhole ? " of \(column.workload)" : "") at durability \(column.durability)"
    let table = table(cost.curves, column)
    return [.heading(title), .table(table)]
      + (isWhole
        ? [] : CostSection.legend([column], table, cost.curves.flatMap { $0.points.map(\.entry) }))
  }

  private func table(_ curves: [GrowthCurve], _ column: CostColumn) -> TextTable {
    TextTable(
      columns: [.number(scale.noun)] + curves.map { .number($0.backend) },
      rows: scale.menus.indices.map { index in
        [Wording.count(scale.menus[index].size)]
          + curves.map { curve in
            switch curve.points[index].entry {
            case .absent(let lack): lack.word
            case .figure(let figure):
              CostText.value(figure, column)
                + (figure.isExact ? "" : " " + CostText.precision(CostText.precision(of: figure)))
            }
          }
      }, whole: nil)
  }

  /// What no growth is fitted to, and why.
  private var gaps: [Part] {
    let gaps = costs.flatMap { cost, title in
      cost.curves.flatMap { curve in
        curve.points.filter { $0.gap != nil }.grouped(by: \.gap).map { reason, points in
          let gap = Gap(
            backend: curve.backend, sizes: points.map(\.size), reason: reason ?? "")
          return (gap: gap, title: title)
        }
      }
    }
    let items = gaps.grouped(by: \.gap).map { gap, alike in
      let sizes = gap.sizes.map(Wording.count).joined(separator: "; ")
      return "\(gap.backend): \(alike.map(\.title).joined(separator: ", ")) at \(sizes)"
        + " \(scale.noun): \(gap.reason)"
    }
    return items.isEmpty ? [] : [.heading("Not fitted"), .list(items)]
  }

  /// Costs that a backend lacks at the same sizes for the same reason.
  private struct Gap: Hashable {
    var backend: String
    var sizes: [Double]
    var reason: String
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
    return CSVReporter.text([header] + rows.map(\.fields))
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
      row.value = point.entry.figure?.value
      row.interval = point.entry.figure?.interval
      row.blocks = point.entry.figure?.blocks.count
      return row
    }
  }

  private static func exponents(_ curve: GrowthCurve, _ column: CostColumn) -> [Row] {
    [("exponent", curve.whole), ("exponent large end", curve.largeEnd)].compactMap { kind, growth in
      growth.map {
        Row(
          kind: kind, backend: curve.backend, sizes: $0.sizes, column: column, unit: "",
          value: rounded($0.exponent),
          interval: $0.interval?.map(rounded))
      }
    }
  }

  private static func crossover(_ crossover: Crossover, _ column: CostColumn, _ noun: String) -> Row
  {
    Row(
      kind: "crossover", backend: crossover.from[0], other: crossover.to[0],
      sizes: Interval(low: crossover.below, high: crossover.above), column: column, unit: noun,
      value: crossover.about.map(rounded), reason: crossover.isProven ? "" : "unproven")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

import Basics
import BenchAnalysis
import BenchResults

/// The report on growth, for people: what grows worse than linearly, the power of every growth, the
/// crossovers. Every figure follows, with how far to trust it.
extension ScaleReport: Published {
  package func parts(on medium: Medium) -> [Part] {
    [.headline(headline)] + found + figures(on: medium) + ConclusionSection.parts(run, on: medium)
      + FactSection(report: run).parts
  }

  package var csv: String { ScaleCSV.render(self) }

  /// The answer, one chart per cost, every figure, and how it was measured.
  package var page: String {
    let charts = GrowthChart.charts(self)
    return HTMLPage(
      title: "Growth of costs with the menu", of: record,
      sections: [
        .answer([.headline(headline)] + found + ConclusionSection.parts(run, on: .page)),
        .charts(charts.html),
        .figures(
          figures(on: .page).html { name in
            charts.contains { $0.name == name } ? "chart-\(name)" : nil
          }),
        .measured(run),
      ]
    ).text
  }

  private var titled: [(cost: ScaledCost, title: String)] {
    Array(zip(costs, CostText.titles(costs.map(\.column))))
  }

  /// Returns the powers of growth, the crossovers, and every figure.
  private func figures(on medium: Medium) -> [Part] {
    growth + costs.flatMap(curves) + ReachNote.parts(record) + gaps
      + (medium == .page ? names : [])
  }

  var growth: [Part] { exponents + crossings }

  /// Whether any cost grows worse than linearly, in a sentence.
  var headline: String {
    guard let low = menus.first?.size, let high = menus.last?.size,
      costs.contains(where: { $0.curves.contains { $0.largeEnd != nil } })
    else { return "Growth needs figures at \(GrowthCurve.fewestSizes) sizes" }
    let range = "from \(Wording.count(low)) to \(Wording.count(high)) \(noun)"
    let worse = conclusions.count { $0.severity == .warning }
    guard worse > 0 else { return "No cost is shown to grow worse than linearly, \(range)" }
    return "\(Wording.plural(worse, "cost")) \(worse == 1 ? "grows" : "grow") worse than linearly,"
      + " \(range)"
  }

  /// The costs that grow worse than linearly, and those that seem to.
  var found: [Part] {
    conclusions.isEmpty
      ? [] : [.list(conclusions.map { "\($0.severity.rawValue): \($0.text)" })]
  }

  /// The menus, by the names that produce them again.
  private var names: [Part] {
    let table = Table(
      columns: [.number(noun), .text("menu")],
      rows: menus.map { [.count($0.size), Table.Cell($0.name)] })
    let menusOfEqualSize = menusOfEqualSize.map { "\($0) is left out: another menu is as large" }
    return [.heading("Menus"), .table(table)]
      + (menusOfEqualSize.isEmpty ? [] : [.list(menusOfEqualSize)])
  }

  private var exponents: [Part] {
    guard menus.count >= GrowthCurve.fewestSizes, !costs.isEmpty else { return [] }
    let end = menus.suffix(GrowthCurve.fewestSizes).map(\.size)
    let rows = titled.flatMap { cost, title in
      cost.curves.map { curve -> [Table.Cell] in
        let mark = curve.largeEndSizes == end ? "" : " †"
        return [
          Table.Cell(title, link: GrowthChart.name(of: cost)), Table.Cell(curve.backend),
          Table.Cell(curve.whole.map(Wording.growth), curve.whole?.exponent),
          Table.Cell(curve.largeEnd.map { Wording.growth($0) + mark }, curve.largeEnd?.exponent),
          .multiple(curve.largeEnd?.tenfold),
        ]
      }
    }
    let table = Table(
      columns: [
        .id("cost"), .id("backend"), .number("all sizes", isOptional: true),
        .number("large end"), .number("10× costs"),
      ], rows: rows, isGrouped: true)
    let legend =
      "1 is linear, with 2 twice the menu costs four times as much; all sizes: a line through the"
      + " logarithms of the medians, with its interval at 95 %; large end: only"
      + " \(end.map(Wording.count).joined(separator: ", ")) \(noun), where fixed costs no longer"
      + " flatten it, with its interval from the blocks; 10× costs: of ten times the menu there"
      + (rows.contains { $0[3].text.hasSuffix("†") }
        ? "; †: from smaller sizes, not comparable" : "")
    return [.heading("Exponents of growth"), .table(table), .paragraph(legend)]
  }

  private var crossings: [Part] {
    guard backends.count > 1, menus.count > 1 else { return [] }
    let rows = titled.flatMap { cost, title in
      cost.crossovers.map { crossover -> [Table.Cell] in
        let range = "\(Wording.count(crossover.below)) to \(Wording.count(crossover.above))"
        return [
          Table.Cell(title, link: GrowthChart.name(of: cost)),
          Table.Cell(CostText.either(crossover.from)), Table.Cell(CostText.either(crossover.to)),
          Table.Cell(range, crossover.below),
          Table.Cell(crossover.about.map(CostText.about), crossover.about),
          crossover.isProven ? "" : "unproven",
        ]
      }
    }
    let heading = Part.heading("Sizes at which another becomes cheaper")
    guard !rows.isEmpty else {
      return [heading, .paragraph("None among these sizes, as far as these blocks can tell.")]
    }
    let table = Table(
      columns: [
        .id("cost"), .id("cheaper below"),
        .id("cheaper above"), .text(noun), .number("about", isOptional: true),
        // A missing proof matters more than the approximate size.
        .text("proof", isOptional: rows.allSatisfy { $0.last?.text == "" }),
      ], rows: rows)
    let legend = "about: from a straight line between sizes that are not too close to call"
    return [heading, .table(table), .paragraph(legend)]
  }

  /// Returns the figures of a cost: one row per size, one column per backend.
  private func curves(_ cost: ScaledCost) -> [Part] {
    let column = cost.column
    let isWhole = column.name == column.metric.id
    let title =
      "\(column.title)\(isWhole ? " of \(column.workload)" : "") at durability \(column.durability)"
    let table = Table(
      columns: [.number(noun)] + cost.curves.map { .number($0.backend) },
      rows: menus.indices.map { index in
        [.count(menus[index].size)]
          + cost.curves.map { curve -> Table.Cell in
            switch curve.points[index].entry {
            case .absent(let lack): return Table.Cell(lack.word)
            case .figure(let figure):
              let value = CostText.value(figure, column.metric.unit)
              let precision = figure.isExact ? "" : " " + CostText.precision(of: figure)
              return Table.Cell(value + precision, figure.value)
            }
          }
      }, whole: nil)
    return [.heading(title), .table(table)]
      + (isWhole
        ? [] : CostSection.legend([column], table, cost.curves.flatMap { $0.points.map(\.entry) }))
  }

  /// The figures to which no growth is fitted. A backend's costs with the same sizes and reason share a line.
  private var gaps: [Part] {
    let gaps = titled.flatMap { cost, title in
      cost.curves.flatMap { curve in
        curve.points.filter { $0.gap != nil }.grouped(by: \.gap).map { reason, points in
          let sizes = points.map { Wording.count($0.size) }.joined(separator: "; ")
          return (
            title: title, place: [curve.backend, "at \(sizes) \(noun): \(reason ?? "")"]
          )
        }
      }
    }
    let items = gaps.grouped(by: \.place).map { place, alike in
      "\(place[0]): \(alike.map(\.title).joined(separator: ", ")) \(place[1])"
    }
    return Part.list("Not fitted", items)
  }
}

/// The growth of costs for scripts: one line per figure, exponent and crossover. The first field
/// says which it is.
///
/// - `figure`: the median at one size, with its interval.
/// - `exponent` and `exponent large end`: the power of growth between two sizes, with its interval.
/// - `crossover`: the size at which `other` becomes cheaper than `backend`, and the two measured
///   sizes around it.
///
/// The format is that of a run's CSV: fields quoted by RFC 4180, unknowns empty, all digits of
/// measured values. Fitted values have six decimals, which are the same on every platform.
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
    return CSVReporter.text([header] + rows)
  }

  private static func row(
    _ kind: String, _ backend: String, other: String = "", menu: String = "", _ sizes: Interval,
    _ column: CostColumn, unit: String, _ value: Double?, _ interval: Interval? = nil,
    blocks: Int? = nil, reason: String = ""
  ) -> [String] {
    [
      kind, backend, other, menu, sizes.low.digits, sizes.high.digits, column.workload,
      column.durability, column.name, column.metric.id, unit,
    ] + [value, interval?.low, interval?.high].map { $0.map(\.digits) ?? "" }
      + [blocks.map(String.init) ?? "", reason]
  }

  private static func figures(_ curve: GrowthCurve, _ column: CostColumn) -> [[String]] {
    curve.points.map { point in
      let figure = point.entry.figure
      return row(
        "figure", curve.backend, menu: point.menu, Interval(low: point.size, high: point.size),
        column, unit: column.metric.unit.rawValue, figure?.value, figure?.interval,
        blocks: figure?.blocks.count, reason: point.gap ?? "")
    }
  }

  private static func exponents(_ curve: GrowthCurve, _ column: CostColumn) -> [[String]] {
    [("exponent", curve.whole), ("exponent large end", curve.largeEnd)].compactMap { kind, growth in
      growth.map {
        row(
          kind, curve.backend, $0.sizes, column, unit: "", rounded($0.exponent),
          $0.interval?.map(rounded))
      }
    }
  }

  private static func crossover(
    _ crossover: Crossover, _ column: CostColumn, _ noun: String
  ) -> [String] {
    row(
      "crossover", crossover.from[0], other: crossover.to[0],
      Interval(low: crossover.below, high: crossover.above), column, unit: noun,
      crossover.about.map(rounded), reason: crossover.isProven ? "" : "unproven")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

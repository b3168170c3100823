import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// Costs along the sizes of menus, both axes logarithmic: a straight line is a power of the size.
enum GrowthChart {
  /// One chart a cost of which at least one storage has figures at enough sizes.
  static func charts(_ scale: ScaleReport) -> [Chart] {
    guard scale.menus.count >= GrowthCurve.fewestSizes else { return [] }
    return scale.costs.compactMap { chart($0, scale.noun) }
  }

  private static func chart(_ cost: ScaledCost, _ noun: String) -> Chart? {
    let curves = cost.curves.filter {
      $0.points.count { $0.fitted != nil } >= GrowthCurve.fewestSizes
    }
    guard !curves.isEmpty else { return nil }
    let name = "\(cost.column.title) at durability \(cost.column.durability)"
    let id = "growth-\(cost.column.workload)-\(cost.column.name)-\(cost.column.durability)"
    return Chart(
      id, title: "Growth of \(name)", sentence: sentence(cost, curves, noun),
      drawing(cost, curves, noun), table: table(cost, curves, noun))
  }

  private static func drawing(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> Drawing
  {
    var drawing = Drawing()
    let unit = cost.column.metric.unit
    let (left, right, top, bottom) = (52.0, 352.0, 6.0, 226.0)
    let fitted = curves.map { curve in
      curve.points.compactMap { point in point.fitted.map { (size: point.size, value: $0.value) } }
    }
    let x = Axis(logarithmicOver: fitted.joined().map(\.size), from: left, to: right)
    let y = Axis(logarithmicOver: fitted.joined().map(\.value), from: bottom, to: top)
    drawing.horizontalAxis(x, top: top, bottom: bottom) { Wording.count($0.rounded()) }
    drawing.verticalAxis(y, left: left, right: right) { Wording.value($0, unit) }
    drawing.text(noun, right, bottom + 25, anchor: .end, style: "strong")
    for crossover in cost.crossovers {
      guard let about = crossover.about else { continue }
      drawing.line(x.place(about), top, x.place(about), bottom, style: "frontier")
    }
    for (number, points) in fitted.enumerated() {
      let mark = Drawing.Mark.allCases[number % Drawing.Mark.allCases.count]
      let places = points.map { (x.place($0.size), y.place($0.value)) }
      drawing.line(through: places, style: "curve")
      for place in places {
        drawing.mark(mark, place.0, place.1, style: "fill\(number % ChartStyle.fills)")
      }
    }
    let first = bottom + 44
    for (number, curve) in curves.enumerated() {
      let (column, row) = (Double(number % 2) * 178, first + Double(number / 2) * 15)
      drawing.mark(
        Drawing.Mark.allCases[number % Drawing.Mark.allCases.count], 9 + column, row - 4,
        style: "fill\(number % ChartStyle.fills)")
      drawing.text(curve.backend, 18 + column, row)
    }
    drawing.height = first + Double((curves.count + 1) / 2) * 15
    return drawing
  }

  private static func sentence(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> String
  {
    let grown = curves.compactMap { curve in curve.largeEnd.map { (curve.backend, $0) } }
    let steepest = grown.max { $0.1.exponent < $1.1.exponent }
    let growth = steepest.map {
      "\($0.0) grows fastest at the large end, ten times the menu costs \(Wording.multiple($0.1.tenfold)) as much."
    }
    let crossing = cost.crossovers.compactMap { found in
      found.about.map {
        "\(found.to) becomes cheaper than \(found.from) at about \(CostText.about($0)) \(noun)"
      }
    }
    let crossed = crossing.isEmpty ? nil : "\(Wording.list(crossing, most: 3)): the broken line."
    return [growth, crossed].compactMap(\.self).joined(separator: " ")
  }

  private static func table(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> ChartTable
  {
    let unit = cost.column.metric.unit
    return ChartTable(
      columns: [noun] + curves.map(\.backend),
      rows: (curves.first?.points ?? []).indices.map { place in
        [
          ChartTable.Value(
            Wording.count(curves[0].points[place].size), curves[0].points[place].size)
        ]
          + curves.map { curve in
            curve.points[place].fitted.map {
              ChartTable.Value(Wording.value($0.value, unit), $0.value)
            } ?? "—"
          }
      }
        + [
          [ChartTable.Value("by which power")]
            + curves.map { curve in
              curve.whole.map { ChartTable.Value(Wording.growth($0), $0.exponent) } ?? "—"
            }
        ])
  }
}

/// How large stores become while revisions are stored over each other.
enum StoreGrowthChart {
  /// Nil where no store was measured more than once in a block.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = group.rows.filter { $0.metric.id == Metric.storedBytes.id && $0.series.isJudged }
      .compactMap { row -> (name: String, sizes: [Double])? in
        guard let sizes = row.series.blocks.first(where: { $0.count > 1 }) else { return nil }
        return (row.cell.backend, sizes)
      }
    guard !lines.isEmpty else { return nil }
    var drawing = Drawing()
    let (left, right, top, bottom) = (52.0, 352.0, 6.0, 206.0)
    let x = Axis(linearTo: Double(lines.map(\.sizes.count).max() ?? 1), from: left, to: right)
    let y = Axis(logarithmicOver: lines.flatMap(\.sizes), from: bottom, to: top)
    drawing.horizontalAxis(x, top: top, bottom: bottom) { Wording.count($0.rounded()) }
    drawing.verticalAxis(y, left: left, right: right) { Wording.bytes($0) }
    drawing.text("revisions stored", right, bottom + 25, anchor: .end, style: "strong")
    for (number, line) in lines.enumerated() {
      let places = line.sizes.enumerated().map { (x.place(Double($0 + 1)), y.place($1)) }
      drawing.line(through: places, style: "curve")
      let mark = Drawing.Mark.allCases[number % Drawing.Mark.allCases.count]
      if let last = places.last {
        drawing.mark(mark, last.0, last.1, style: "fill\(number % ChartStyle.fills)")
      }
      let (column, row) = (Double(number % 2) * 178, bottom + 44 + Double(number / 2) * 15)
      drawing.mark(mark, 9 + column, row - 4, style: "fill\(number % ChartStyle.fills)")
      drawing.text(line.name, 18 + column, row)
    }
    drawing.height = bottom + 44 + Double((lines.count + 1) / 2) * 15
    let ratios = lines.map { ($0.name, ($0.sizes.max() ?? 0) / max($0.sizes[0], 1)) }
    let most = ratios.max { $0.1 < $1.1 }
    return Chart(
      "growth-of-files", title: "How stores grow: \(ReportDocument.title(group))",
      sentence: most.map {
        "\($0.0) grows most while revisions are stored over each other, to \(Wording.multiple($0.1)) its first size."
      } ?? "",
      drawing,
      table: ChartTable(
        columns: ["storage", "first", "last", "most"],
        rows: lines.map { line in
          [ChartTable.Value(line.name)]
            + [line.sizes.first, line.sizes.last, line.sizes.max()].map {
              $0.map { ChartTable.Value(Wording.bytes($0), $0) } ?? "—"
            }
        }))
  }
}

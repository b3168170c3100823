import BenchAnalysis
import BenchResults

/// Costs by the size of menus, on two logarithmic axes: a straight line is a power of the size.
enum GrowthChart {
  /// Returns one chart per cost for which a storage has figures at enough sizes.
  static func charts(_ scale: ScaleReport) -> [Chart] {
    guard scale.menus.count >= GrowthCurve.fewestSizes else { return [] }
    return scale.costs.compactMap { chart($0, scale) }
  }

  static func name(of cost: ScaledCost) -> String {
    Chart.plain("growth-\(cost.column.workload)-\(cost.column.name)-\(cost.column.durability)")
  }

  private static func chart(_ cost: ScaledCost, _ scale: ScaleReport) -> Chart? {
    let fitted = cost.curves.filter {
      $0.points.count { $0.fitted != nil } >= GrowthCurve.fewestSizes
    }
    guard !fitted.isEmpty else { return nil }
    let drawn = Set(fitted.map(\.backend))
    let crossovers = cost.crossovers.filter { drawn.isSuperset(of: $0.from + $0.to) }
    let curves = fitted.map { curve in
      let points = curve.points.compactMap { point in
        point.fitted.map { (x: point.size, y: $0.value) }
      }
      let ends = [points.first?.x, points.last?.x].compactMap(\.self)
      return CurvePlot.Curve(
        name: curve.backend, points: points,
        fit: ends.compactMap { size in curve.line(at: size).map { (size, $0) } })
    }
    let points = curves.flatMap(\.points)
    let unit = cost.column.metric.unit
    let plot = CurvePlot(
      axes: (
        { Axis(logarithmicOver: points.map(\.x), from: $0, to: $1) },
        { Axis(logarithmicOver: points.map(\.y), from: $0, to: $1) }
      ), title: scale.noun, names: (Axis.number, { Wording.value($0, unit) }), curves: curves,
      breaks: crossovers.compactMap(\.about))
    return Chart(
      name: name(of: cost),
      title: "Growth of \(cost.column.title) at durability \(cost.column.durability)",
      sentence: "A dotted line is the power of the size that fits a backend's figures best."
        + (plot.breaks.isEmpty ? "" : " At a broken line, another backend becomes cheaper."),
      drawing: plot.drawing, table: table(cost, fitted, scale.noun))
  }

  private static func table(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> Table
  {
    let unit = cost.column.metric.unit
    let sizes = (curves.first?.points ?? []).map { Wording.count($0.size) }
    return Table(
      columns: ["backend, by \(noun)"] + sizes + ["exponent"],
      rows: curves.map { curve in
        [Table.Cell(curve.backend)] + curve.points.map { .value($0.fitted?.value, unit) }
          + [Table.Cell(curve.whole.map(Wording.growth), curve.whole?.exponent)]
      })
  }
}

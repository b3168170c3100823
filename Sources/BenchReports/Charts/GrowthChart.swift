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
      sentence: sentence(fitted, crossovers, scale), drawing: plot.drawing,
      table: table(cost, fitted, scale.noun))
  }

  private static func sentence(
    _ curves: [GrowthCurve], _ crossovers: [Crossover], _ scale: ScaleReport
  ) -> String {
    // Large ends of different sizes do not compare.
    let end = scale.menus.suffix(GrowthCurve.fewestSizes).map(\.size)
    let grown = curves.filter { $0.largeEndSizes == end }.compactMap { curve in
      curve.largeEnd.map { (name: curve.backend, tenfold: $0.tenfold) }
    }.sorted { $0.tenfold < $1.tenfold }
    let span = Chart.span(grown.map { ($0.name, Wording.multiple($0.tenfold)) })
    let growth =
      grown.isEmpty
      ? nil
      : "At the large end, ten times the menu multiplies the cost, by medians alone: \(span)."
    let crossing = crossovers.compactMap { found in
      found.about.map { about in
        "\(found.to[0]) becomes cheaper than \(found.from[0]) at about \(CostText.about(about)) "
          + scale.noun + (found.isProven ? "" : " (unproven)")
      }
    }
    let crossed =
      crossing.isEmpty
      ? nil
      : "\(Wording.list(crossing, most: 3)) (the broken \(crossing.count == 1 ? "line" : "lines"))."
    let fits = "A dotted line is the power of the size that fits a backend's figures best."
    return [growth, crossed, fits].compactMap(\.self).joined(separator: " ")
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

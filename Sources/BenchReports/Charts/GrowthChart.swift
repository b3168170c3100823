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

  /// What a cost's chart is called.
  static func name(of cost: ScaledCost) -> String { Chart.plain(id(of: cost)) }

  private static func id(of cost: ScaledCost) -> String {
    "growth-\(cost.column.workload)-\(cost.column.name)-\(cost.column.durability)"
  }

  private static func chart(_ cost: ScaledCost, _ noun: String) -> Chart? {
    let curves = cost.curves.filter {
      $0.points.count { $0.fitted != nil } >= GrowthCurve.fewestSizes
    }
    guard !curves.isEmpty else { return nil }
    let name = "\(cost.column.title) at durability \(cost.column.durability)"
    return Chart(
      id(of: cost), title: "Growth of \(name)", sentence: sentence(cost, curves, noun),
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
    drawing.horizontalAxis(x, top: top, bottom: bottom, name: Axis.number)
    drawing.verticalAxis(y, left: left, right: right) { Wording.value($0, unit) }
    drawing.text(noun, right, bottom + 25, anchor: .end, style: "strong")
    for (about, _) in crossovers(cost, curves) where x.reaches(about) {
      drawing.line(x.place(about), top, x.place(about), bottom, style: "frontier")
    }
    let fits = zip(curves, fitted).map { curve, points in
      let ends = [points.first?.size, points.last?.size].compactMap(\.self)
      return ends.compactMap { size in curve.line(at: size).map { (x.place(size), y.place($0)) } }
    }
    let places = fitted.map { $0.map { (x.place($0.size), y.place($0.value)) } }
    drawing.lines(through: fits, style: "fit")
    drawing.lines(through: places, style: "curve")
    for (number, places) in places.enumerated() { drawing.marks(number, places) }
    drawing.markLegend(curves.map(\.backend), from: bottom + 44)
    return drawing
  }

  private static func sentence(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> String
  {
    let crossing = crossovers(cost, curves).map { about, found in
      "\(found.to[0]) becomes cheaper than \(found.from[0])"
        + " at about \(CostText.about(about)) \(noun)"
        + (found.isProven ? "" : " (unproven)")
    }
    let lines = crossing.count == 1 ? "line" : "lines"
    let crossed =
      crossing.isEmpty ? nil : "\(Wording.list(crossing, most: 3)): the broken \(lines)."
    let fits = "A dotted line is the power of the size that fits a storage's figures best."
    return [growth(curves), crossed, fits].compactMap(\.self).joined(separator: " ")
  }

  /// Where curves that are drawn cross, as far as that is known.
  private static func crossovers(
    _ cost: ScaledCost, _ curves: [GrowthCurve]
  ) -> [(about: Double, found: Crossover)] {
    let drawn = curves.map(\.backend)
    return cost.crossovers.compactMap { found in
      guard (found.from + found.to).allSatisfy(drawn.contains) else { return nil }
      return found.about.map { ($0, found) }
    }
  }

  /// Which storages grow fastest at the large end, as far as that is known: of those whose large end is the same, as
  /// most have it.
  private static func growth(_ curves: [GrowthCurve]) -> String? {
    let all = curves.compactMap { curve in
      curve.largeEnd.map { (backend: curve.backend, sizes: curve.largeEndSizes, growth: $0) }
    }
    let alike = all.grouped { $0.sizes }.max {
      ($0.elements.count, $0.key.last ?? 0) < ($1.elements.count, $1.key.last ?? 0)
    }
    guard let grown = alike?.elements,
      let steepest = grown.max(by: { $0.growth.exponent < $1.growth.exponent })
    else { return nil }
    func isLevel(_ other: Growth) -> Bool {
      // Of few blocks nothing tells.
      for growth in [steepest.growth, other] { if case .tooFew = growth.evidence { return true } }
      return steepest.growth.interval.flatMap { other.interval?.overlaps($0) }
        ?? (Wording.multiple(other.tenfold) == Wording.multiple(steepest.growth.tenfold))
    }
    let first = grown.filter { isLevel($0.growth) }
    let tenfold = first.map(\.growth.tenfold)
    let range = [tenfold.min(), tenfold.max()].compactMap { $0.map { Wording.multiple($0) } }
      .distinct.joined(separator: " to ")
    let others = all.filter { $0.sizes != steepest.sizes }.map(\.backend)
    let aside =
      others.isEmpty
      ? ""
      : " \(Wording.list(others)) \(others.count == 1 ? "has" : "have") figures at other sizes, and "
        + "\(others.count == 1 ? "is" : "are") not compared."
    let who =
      switch first.count {
      case _ where all.count == 1: "At the large end"
      case _ where grown.count == 1: "At the large end of \(steepest.backend)"
      case grown.count: "At the large end none is known to grow faster than another:"
      case 1: "\(steepest.backend) grows fastest at the large end:"
      default:
        "\(Wording.list(first.map(\.backend))) grow fastest at the large end, too close to call:"
      }
    return "\(who) ten times the menu costs \(range) as much.\(aside)"
  }

  /// A row a storage, a column a size.
  private static func table(_ cost: ScaledCost, _ curves: [GrowthCurve], _ noun: String)
    -> ChartTable
  {
    let unit = cost.column.metric.unit
    let sizes = (curves.first?.points ?? []).map { Wording.count($0.size) }
    return ChartTable(
      columns: ["storage, by \(noun)"] + sizes + ["by which power"],
      rows: curves.map { curve in
        [ChartTable.Value(curve.backend)]
          + curve.points.map { point in
            point.fitted.map { ChartTable.Value(Wording.value($0.value, unit), $0.value) } ?? "—"
          }
          + [curve.whole.map { ChartTable.Value(Wording.growth($0), $0.exponent) } ?? "—"]
      })
  }
}

/// How large stores become while revisions are stored over each other.
enum StoreGrowthChart {
  /// Nil where no store was measured after more than one revision.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = StoreGrowth.all(group).filter { $0.sizes.count > 1 }
    guard !lines.isEmpty else { return nil }
    let names = lines.map { line in
      let isOnly = lines.count { $0.backend == line.backend } == 1
      return isOnly ? line.backend : "\(line.backend) \(line.phase)"
    }
    var drawing = Drawing()
    let (left, right, top, bottom) = (52.0, 352.0, 6.0, 206.0)
    let x = Axis(linearTo: Double(lines.map(\.sizes.count).max() ?? 1), from: left, to: right)
    let y = Axis(logarithmicOver: lines.flatMap(\.sizes), from: bottom, to: top)
    drawing.horizontalAxis(x, top: top, bottom: bottom, name: Axis.number)
    drawing.verticalAxis(y, left: left, right: right) { Wording.bytes($0) }
    drawing.text("revisions stored", right, bottom + 25, anchor: .end, style: "strong")
    for (number, line) in lines.enumerated() {
      // What is empty has no place on an axis of ratios.
      let places = line.sizes.enumerated().filter { $0.element > 0 }
        .map { (x.place(Double($0.offset + 1)), y.place($0.element)) }
      drawing.line(through: places, style: "curve")
      if let last = places.last { drawing.mark(number, last.0, last.1) }
    }
    drawing.markLegend(names, from: bottom + 44)
    return Chart(
      "growth-of-files", title: "How stores grow: \(ReportDocument.title(group))",
      sentence: sentence(zip(names, lines).map { (name: $0, store: $1) }), drawing,
      table: ChartTable(
        columns: ["storage", "first", "last", "most", "at rest"],
        rows: zip(names, lines).map { name, line in
          [ChartTable.Value(name)]
            + [line.sizes.first, line.sizes.last, line.most, line.atRest].map {
              $0.map { ChartTable.Value(Wording.bytes($0), $0) } ?? "—"
            }
        }))
  }

  /// Which store grows most, of those that have a size to begin with.
  private static func sentence(_ lines: [(name: String, store: StoreGrowth)]) -> String {
    let empty = lines.filter { $0.store.growth == nil }.map(\.name)
    let grown = lines.compactMap { line in
      line.store.growth.map { (name: line.name, multiple: $0) }
    }.filter { Wording.multiple($0.multiple) != Wording.multiple(1) }
    let most = grown.map(\.multiple).max().map(Wording.multiple)
    let first = grown.filter { Wording.multiple($0.multiple) == most }.map(\.name)
    let answer = most.map { multiple in
      "\(Wording.list(first)) \(first.count == 1 ? "grows" : "grow") "
        + (grown.count > first.count ? "most " : "")
        + "while revisions are stored over each other, to \(multiple) "
        + "\(first.count == 1 ? "its" : "their") first size."
    }
    let none = empty.isEmpty ? "No store grows" : "No other store grows"
    let aside =
      empty.isEmpty
      ? nil
      : "\(Wording.list(empty)) \(empty.count == 1 ? "begins" : "begin") with nothing, of which there is "
        + "no multiple."
    return [answer ?? "\(none) while revisions are stored over each other.", aside]
      .compactMap(\.self).joined(separator: " ")
  }
}

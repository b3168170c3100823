import Basics
import BenchResults
import Foundation

/// By which power of the size a cost grows: 1 is linear, and at 2 twice the menu costs four times as
/// much.
package struct Growth: Equatable, Sendable {
  package let exponent: Double
  /// Where it lies at 95 %; nil where nothing can tell, and where there is nothing to be unsure of.
  package let interval: Interval?
  /// How many blocks the size with the fewest has, where they are too few to tell; nil elsewhere.
  package let fewBlocks: Int?
  /// The smallest and the largest size that it is fitted to.
  package let sizes: Interval

  /// How many times as much a menu costs that is ten times as large.
  package var tenfold: Double { pow(10, exponent) }
}

extension Growth {
  /// Fits a power of the size to the medians of all sizes: their distances from one line say how sure
  /// it is, by Student's t. Nil of fewer than three sizes.
  init?(line points: [(size: Double, figure: CostFigure)]) {
    guard points.count >= GrowthCurve.fewestSizes, let sizes = Interval(of: points.map(\.size)),
      sizes.low > 0,
      let line = Statistics.line(points.map { (x: log($0.size), y: log($0.figure.value)) })
    else { return nil }
    self.init(
      exponent: line.slope, interval: line.interval, fewBlocks: nil, sizes: sizes)
  }

  /// Fits it to the three largest sizes, with the blocks' own word on how sure it is; nil of fewer.
  init?(largeEnd points: [(size: Double, figure: CostFigure)]) {
    guard points.count >= GrowthCurve.fewestSizes, let sizes = Interval(of: points.map(\.size)),
      sizes.low > 0,
      let weights = Statistics.slopeWeights(points.map { log($0.size) })
    else { return nil }
    let exponent = zip(weights, points).reduce(0) { $0 + $1.0 * log($1.1.figure.value) }
    let fewest = points.filter { !$0.figure.isExact }.map(\.figure.blocks.count).min()
    let fewBlocks = fewest.flatMap { $0 < Statistics.fewestForMedianInterval ? $0 : nil }
    // Figures that cannot differ from block to block leave nothing to be unsure of.
    let isSampled = fewest != nil && fewBlocks == nil
    self.init(
      exponent: exponent,
      interval: isSampled ? Self.bootstrap(points.map(\.figure), weights) : nil,
      fewBlocks: fewBlocks, sizes: sizes)
  }

  /// The percentile bootstrap over blocks, seeded. Every size is resampled by itself: a block is a
  /// process, and sizes share none.
  private static func bootstrap(_ figures: [CostFigure], _ weights: [Double]) -> Interval? {
    let blocks = figures.map { $0.isExact ? [$0.value] : $0.blocks.sorted() }
    let exponents = MiddleRanks.resampled(blocks.map(\.count)).map { ranks in
      var sum = 0.0
      for (place, middle) in ranks.enumerated() {
        sum +=
          weights[place] * log(max(middle.median(ofSorted: blocks[place]), .leastNormalMagnitude))
      }
      return sum
    }
    return Statistics.percentiles(of: exponents)
  }
}

/// What one cost of one backend comes to along the sizes.
package struct GrowthCurve: Sendable {
  package let backend: String
  /// Every size, the smallest first, whether or not there is a figure.
  package let points: [GrowthPoint]
  /// By which power of the size it grows, over all sizes; nil of fewer than three figures.
  package let whole: Growth?
  /// The same of the three largest sizes that have a figure: a fixed cost that flattens the small end
  /// does not count there.
  package let largeEnd: Growth?
  /// The sizes that ``largeEnd`` is of: exponents of other sizes are of another part of a curve, and do not
  /// compare.
  package let largeEndSizes: [Double]

  /// The fewest sizes whose growth says anything: two always lie on a line.
  package static let fewestSizes = 3
  /// An exponent up to this is no reason to speak of worse than linear.
  package static let leastNoticed = 1.05

  init(backend: String, points: [GrowthPoint]) {
    (self.backend, self.points) = (backend, points)
    let fitted = points.compactMap { point in
      point.fitted.map { (size: point.size, figure: $0) }
    }
    let end = Array(fitted.suffix(Self.fewestSizes))
    whole = Growth(line: fitted)
    largeEnd = Growth(largeEnd: end)
    largeEndSizes = end.map(\.size)
  }

  /// What the line through all sizes comes to at one; nil of fewer than three figures.
  package func line(at size: Double) -> Double? {
    let logs = points.compactMap { point in
      point.fitted.map { (x: log(point.size), y: log($0.value)) }
    }
    guard let whole, let x = Statistics.mean(logs.map(\.x)), let y = Statistics.mean(logs.map(\.y))
    else { return nil }
    // A line of least squares goes through the middle of its points.
    return exp(y + whole.exponent * (log(size) - x))
  }

  /// What the large end says of growth worse than linear.
  package var verdict: Verdict {
    guard let growth = largeEnd, growth.exponent > Self.leastNoticed else { return .linear }
    return growth.fewBlocks == nil && growth.interval?.low ?? .infinity > 1 ? .worse : .unproven
  }

  /// How a cost's growth compares with the size's own.
  package enum Verdict: Equatable, Sendable {
    /// No worse than linear for all that is known.
    case linear
    /// It looks worse, and the blocks do not prove it.
    case unproven
    case worse
  }

  /// What the large end is to be warned of; nil of what grows linearly or slower.
  func conclusion(_ column: CostColumn, _ noun: String) -> Conclusion? {
    guard let growth = largeEnd, verdict != .linear else { return nil }
    let range = "\(Wording.count(growth.sizes.low)) to \(Wording.count(growth.sizes.high)) \(noun)"
    let fact = "exponent \(Wording.growth(growth)) over \(range)"
    let name = "\(column.title) of \(backend) at durability \(column.durability)"
    guard verdict == .worse else {
      let need = Wording.plural(Statistics.fewestForMedianInterval, "block")
      let doubt =
        growth.fewBlocks == nil ? "which does not rule out 1" : "and it takes \(need) to tell"
      return Conclusion(.hint, "\(name) looks worse than linear, unproven: \(fact), \(doubt)")
    }
    return Conclusion(
      .warning,
      "\(name) grows worse than linearly: \(fact); 10 times the menu costs"
        + " \(Wording.multiple(growth.tenfold)) as much")
  }
}

/// What a backend has of one cost at one size.
package struct GrowthPoint: Sendable {
  package let menu: String
  /// How large it is, in ``ScaleReport/noun``.
  package let size: Double
  package let entry: CostEntry

  /// The figure that growth is fitted to; nil where there is none, or none that can be told from what
  /// measuring costs or misses: counted as that, it would look as if nothing grew.
  package var fitted: CostFigure? {
    guard let figure = entry.figure, figure.value > 0, !figure.isTiny
    else { return nil }
    return figure
  }

  /// Why it is left out, in words; nil where it is not.
  package var gap: String? {
    switch entry {
    case .absent(let lack): lack.reason
    case .figure(let figure):
      fitted != nil ? nil : figure.value > 0 ? "is below what can be told" : "is 0"
    }
  }
}

/// One cost along the sizes: a curve a backend, and where the cheaper one changes.
package struct ScaledCost: Sendable {
  package let column: CostColumn
  package let curves: [GrowthCurve]
  /// Where the cheaper of two changes, pair by pair.
  package let crossovers: [Crossover]

  init(_ column: CostColumn, _ sheets: [(size: Double, sheet: CostTable)], backends: [String]) {
    let entries = sheets.map { $0.sheet.entries(column) }
    let curves = backends.map { backend in
      GrowthCurve(
        backend: backend,
        points: zip(sheets, entries).map { sized, entries in
          GrowthPoint(
            menu: sized.sheet.menu, size: sized.size,
            entry: entries[backend] ?? sized.sheet.entry(backend, column))
        })
    }
    (self.column, self.curves) = (column, curves)
    crossovers = curves.indices.flatMap { first in
      curves[(first + 1)...].flatMap { Crossover.all(curves[first], $0, column) }
    }
  }
}

extension Wording {
  /// An exponent with its bounds, or with why it has none: `1.04 (1.01 to 1.08)`.
  package static func growth(_ growth: Growth) -> String {
    let bounds =
      growth.fewBlocks.map { plural($0, "block") }
      ?? growth.interval.map { "\(exponent($0.low)) to \(exponent($0.high))" } ?? "exact"
    return "\(exponent(growth.exponent)) (\(bounds))"
  }
}

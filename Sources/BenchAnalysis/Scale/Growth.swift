import Basics
import BenchResults
import Foundation

/// The power of the size by which a cost grows: 1 is linear, 2 is quadratic.
package struct Growth: Equatable, Sendable {
  package let exponent: Double
  /// The 95 % interval of ``exponent``. Nil if nothing shows it, and for exact figures.
  package let interval: Interval?
  /// The smallest number of blocks of any size, if that is too few for an interval; otherwise nil.
  package let fewBlocks: Int?
  /// The smallest and the largest size of the fit.
  package let sizes: Interval

  /// How many times as much a menu of ten times the size costs.
  package var tenfold: Double { pow(10, exponent) }
}

extension Growth {
  /// Fits a power of the size to the medians of all sizes. The interval comes from their distances
  /// from the line, by Student's t. Returns nil with fewer than three sizes.
  init?(line points: [(size: Double, figure: CostFigure)]) {
    guard points.count >= GrowthCurve.fewestSizes, let sizes = Interval(of: points.map(\.size)),
      sizes.low > 0,
      let line = Statistics.line(points.map { (x: log($0.size), y: log($0.figure.value)) })
    else { return nil }
    self.init(exponent: line.slope, interval: line.interval, fewBlocks: nil, sizes: sizes)
  }

  /// Fits it to the three largest sizes, with an interval from their blocks. Returns nil with fewer.
  init?(largeEnd points: [(size: Double, figure: CostFigure)]) {
    guard points.count >= GrowthCurve.fewestSizes, let sizes = Interval(of: points.map(\.size)),
      sizes.low > 0,
      let weights = Statistics.slopeWeights(points.map { log($0.size) })
    else { return nil }
    let exponent = zip(weights, points).reduce(0) { $0 + $1.0 * log($1.1.figure.value) }
    // All figures of a cost are exact or none. Sizes share no processes.
    let sampled = zip(weights, points).filter { !$1.figure.isExact }.map { weight, point in
      (weight: weight, values: point.figure.blocks.map { log(max($0, .leastNormalMagnitude)) })
    }
    self.init(
      exponent: exponent, interval: MeanSum(sampled)?.interval.including(exponent),
      fewBlocks: sampled.map(\.values.count).min().flatMap { $0 < MeanSum.fewest ? $0 : nil },
      sizes: sizes)
  }
}

/// One cost of one backend at all sizes.
package struct GrowthCurve: Sendable {
  package let backend: String
  /// All sizes, the smallest first, with or without a figure.
  package let points: [GrowthPoint]
  /// The growth over all sizes, or nil with fewer than three figures.
  package let whole: Growth?
  /// The growth over the three largest sizes with a figure. A fixed cost, which flattens the small
  /// end, hardly matters there.
  package let largeEnd: Growth?
  /// The sizes of ``largeEnd``. Exponents of other sizes belong to another part of the curve and
  /// are not comparable.
  package let largeEndSizes: [Double]

  /// The fewest sizes for a fit, because two always lie on a line.
  package static let fewestSizes = 3
  /// Exponents up to this one do not count as worse than linear.
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

  /// Returns the value of the line through all sizes at one size, or nil with fewer than three figures.
  package func line(at size: Double) -> Double? {
    let logs = points.compactMap { point in
      point.fitted.map { (x: log(point.size), y: log($0.value)) }
    }
    guard let whole, let x = Statistics.mean(logs.map(\.x)), let y = Statistics.mean(logs.map(\.y))
    else { return nil }
    // A least-squares line goes through the mean of its points.
    return exp(y + whole.exponent * (log(size) - x))
  }

  /// Whether the large end grows worse than linearly.
  package var verdict: Verdict {
    guard let growth = largeEnd, growth.exponent > Self.leastNoticed else { return .linear }
    return growth.fewBlocks == nil && growth.interval?.low ?? .infinity > 1 ? .worse : .unproven
  }

  /// How a cost grows, compared with the size.
  package enum Verdict: Equatable, Sendable {
    /// No worse than linear, as far as the figures show.
    case linear
    /// It looks worse, but the blocks do not prove it.
    case unproven
    case worse
  }

  /// Returns a warning or a hint about the large end, or nil if it grows linearly or slower.
  func conclusion(_ column: CostColumn, _ noun: String) -> Conclusion? {
    guard let growth = largeEnd, verdict != .linear else { return nil }
    let range = "\(Wording.count(growth.sizes.low)) to \(Wording.count(growth.sizes.high)) \(noun)"
    let fact = "exponent \(Wording.growth(growth)) over \(range)"
    let name = "\(column.title) of \(backend) at durability \(column.durability)"
    guard verdict == .worse else {
      let need = Wording.plural(MeanSum.fewest, "block")
      let doubt =
        growth.fewBlocks == nil ? "which does not exclude 1" : "and a proof takes \(need)"
      return Conclusion(.hint, "\(name) looks worse than linear, unproven: \(fact), \(doubt)")
    }
    return Conclusion(
      .warning,
      "\(name) grows worse than linearly: \(fact), so 10 times the menu costs"
        + " \(Wording.multiple(growth.tenfold)) as much")
  }
}

/// A backend's entry for one cost at one size.
package struct GrowthPoint: Sendable {
  package let menu: String
  /// The menu's size, in ``ScaleReport/noun``.
  package let size: Double
  package let entry: CostEntry

  /// The figure that growth is fitted to. Nil without a figure, or if it does not stand out from
  /// the cost of measuring: such figures would all look the same.
  package var fitted: CostFigure? {
    guard let figure = entry.figure, figure.value > 0, !figure.isUnresolved
    else { return nil }
    return figure
  }

  /// The reason why it is left out of the fit, or nil if it is not.
  package var gap: String? {
    switch entry {
    case .absent(let lack): lack.reason
    case .figure(let figure):
      fitted != nil ? nil : figure.value > 0 ? "is too small to measure" : "is 0"
    }
  }
}

/// One cost at all sizes: one curve per backend, and the crossovers.
package struct ScaledCost: Sendable {
  package let column: CostColumn
  package let curves: [GrowthCurve]
  /// The crossovers of every pair of backends.
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
  /// An exponent with its bounds or the reason why it has none, such as `1.04 (1.01 to 1.08)`.
  package static func growth(_ growth: Growth) -> String {
    let bounds =
      growth.fewBlocks.map { plural($0, "block") }
      ?? growth.interval.map { "\(exponent($0.low)) to \(exponent($0.high))" } ?? "exact"
    return "\(exponent(growth.exponent)) (\(bounds))"
  }
}

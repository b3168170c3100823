import BenchResults
import Foundation

package struct HistoryPoint: Equatable, Sendable {
  package let run: HistoryRun
  package let figure: HistoryFigure

  package init(run: HistoryRun, figure: HistoryFigure) {
    (self.run, self.figure) = (run, figure)
  }
}

/// One series over time: its levels, its changes and its creep.
package struct Trend: Sendable {
  package let key: HistoryKey
  /// The figures, the oldest run first. There is at least one.
  package let points: [HistoryPoint]
  /// The number of the series among those of its name, from 1. Another machine, toolchain or menu starts a new one.
  package let number: Int
  /// The number of series of this name.
  package let of: Int
  /// The stretches between steps; a single one if there was no step.
  package let levels: [Level]
  /// The steps that exceed a gate's tolerance, the oldest first.
  package let changes: [Change]
  /// The small steps in one direction that add up to a change, or nil if there are none.
  package let creep: Creep?

  /// A stretch of runs that differ only by noise.
  package struct Level: Equatable, Sendable {
    package let places: Range<Int>
    package let middle: Double
  }

  /// The fewest runs in which a change can be detected.
  package static let fewestRuns = 2 * Statistics.shortestLevel

  /// - Parameter control: the time of the control of the same cell in each run, by run id.
  package init(
    _ key: HistoryKey, _ points: [HistoryPoint], number: Int = 1, of: Int = 1,
    control: [String: Double] = [:]
  ) {
    // An exact figure has an interval only if its blocks differ. Then small steps prove nothing.
    let isUneven = key.metric.isExact && points.contains { $0.figure.interval != nil }
    let levels = Self.levels(
      points.map(\.figure.p50), key.metric, isExact: key.metric.isExact && !isUneven)
    let steps = zip(levels, levels.dropFirst()).map { old, new in
      Change(
        place: new.places.lowerBound, before: old.middle, after: new.middle,
        isWorse: (new.middle > old.middle) == (key.metric.better == .lower),
        control: key.metric.unit == .nanoseconds
          ? Self.ratio(control, points[old.places], points[new.places]) : nil)
    }
    (self.key, self.points, self.number, self.of) = (key, points, number, of)
    self.levels = levels
    // A metric that describes the circumstances of a time has no better or worse values.
    let told = key.metric.isContext ? [] : steps
    changes = told.filter { abs($0.size) > key.floor(from: $0.before, isUneven: isUneven) }
    creep = Creep.found(told) { key.floor(from: $0, isUneven: isUneven) }
  }

  /// Finds the levels. Inexact values above 0 are compared by ratio, so that a step counts the same at any level.
  private static func levels(_ values: [Double], _ metric: Metric, isExact: Bool) -> [Level] {
    let byRatio = !isExact && values.allSatisfy { $0 > 0 }
    let changes = Statistics.changePoints(
      byRatio ? values.map { log($0) } : values, isExact: isExact,
      largestTick: largestTick(metric, byRatio))
    let bounds = [0] + changes + [values.count]
    return zip(bounds, bounds.dropFirst()).map { start, end in
      Level(
        places: start..<end, middle: Statistics.median(Array(values[start..<end])) ?? 0)
    }
  }

  /// The largest tick of the clock or counter. A clock may be as coarse as the times that it measures.
  private static func largestTick(_ metric: Metric, _ byRatio: Bool) -> Double {
    switch metric.unit {
    case .nanoseconds: .infinity
    case .bytes: byRatio ? 0.1 : Metric.peakHeapResolution
    case .count, .percent: byRatio ? 0.1 : 1
    }
  }

  /// Returns the control's ratio between two groups of runs, or nil if either group has no control.
  private static func ratio(
    _ control: [String: Double], _ before: ArraySlice<HistoryPoint>,
    _ after: ArraySlice<HistoryPoint>
  ) -> Double? {
    func middle(_ points: ArraySlice<HistoryPoint>) -> Double? {
      Statistics.median(points.compactMap { control[$0.run.id] })
    }
    guard let then = middle(before), let now = middle(after), then > 0, now > 0 else { return nil }
    return now / then
  }

  package struct Change: Equatable, Sendable {
    /// The index of the first run at the new level.
    package let place: Int
    package let before: Double
    package let after: Double
    package let isWorse: Bool
    /// The control's ratio over the same step, which the code cannot affect, or nil if unknown.
    package let control: Double?

    /// ``after`` over ``before``, or nil if either is 0.
    package var ratio: Double? { before > 0 && after > 0 ? after / before : nil }

    /// The natural logarithm of the ratio, or infinity if there is no ratio.
    var size: Double {
      if before == after { return 0 }
      return ratio.map { log($0) } ?? (after > before ? .infinity : -.infinity)
    }

    /// The control's ratio if it is large enough to explain a change, or nil.
    package var controlShift: Double? {
      control.flatMap { abs(log($0)) > Judge.smallestEffect ? $0 : nil }
    }
  }

  /// Changes for the worse that are each small enough for gates to pass, and large in total. Steps
  /// back within the tolerance may lie between them.
  package struct Creep: Equatable, Sendable {
    /// The indices of the first runs of the levels that are worse than the one before.
    package let places: [Int]
    package let before: Double
    package let after: Double
    /// The largest step, as a ratio above 1.
    package let largest: Double

    package var ratio: Double { after / before }

    /// The largest step that belongs to a creep. It is several times a gate's tolerance, because
    /// steps within each other's noise appear as one.
    private static let largestStep = log(1.1)

    /// Returns the largest creep, or nil for a metric without a tolerance, where a gate sees every step.
    ///
    /// - Parameter floor: how far a figure may differ from another and count as the same, as ``Change/size``.
    static func found(_ steps: [Change], floor: (Double) -> Double) -> Creep? {
      steps.split { abs($0.size) > ($0.isWorse ? largestStep : floor($0.before)) }
        .compactMap { found(Array($0), floor) }
        .max { abs(log($0.ratio)) < abs(log($1.ratio)) }
    }

    /// Returns the steepest sequence of steps if it adds up to a change and no step is two thirds of it.
    private static func found(_ steps: [Change], _ floor: (Double) -> Double) -> Creep? {
      var (way, steepest) = ([Change](), [Change]())
      for step in steps {
        if rise(way) <= 0 { way = [] }
        way.append(step)
        if rise(way) > rise(steepest) { steepest = way }
      }
      let worse = steepest.filter(\.isWorse)
      guard let first = steepest.first, let last = steepest.last,
        let largest = worse.map({ abs($0.size) }).max()
      else { return nil }
      let (least, total) = (floor(first.before), rise(steepest))
      guard least > 0, total > least, largest < total * 2 / 3 else { return nil }
      return Creep(
        places: worse.map(\.place), before: first.before, after: last.after,
        largest: exp(largest))
    }

    /// Returns the total of the steps for the worse, minus the steps back.
    private static func rise(_ steps: [Change]) -> Double {
      steps.reduce(0) { $0 + ($1.isWorse ? abs($1.size) : -abs($1.size)) }
    }
  }

  package var isChanged: Bool { !changes.isEmpty || creep != nil }

  /// The newest level over the oldest, or nil if either is 0.
  package var ratio: Double? {
    guard let first = levels.first?.middle, let last = levels.last?.middle, first > 0, last > 0
    else { return nil }
    return last / first
  }
}

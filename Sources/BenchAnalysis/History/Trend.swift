import BenchResults
import Foundation

package struct HistoryPoint: Equatable, Sendable {
  package let run: HistoryRun
  package let figure: HistoryFigure

  package init(run: HistoryRun, figure: HistoryFigure) {
    (self.run, self.figure) = (run, figure)
  }
}

/// One series over time: its levels, where it changed, and whether it creeps.
package struct Trend: Sendable {
  package let key: HistoryKey
  /// The figures, those of older runs first; at least one.
  package let points: [HistoryPoint]
  /// Which series of this name it is, the first being 1: another machine, toolchain or menu begins another.
  package let number: Int
  /// How many of this name there are.
  package let of: Int
  /// The stretches between which it changed; one where it never did.
  package let levels: [Level]
  /// Where it went to another level by more than a gate lets pass, oldest first.
  package let changes: [Change]
  /// The steps that it took in one direction, each of little; nil where it did not.
  package let creep: Creep?

  /// A stretch of runs that differ by noise alone.
  package struct Level: Equatable, Sendable {
    package let places: Range<Int>
    package let middle: Double
  }

  /// The fewest runs of which a change can be told.
  package static let fewestRuns = 2 * Statistics.shortestLevel

  /// - Parameter control: what the control of the same cell took in each run, by the run's id.
  package init(
    _ key: HistoryKey, _ points: [HistoryPoint], number: Int = 1, of: Int = 1,
    control: [String: Double] = [:]
  ) {
    // Exact figures have no interval, unless the blocks of a run differ: then nothing small is proven.
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
    // Under which circumstances a time was taken is neither better nor worse.
    let told = key.metric.isCircumstance ? [] : steps
    changes = told.filter { abs($0.size) > key.floor(from: $0.before, isUneven: isUneven) }
    creep = Creep.found(told) { key.floor(from: $0, isUneven: isUneven) }
  }

  /// Of what is not exact and always above 0 by ratios, so that a step counts as much wherever it is.
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

  /// A clock may be as coarse as what it times; what is counted has grains of its own.
  private static func largestTick(_ metric: Metric, _ byRatio: Bool) -> Double {
    switch metric.unit {
    case .nanoseconds: .infinity
    case .bytes: byRatio ? 0.1 : Metric.peakHeapResolution
    case .count, .percent: byRatio ? 0.1 : 1
    }
  }

  /// By how much the control moved from some runs to others; nil where either side had none.
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
    /// The place of the first run that has the new level.
    package let place: Int
    package let before: Double
    package let after: Double
    package let isWorse: Bool
    /// By how much the control, which no code can touch, moved with it; nil where unknown.
    package let control: Double?

    /// Now over then; nil where either is 0.
    package var ratio: Double? { before > 0 && after > 0 ? after / before : nil }

    /// The ratio's natural logarithm, without a bound where there is no ratio.
    var size: Double {
      if before == after { return 0 }
      return ratio.map { log($0) } ?? (after > before ? .infinity : -.infinity)
    }

    /// By how much the control moved, where that is as much as might make a change; else nil.
    package var moodOfMachine: Double? {
      control.flatMap { abs(log($0)) > Judge.smallestEffect ? $0 : nil }
    }
  }

  /// Changes for the worse, each so small that gates let it pass, and large together; between them may lie steps back
  /// that are too small to be told.
  package struct Creep: Equatable, Sendable {
    /// The places of the first runs of those levels that are worse than the one before.
    package let places: [Int]
    package let before: Double
    package let after: Double
    /// The largest of its steps, as a ratio above 1.
    package let largest: Double

    /// Now over then.
    package var ratio: Double { after / before }

    /// The largest step that belongs to a creep. Steps that lie in each other's noise are seen as one, so that it is
    /// several times what a gate lets pass.
    private static let largestStep = log(1.1)

    /// The largest creep; nil of what has no tolerance, in which a gate sees every step.
    ///
    /// - Parameter floor: how far a figure may go from another and still be the same, as ``Change/size``.
    static func found(_ steps: [Change], floor: (Double) -> Double) -> Creep? {
      steps.split { abs($0.size) > ($0.isWorse ? largestStep : floor($0.before)) }
        .compactMap { found(Array($0), floor) }
        .max { abs(log($0.ratio)) < abs(log($1.ratio)) }
    }

    /// The steepest way through steps as a creep, where it comes to a change and no step of it is two thirds of that.
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

    /// How far steps lead for the worse, steps back taken off.
    private static func rise(_ steps: [Change]) -> Double {
      steps.reduce(0) { $0 + ($1.isWorse ? abs($1.size) : -abs($1.size)) }
    }
  }

  package var isChanged: Bool { !changes.isEmpty || creep != nil }

  /// The newest level over the oldest; nil where either is 0.
  package var ratio: Double? {
    guard let first = levels.first?.middle, let last = levels.last?.middle, first > 0, last > 0
    else { return nil }
    return last / first
  }
}

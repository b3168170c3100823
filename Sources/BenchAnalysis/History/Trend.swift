import BenchResults
import Foundation

package struct HistoryPoint: Equatable, Sendable {
  package let run: HistoryRun
  package let figure: HistoryFigure

  package init(run: HistoryRun, figure: HistoryFigure) {
    (self.run, self.figure) = (run, figure)
  }
}

/// One series over time: its levels and its changes.
package struct Trend: Sendable {
  package let key: HistoryKey
  /// The figures, the oldest run first. There is at least one.
  package let points: [HistoryPoint]
  /// The number of the series among those of its name, from 1. Another machine, toolchain or menu starts a new one.
  package let number: Int
  /// The number of series of this name.
  package let of: Int
  /// Whether all runs of one program give the same figure, within a gate's tolerance: one run proves a change.
  package let isExact: Bool
  /// The stretches between steps; a single one if there was no step.
  package let levels: [Level]
  /// The changes that exceed a gate's tolerance, the oldest first.
  package let changes: [Change]

  /// A stretch of runs that differ only by noise, or not at all if the figure is exact.
  package struct Level: Equatable, Sendable {
    package let places: Range<Int>
    package let middle: Double
  }

  /// - Parameter control: the time of the control of the same cell in each run, by run id.
  package init(
    _ key: HistoryKey, _ points: [HistoryPoint], number: Int = 1, of: Int = 1,
    control: [String: Double] = [:]
  ) {
    let (values, metric) = (points.map(\.figure.p50), key.metric)
    // Resident memory and page faults differ between runs, as times do.
    let isExact = HistoryContext.Kind(metric) != .other && !Self.alternates(values)
    // Inexact values above 0 are compared by ratio, so that a step counts the same at any level.
    let scaled = values.allSatisfy { $0 > 0 } ? values.map { log($0) } : values
    let starts =
      isExact
      ? values.indices.dropFirst().filter { Self.differ(points[$0 - 1].figure, points[$0].figure) }
      : Statistics.changePoints(scaled)
    let bounds = [0] + starts + [values.count]
    let levels = zip(bounds, bounds.dropFirst()).map { start, end in
      Level(places: start..<end, middle: Statistics.median(Array(values[start..<end])) ?? 0)
    }
    func change(_ old: Int, _ new: Int, isSudden: Bool) -> Change {
      let (first, last) = (levels[old].places, levels[new].places)
      return Change(
        places: isSudden
          ? last.lowerBound...last.lowerBound : first.lowerBound...last.upperBound - 1,
        before: levels[old].middle, after: levels[new].middle, better: metric.better,
        isSudden: isSudden,
        control: metric.unit == .nanoseconds
          ? Self.ratio(control, points[first], points[last]) : nil)
    }
    func isLarge(_ change: Change) -> Bool {
      abs(change.size) > key.floor(from: change.before, isExact: isExact)
    }
    // Levels that a line explains better, and small steps, add up from one sudden change to the next.
    var (found, start, place) = ([Change](), 0, 0)
    while place + 1 < levels.count {
      let slope: Int? =
        isExact
        ? nil
        : (place + 1..<levels.count).last {
          Statistics.isSlope(scaled, levels[place...$0].map(\.places))
        }
      let next = slope ?? place + 1
      let step = change(place, next, isSudden: slope == nil)
      if step.isSudden && isLarge(step) {
        found += [change(start, place, isSudden: false), step]
        start = next
      }
      place = next
    }
    found.append(change(start, place, isSudden: false))
    (self.key, self.points, self.number, self.of) = (key, points, number, of)
    (self.isExact, self.levels) = (isExact, levels)
    // A metric that describes the circumstances of a time has no better or worse values.
    changes = metric.isContext ? [] : found.filter(isLarge)
  }

  /// Whether all blocks of one run differ from all blocks of another, which an exact figure's interval tells.
  private static func differ(_ old: HistoryFigure, _ new: HistoryFigure) -> Bool {
    let (old, new) = (
      old.interval ?? Interval(low: old.p50, high: old.p50),
      new.interval ?? Interval(low: new.p50, high: new.p50)
    )
    return new.low > old.high || old.low > new.high
  }

  /// Whether a figure often returns to earlier values. Such a figure is not exact, whatever its metric says.
  private static func alternates(_ values: [Double]) -> Bool {
    var seen: Set<Double> = []
    let moves = zip(values, [Double.nan] + values).filter { $0.0 != $0.1 }
    let returns = moves.count { !seen.insert($0.0).inserted }
    return returns > max(2, values.count / 10)
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
    /// The indices of the runs in which it came. A sudden change has one, the first at the new level.
    package let places: ClosedRange<Int>
    package let before: Double
    package let after: Double
    let better: Direction
    /// Whether it is one step. Otherwise the figure moved little by little.
    package let isSudden: Bool
    /// The control's ratio over the same change, which the code cannot affect, or nil if unknown.
    package let control: Double?

    package var isWorse: Bool { (after > before) == (better == .lower) }

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

  /// The fewest runs in which a change can be detected.
  package var fewestRuns: Int { isExact ? 2 : 2 * Statistics.shortestLevel }

  package var isChanged: Bool { !changes.isEmpty }

  /// The median of the oldest level.
  package var was: Double { levels[0].middle }
  /// The figure of the newest run.
  package var now: Double { points[points.count - 1].figure.p50 }

  /// The newest level over the oldest, or nil if either is 0.
  package var ratio: Double? {
    let last = levels[levels.count - 1].middle
    return was > 0 && last > 0 ? last / was : nil
  }
}

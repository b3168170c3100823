import Basics
import BenchResults
import Foundation

/// The unit in which the sizes of a run's menus are counted.
struct MenuSizeUnit {
  /// The unit in the plural: `slot options`, or `things in all` if the menus do not share one.
  let noun: String
  private let isOfAll: Bool

  /// Finds the unit that all menus share.
  init(of menus: [MenuInfo]) {
    let named = menus.map { menu in
      menu.sizedBy.flatMap { noun in
        menu.counts.contains { $0.of == noun && $0.count > 0 } ? noun : nil
      }
    }.distinct
    isOfAll = named.count != 1 || named[0] == nil
    noun = isOfAll ? "things in all" : named[0] ?? ""
  }

  func size(of menu: MenuInfo) -> Double {
    let counts = menu.counts.filter { isOfAll || $0.of == noun }
    return Double(counts.reduce(0) { $0 + $1.count })
  }
}

/// A size at which another backend becomes the cheapest, or the recommended one.
package struct Crossover: Equatable, Sendable {
  /// The backends that are ahead below it: one, or several too close to call.
  package let from: [String]
  package let to: [String]
  /// The largest measured size at which ``from`` is still ahead.
  package let below: Double
  /// The smallest measured size at which ``to`` is ahead.
  package let above: Double
  /// The size at which both are about level. The logarithm of the ratio of costs or scores is
  /// interpolated linearly over the logarithm of the size. Nil if one of them has no figure there.
  package let about: Double?
  /// Whether enough blocks prove it on both sides.
  package let isProven: Bool

  /// Finds where the cheaper of two backends changes, among the sizes at which both have a figure.
  /// Sizes at which they are too close to call are skipped.
  static func all(_ first: GrowthCurve, _ other: GrowthCurve, _ column: CostColumn) -> [Crossover] {
    let duels = zip(first.points, other.points).compactMap {
      PairwiseCrossover($0, $1, column.metric.better)
    }
    // Most pairs never change sides, and need no intervals.
    guard Set(duels.map(\.isFirstAhead)).count > 1 else { return [] }
    let clear = duels.indices.filter { duels[$0].lead?.isLevel == false }
    return zip(clear, clear.dropFirst()).compactMap { start, end in
      let (before, after) = (duels[start], duels[end])
      guard before.isFirstAhead != after.isFirstAhead else { return nil }
      let sign = before.isFirstAhead ? 1.0 : -1
      let points = duels[start...end].map { (size: $0.size, distance: sign * $0.distance) }
      let names = before.isFirstAhead ? [first, other] : [other, first]
      return Crossover(
        from: [names[0].backend], to: [names[1].backend], below: before.size, above: after.size,
        about: Statistics.crossing(points)?.about,
        isProven: [before, after].allSatisfy { $0.lead?.isUnproven == false })
    }
  }
}

private struct PairwiseCrossover {
  let size: Double
  /// The logarithm of the other's cost over the first's: above 0 while the first is ahead.
  let distance: Double
  private let figures: (first: CostFigure, other: CostFigure)
  private let better: Direction

  var isFirstAhead: Bool { distance > 0 }

  /// The cost of the one behind over that of the one ahead.
  var lead: ScoreRatio? {
    distance < 0
      ? figures.first.ratio(to: figures.other, better)
      : figures.other.ratio(to: figures.first, better)
  }

  /// Returns nil if either has no figure, if there is no finite multiple, or if only one flushes each save.
  init?(_ first: GrowthPoint, _ other: GrowthPoint, _ better: Direction) {
    guard let one = first.entry.figure, let two = other.entry.figure,
      one.isUnflushed == two.isUnflushed, let multiple = two.multiple(of: one, better)
    else { return nil }
    (size, distance) = (first.size, log(multiple))
    figures = (one, two)
    self.better = better
  }
}

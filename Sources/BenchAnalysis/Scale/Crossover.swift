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
    let all = zip(first.points, other.points).compactMap { PairwiseCrossover($0, $1, column) }
    // Leads take long to compute, and most pairs never change sides.
    guard Set(all.map(\.isFirstAhead)).count > 1 else { return [] }
    let duels = all.map { (duel: $0, lead: $0.lead(in: column)) }
    let clear = duels.indices.filter { !duels[$0].lead.isClose }
    return zip(clear, clear.dropFirst()).compactMap { start, end in
      let (before, after) = (duels[start], duels[end])
      guard before.duel.isFirstAhead != after.duel.isFirstAhead else { return nil }
      let sign = before.duel.isFirstAhead ? 1.0 : -1
      let points = duels[start...end].map {
        (size: $0.duel.size, distance: sign * $0.duel.distance)
      }
      let names = before.duel.isFirstAhead ? [first, other] : [other, first]
      return Crossover(
        from: [names[0].backend], to: [names[1].backend], below: before.duel.size,
        above: after.duel.size, about: Statistics.crossing(points)?.about,
        isProven: !before.lead.isUnproven && !after.lead.isUnproven)
    }
  }
}

private struct PairwiseCrossover {
  let size: Double
  /// The logarithm of the other's cost over the first's: above 0 while the first is ahead.
  let distance: Double
  private let figures: [CountedFigure]

  var isFirstAhead: Bool { distance > 0 }

  /// Returns nil if either has no figure, or a figure of 0, or if only one flushes each save.
  init?(_ first: GrowthPoint, _ other: GrowthPoint, _ column: CostColumn) {
    guard let one = first.entry.figure, let two = other.entry.figure,
      one.counted > 0, two.counted > 0, one.isUnflushed == two.isUnflushed
    else { return nil }
    size = first.size
    let isLower = column.metric.better == .lower
    distance = log(isLower ? two.counted / one.counted : one.counted / two.counted)
    figures = [
      CountedFigure("first", one, column, .off), CountedFigure("other", two, column, .off),
    ]
  }

  func lead(in column: CostColumn) -> Advantage {
    let isFirst = distance >= 0
    return Advantage(figures[isFirst ? 0 : 1], over: figures[isFirst ? 1 : 0], in: column)
  }
}

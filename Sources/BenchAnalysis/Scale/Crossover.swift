import Basics
import BenchResults
import Foundation

/// What the sizes of a run's menus are counted in.
struct MenuSizeUnit {
  /// In the plural: `slot options`, or `things in all` where the menus do not agree on one.
  let noun: String
  private let isOfAll: Bool

  /// Finds what all of them can be counted in.
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

/// A size at which another backend becomes the one that costs less, or the one to take.
package struct Crossover: Equatable, Sendable {
  /// What is ahead below it: one, or several too close to call.
  package let from: [String]
  package let to: [String]
  /// The largest size measured at which the old one is still ahead.
  package let below: Double
  /// The smallest size measured at which the new one is.
  package let above: Double
  /// About where they are level: a straight line between two sizes, of the logarithm of the ratio of
  /// costs or scores over the logarithm of the size. Nil where one of them has none there.
  package let about: Double?
  /// Whether enough blocks say so on both sides.
  package let isProven: Bool

  /// Where the cheaper of two backends changes, along the sizes that both have a figure at. A size
  /// at which they are too close to call is on nobody's side: it is looked past.
  static func all(_ first: GrowthCurve, _ other: GrowthCurve, _ column: CostColumn) -> [Crossover] {
    let all = zip(first.points, other.points).compactMap { Duel($0, $1, column) }
    // The blocks' own word takes long, and most pairs change sides nowhere.
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

private struct Duel {
  let size: Double
  /// The logarithm of the other's cost over the first's: above 0 while the first is ahead.
  let distance: Double
  private let figures: [CountedFigure]

  var isFirstAhead: Bool { distance > 0 }

  /// Nil where one of them has no figure, or nothing to take a ratio of.
  init?(_ first: GrowthPoint, _ other: GrowthPoint, _ column: CostColumn) {
    guard let one = first.entry.figure, let two = other.entry.figure,
      one.counted > 0, two.counted > 0
    else { return nil }
    size = first.size
    let isLower = column.metric.better == .lower
    distance = log(isLower ? two.counted / one.counted : one.counted / two.counted)
    figures = [
      CountedFigure("first", one, column, .off), CountedFigure("other", two, column, .off),
    ]
  }

  func lead(in column: CostColumn) -> Lead {
    let isFirst = distance >= 0
    return Lead(figures[isFirst ? 0 : 1], over: figures[isFirst ? 1 : 0], in: column)
  }
}

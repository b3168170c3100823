import Basics
import BenchResults
import Foundation

/// How costs grow with the menu: curves, their exponents, crossovers, and what is worse than linear.
package struct ScaleReport: Sendable {
  /// The run.
  package let record: RunRecord
  /// What sizes are counted in, such as `slot options`.
  package let noun: String
  /// The menus, the smallest first; of several of one size the first.
  package let menus: [SizedMenu]
  /// The menus left out, since another is as large.
  package let twins: [String]
  /// The deciding costs of every workload, then the bytes stored and the peak of the heap; what of
  /// them was measured.
  package let costs: [ScaledCost]
  /// What grows worse than linearly, then what looks like it.
  package let conclusions: [Conclusion]
  /// The run as any other report shows it.
  package let run: Report

  /// A menu with its size.
  package struct SizedMenu: Equatable, Sendable {
    /// The menu's name.
    package let name: String
    /// How large it is, in ``ScaleReport/noun``.
    package let size: Double
  }

  /// Looks along the sizes of a run's menus.
  package init(record: RunRecord) { self.init(of: Report(record: record)) }

  /// The same of a run whose report is made already.
  package init(of run: Report) {
    let record = run.record
    let unit = MenuSizeUnit(of: record.menus)
    let sized = record.menus.map { SizedMenu(name: $0.name, size: unit.size(of: $0)) }
    let menus = sized.uniqued(on: \.size).sorted { $0.size < $1.size }
    let floors = FloorBound.all(record)
    let sheets = menus.map {
      (size: $0.size, sheet: CostTable(menu: $0.name, of: record, floors: floors))
    }
    let backends = sheets.flatMap(\.sheet.backends).distinct
    let columns = sheets.flatMap(\.sheet.columns) + sheets.flatMap(\.sheet.sizes)
    let costs = columns.distinct.map { ScaledCost($0, sheets, backends: backends) }
    self.run = run
    self.record = record
    self.menus = menus
    self.costs = costs
    noun = unit.noun
    twins = sized.filter { !menus.contains($0) }.map(\.name)
    let conclusions = costs.flatMap { cost in
      cost.curves.compactMap { $0.conclusion(cost.column, unit.noun) }
    }
    self.conclusions =
      conclusions.filter { $0.severity == .warning }
      + conclusions.filter { $0.severity != .warning }
  }

  /// Every backend, in the record's order.
  package var backends: [String] { costs.first?.curves.map(\.backend) ?? [] }
}

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

  /// How many of them a menu has.
  func size(of menu: MenuInfo) -> Double {
    let counts = menu.counts.filter { isOfAll || $0.of == noun }
    return Double(counts.reduce(0) { $0 + $1.count })
  }
}

/// A size at which another backend becomes the one that costs less.
package struct Crossover: Equatable, Sendable {
  /// What costs less below it.
  package let from: String
  /// What costs less above it.
  package let to: String
  /// The largest size before it at which the one is clearly ahead.
  package let below: Double
  /// The smallest size after it at which the other is.
  package let above: Double
  /// About where they are level: see ``AnswerChange/about``.
  package let about: Double?
  /// Whether enough blocks say so on both sides.
  package let isProven: Bool
}

extension Crossover {
  /// Where the cheaper of two backends changes, along the sizes that both have a figure at.
  ///
  /// A size at which they are too close to call is on nobody's side: it is looked past.
  static func all(_ first: GrowthCurve, _ other: GrowthCurve, _ column: CostColumn) -> [Crossover] {
    let all = zip(first.points, other.points).compactMap { Duel($0, $1, column) }
    // What blocks say takes long to know, and most pairs change sides nowhere.
    guard Set(all.map(\.isFirstAhead)).count > 1 else { return [] }
    let duels = all.map { (duel: $0, lead: $0.lead(in: column)) }
    let clear = duels.indices.filter { !duels[$0].lead.isClose }
    return zip(clear, clear.dropFirst()).compactMap { start, end in
      let (before, after) = (duels[start], duels[end])
      guard before.duel.isFirstAhead != after.duel.isFirstAhead else { return nil }
      return Crossover(
        from: before.duel.isFirstAhead ? first.backend : other.backend,
        to: after.duel.isFirstAhead ? first.backend : other.backend,
        below: before.duel.size, above: after.duel.size, about: level(all[start...end]),
        isProven: !before.lead.isUnproven && !after.lead.isUnproven)
    }
  }

  /// Where the last of them change sides.
  private static func level(_ duels: ArraySlice<Duel>) -> Double? {
    guard let sign = duels.first.map({ $0.isFirstAhead ? 1.0 : -1 }) else { return nil }
    let points = duels.map { (size: $0.size, distance: sign * $0.distance) }
    let steps = Array(zip(points, points.dropFirst()))
    return steps.last { $0.distance > 0 && $1.distance <= 0 }.flatMap(Statistics.level)
  }
}

/// Two backends' figures at one size.
private struct Duel {
  let size: Double
  /// The logarithm of the other's cost over the first's: above 0 while the first is ahead.
  let distance: Double
  private let first: CostFigure
  private let other: CostFigure

  var isFirstAhead: Bool { distance > 0 }

  /// Nil where one of them has no figure, or nothing to take a ratio of.
  init?(_ first: GrowthPoint, _ other: GrowthPoint, _ column: CostColumn) {
    guard let one = first.entry.figure, let two = other.entry.figure,
      one.counted > 0, two.counted > 0
    else { return nil }
    let isLower = column.metric.better == .lower
    size = first.size
    distance = log(isLower ? two.counted / one.counted : one.counted / two.counted)
    (self.first, self.other) = (one, two)
  }

  /// How surely the one is ahead of the other.
  func lead(in column: CostColumn) -> Lead {
    let figures = [("first", first), ("other", other)].map {
      CountedFigure($0, $1, column, .off)
    }
    return distance >= 0
      ? Lead(figures[0], over: figures[1], in: column)
      : Lead(figures[1], over: figures[0], in: column)
  }
}

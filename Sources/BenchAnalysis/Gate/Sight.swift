import Basics
import BenchResults
import Foundation

/// What a gate can see of its times with so many pairs of blocks of each cell.
package struct Sight: Equatable, Sendable {
  /// How many standard errors beyond what is needed a change must lie to be suspected and confirmed four times in
  /// five. Tried in `SightTests`: the error is learned from few pairs, and a cell whose first pairs hint at nothing
  /// gets no more.
  fileprivate static let margin = 2.1

  /// Pairs of each cell, of those that have most.
  package var pairs: Int
  /// The ratio, above 1, that half of the rows show with a chance of four in five.
  package var half: Double
  /// The ratio that three rows of four show; infinite where they show nothing.
  package var most: Double
  /// The row that shows least, and from what ratio on; infinite where it shows nothing.
  package var dullest: Series.Key
  package var least: Double
}

extension SequentialTest {
  /// What the gate will be able to see at each planned look, by the noise of the first pairs, where cells that
  /// want no more get none; looks at which no flag is possible are left out, and all where no row has a ratio
  /// in all those pairs.
  package func foreseen(from first: Int) -> [Sight] {
    let sights = plan.screening.compactMap { pairs in
      sight { cell in (first, screening.isOpen(cell) ? pairs : first) }
    }
    return sights.grouped(by: \.pairs).compactMap(\.elements.first)
  }

  /// What it could see in the end, each cell by its own noise and pairs; nil before the first look.
  package var seen: Sight? {
    sight { cell in cell.screened.map { ($0, $0) } }
  }

  /// What can be seen with so many pairs of each cell, by the noise of so many known.
  ///
  /// A row's change is known with a standard error that falls with the square root of the pairs. To be suspected
  /// an estimate must lie Student's t of these from 0, at the level of one test among all rows and looks, and
  /// beyond the floor; to be confirmed that of the fresh pairs must, at the level of one row. A change that is
  /// ``Sight/margin`` errors further than either does both four times in five.
  private func sight(_ pairs: (PairedCell) -> (known: Int, all: Int)?) -> Sight? {
    var changes: [(key: Series.Key, change: Double)] = []
    var most = 0
    for cell in screening.cells {
      guard let (known, all) = pairs(cell) else { continue }
      for row in cell.rows where !row.isSecondary {
        let level = Judge.alpha / screening.tests(of: row)
        guard let error = row.error(ofFirst: known) else { continue }
        guard Statistics.signFlipSmallest(count: all) < level,
          let reach = Statistics.studentT(1 - level, all - 1)
        else {
          // So few pairs show nothing of it, however large.
          changes.append((row.key, .infinity))
          continue
        }
        let floor = EffectFloor(
          noise: screening.noise, tolerance: row.tolerance, layout: row.layout
        ).flagged
        let fresh = plan.confirmation
        let confirming = Statistics.studentT(1 - Judge.alpha, fresh - 1) ?? .infinity
        let needed = [(all, reach), (fresh, confirming)].map { pairs, reach in
          let error = error * (Double(known) / Double(pairs)).squareRoot()
          return max(floor, reach * error) + Sight.margin * error
        }
        changes.append((row.key, needed.max() ?? .infinity))
      }
      most = max(most, all)
    }
    let all = changes.map(\.change)
    guard let half = Statistics.median(all), let usual = Statistics.quantile(0.75, of: all),
      let dullest = changes.max(by: { $0.change < $1.change }), half.isFinite
    else { return nil }
    return Sight(
      pairs: most, half: exp(half), most: exp(usual), dullest: dullest.key,
      least: exp(dullest.change))
  }
}

extension PairedRow {
  /// The standard error of the change by the first pairs, if all have a ratio.
  fileprivate func error(ofFirst pairs: Int) -> Double? {
    let known = differences.prefix(pairs).compactMap(\.self)
    return known.count == pairs ? Statistics.trimmedMeanError(known) : nil
  }
}

import Basics
import BenchResults
import Foundation

/// The changes of times that a gate can detect with a certain number of pairs per cell.
package struct DetectableChange: Equatable, Sendable {
  /// How many standard errors above the needed effect a change must be to be suspected and confirmed
  /// with a probability of 80 %. `DetectableChangeTests` checks it. It allows for an error that is estimated from
  /// few pairs, and for cells that get no more pairs since the first hint at nothing.
  fileprivate static let margin = 2.1

  /// The largest number of pairs that a cell has.
  package var pairs: Int
  /// The ratio above 1 that half of the rows show with a probability of 80 %.
  package var half: Double
  /// The ratio that three quarters of the rows show; infinite if they show nothing.
  package var most: Double
  /// The least sensitive row. The ratio that it shows is `least`, infinite if it shows nothing.
  package var leastSensitive: Series.Key
  package var least: Double
}

extension SequentialTest {
  /// Returns what the gate will detect at each planned interim analysis, by the noise of the first
  /// pairs. Cells that want no more pairs are assumed to get none. Leaves out an analysis if half
  /// of the rows cannot be flagged in it, or empty if no row has a ratio in all first pairs.
  package func foreseen(from first: Int) -> [DetectableChange] {
    let sights = plan.screening.compactMap { pairs in
      sight { cell in (first, screening.isOpen(cell) ? pairs : first) }
    }
    return sights.grouped(by: \.pairs).compactMap(\.elements.first)
  }

  /// The changes it detects in the end, by each cell's noise and pairs; nil before the first analysis.
  package var seen: DetectableChange? {
    sight { cell in cell.screened.map { ($0, $0) } }
  }

  /// Returns what `all` pairs of each cell can detect, by the noise of the `known` ones.
  ///
  /// The standard error of a row's change falls with the square root of the pairs. A suspected
  /// estimate must exceed the floor and Student's t of these errors, at the level of one test among
  /// all rows and analyses. A confirmed one must do so in the fresh pairs, at the level of one row.
  /// A change that is ``DetectableChange/margin`` errors larger passes both with a probability of 80 %.
  private func sight(_ pairs: (PairedCell) -> (known: Int, all: Int)?) -> DetectableChange? {
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
          // So few pairs cannot show a change, however large.
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
          return max(floor, reach * error) + DetectableChange.margin * error
        }
        changes.append((row.key, needed.max() ?? .infinity))
      }
      most = max(most, all)
    }
    let all = changes.map(\.change)
    guard let half = Statistics.median(all), let usual = Statistics.quantile(0.75, of: all),
      let leastSensitive = changes.max(by: { $0.change < $1.change }), half.isFinite
    else { return nil }
    return DetectableChange(
      pairs: most, half: exp(half), most: exp(usual), leastSensitive: leastSensitive.key,
      least: exp(leastSensitive.change))
  }
}

extension PairedRow {
  /// Returns the standard error of the change in the first pairs, if all have a ratio.
  fileprivate func error(ofFirst pairs: Int) -> Double? {
    let known = differences.prefix(pairs).compactMap(\.self)
    return known.count == pairs ? Statistics.trimmedMeanError(known) : nil
  }
}

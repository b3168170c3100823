import BenchResults
import Foundation

/// One judged row of a gate: its pairs, turn by turn.
struct PairedRow: Sendable {
  var key: Series.Key
  var metric: Metric
  /// The baseline's median, for show; nil if unknown.
  var baselineP50: Double?
  /// ln(candidate / baseline) of every turn; nil where a half is absent or not above 0.
  var differences: [Double?]
  /// The log ratio that was declared to be no matter.
  var tolerance = 0.0
  /// Whether every value is 0, which is no change without any ratio.
  var isAllZero = false

  /// What the pairs of some turns say; nil where one of them has no ratio, since leaving pairs out
  /// for their values would bend the evidence.
  func evidence(_ turns: Range<Int>) -> LogRatio? { differences.evidence(turns) }
}

extension [Double?] {
  /// What the pairs of some turns say; nil of none and where one has no ratio.
  func evidence(_ turns: Range<Int>) -> LogRatio? {
    guard turns.upperBound <= count else { return nil }
    let known = self[turns].compactMap { $0 }
    return known.count == turns.count ? LogRatio(differences: known) : nil
  }
}

/// One cell of a gate: its judged rows and its control, all of the same turns.
struct PairedCell: Sendable {
  var cell: Cell
  /// The rows that are judged; those that cannot be told from an empty sample are not among them.
  var rows: [PairedRow]
  /// ln(candidate / baseline) of the control; nil where none was timed on both sides.
  var control: [Double?]?
  /// How many pairs of blocks there are.
  var turns: Int
  /// Whether no more will come, as of a cell that failed.
  var isStopped = false
}

import BenchAnalysis
import BenchHarness
import BenchResults
import Foundation

/// What a self-test found.
struct SelfTestFindings: Sendable {
  /// Where it was measured.
  var machine: Machine
  /// What was measured, in words.
  var setup: String
  /// How much pairs of blocks of one program differ, by row.
  var spread: [BlockSpread] = []
  /// Gates replayed with nothing changed.
  var falseAlarms: Replayed?
  /// Gates replayed with one phase slowed down.
  var slowdowns: [Slowdown] = []
  /// What counts came to.
  var exact: ExactFindings?
  /// Real gates with nothing changed.
  var gates: [RealGate] = []

  /// Gates replayed from recorded pairs.
  struct Replayed: Sendable {
    var tally: ReplayTally
    /// What one suite's verdict took, measuring aside.
    var secondsPerVerdict: Double
  }

  /// Gates replayed with one phase slowed down.
  struct Slowdown: Sendable {
    /// The cell and the phase, in words.
    var target: String
    /// The part of the phase's own time that was added.
    var injected: Double
    /// The spread of the pairs that it was found in; nil if unknown.
    var deviation: Double?
    var replayed: Replayed
  }

  /// One whole gate.
  struct RealGate: Sendable {
    /// Seconds from start to verdict.
    var seconds: Double
    /// The rows by verdict.
    var verdicts: [Verdict]
  }
}

/// How much the pairs of one row differ where nothing was changed.
struct BlockSpread: Sendable {
  var key: Series.Key
  /// The robust standard deviation of ln(candidate / baseline) over pairs.
  var deviation: Double

  /// The rows of wall time.
  static func all(_ records: Sides<RunRecord>) -> [BlockSpread] {
    let old = Dictionary(records.baseline.cells.map { ($0.key, $0) }) { first, _ in first }
    return records.candidate.cells.compactMap { series in
      guard series.isJudged, series.metric.id == Metric.wall.id,
        let new = series.blockMedians, let before = old[series.key]?.blockMedians,
        let deviation = Statistics.robustDeviation(zip(new, before).map { log($0 / $1) })
      else { return nil }
      return BlockSpread(key: series.key, deviation: deviation)
    }
  }
}

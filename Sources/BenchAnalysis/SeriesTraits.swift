import BenchResults
@_exported import BenchStatistics

extension Metric {
  /// Whether any change beyond a tolerance is a verdict: for exact metrics, and for those that
  /// hardly differ between two runs of one program.
  package var isDeterministic: Bool {
    isExact || [Self.instructions, .peakRSSBytes, .pageFaults].contains { $0.id == id }
  }

  /// Whether it describes the circumstances of a time, and is neither better nor worse.
  var isContext: Bool { id == Self.residentShare.id }

  /// Whether a record's facts of this metric are not those that this program knows. A record must not decide which
  /// way is better, or whether its counts are exact.
  package var hasOtherFacts: Bool {
    Self.all.first { $0.id == id }.map { $0 != self } ?? false
  }
}

extension [Series] {
  /// The series by key; the first one if a key occurs several times.
  package var byKey: [Series.Key: Series] {
    Dictionary(map { ($0.key, $0) }) { first, _ in first }
  }
}

extension Series {
  /// The phase of fixed work that no change can touch. If it moves, the machine's speed moved.
  package static let controlPhase = "control"
  /// A checkpoint, and the share of it that a save is charged with. Costs of saves contain the share.
  static let checkpointPhases: Set = ["checkpoint", "checkpoint-share"]

  /// Whether the phase is a lower bound for others, not work of the backend's own.
  package var isFloor: Bool { phase.hasPrefix("floor-") }

  package var isControl: Bool { phase == Self.controlPhase }

  /// Whether it gets verdicts. Floors and the control do not, since they move with the machine
  /// alone.
  package var isJudged: Bool { !isFloor && !isControl }

  /// The median of every block that has values, in run order, or nil without any, or if a value is not
  /// finite.
  package var blockMedians: [Double]? {
    guard blocks.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return nil }
    let medians = blocks.compactMap(Statistics.median)
    return medians.isEmpty ? nil : medians
  }

  /// Whether it is the wall time of the control, which shows drift.
  var isTimedControl: Bool { isControl && metric.id == Metric.wall.id }

  /// Whether an exact metric's blocks differ, so that it was not exact after all.
  package var disagrees: Bool {
    metric.isExact && Set(blockMedians ?? []).count > 1
  }
}

extension Summary {
  /// Summarises a series, or nil if it has no values or one is not finite.
  package init?(_ series: Series) {
    self.init(blocks: series.blocks, isExact: series.metric.isExact)
  }
}

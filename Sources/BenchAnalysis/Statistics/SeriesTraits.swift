import BenchResults

extension Metric {
  /// Whether any change of it beyond a tolerance is a verdict: exact metrics, and those that two runs
  /// of one program give alike but for a little.
  package var isHard: Bool {
    isExact || [Self.instructions, .peakRSSBytes, .pageFaults].contains { $0.id == id }
  }

  /// Whether it tells under which circumstances a time was taken, and is neither better nor worse.
  var isCircumstance: Bool { id == Self.residentShare.id }

  /// Whether it is a second look at what wall time judges, where that is judged: it keeps no cell open
  /// that has no other reason, unless it may have moved. Only blocks that take turns have it.
  package var isSecondary: Bool { id == Self.meanWall.id }
}

extension [Series] {
  /// The series by their keys; of several of one key the first.
  package var byKey: [Series.Key: Series] {
    Dictionary(map { ($0.key, $0) }) { first, _ in first }
  }
}

extension Series {
  /// The phase of fixed work that no change can touch: where it moves, the machine moved.
  package static let controlPhase = "control"

  /// Whether the phase bounds others from below and is no work of the backend's own.
  package var isFloor: Bool { phase.hasPrefix("floor-") }

  package var isControl: Bool { phase == Self.controlPhase }

  /// Whether verdicts are given on it: it is neither a floor nor the control, which move with the
  /// machine alone.
  package var isJudged: Bool { !isFloor && !isControl }

  /// The median of every block that holds values, in run order; nil where there is none, or where a
  /// value is no finite number.
  package var blockMedians: [Double]? {
    guard blocks.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return nil }
    let medians = blocks.compactMap(Statistics.median)
    return medians.isEmpty ? nil : medians
  }

  /// Whether it is the wall time of the control, by which drift is seen.
  var isTimedControl: Bool { isControl && metric.id == Metric.wall.id }

  /// Whether a paired gate gives a verdict on it by its tests: times alone. Other metrics that are
  /// not exact are counted in a few blocks and come in steps, which no test of pairs suits.
  var isTimedAndJudged: Bool {
    metric.isTime && !metric.isExact && !metric.isCircumstance && isJudged
  }

  /// Whether an exact metric's blocks differ, so that it was not exact after all.
  package var disagrees: Bool {
    metric.isExact && Set(blockMedians ?? []).count > 1
  }
}

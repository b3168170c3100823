import BenchResults

extension Metric {
  /// Whether any change of it beyond a tolerance is a verdict: exact metrics, and instructions,
  /// which are all but exact.
  var isHard: Bool { isExact || id == Self.instructions.id }
}

extension Series {
  /// The phase of fixed work that no change can touch: where it moves, the machine moved.
  public static let controlPhase = "control"

  /// Whether the phase bounds others from below and is no work of the backend's own.
  public var isFloor: Bool { phase.hasPrefix("floor-") }

  /// Whether the phase is the control.
  public var isControl: Bool { phase == Self.controlPhase }

  /// Whether verdicts are given on it: it is neither a floor nor the control, which move with the
  /// machine alone.
  public var isJudged: Bool { !isFloor && !isControl }

  /// The median of every block that holds values, in run order; nil where there is none, or where a
  /// value is no finite number.
  public var blockMedians: [Double]? {
    guard blocks.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return nil }
    let medians = blocks.compactMap(Statistics.median)
    return medians.isEmpty ? nil : medians
  }

  /// Whether it is the wall time of the control, by which drift is seen.
  var isTimedControl: Bool { isControl && metric.id == Metric.wall.id }

  /// Whether a paired gate gives a verdict on it by its tests: times alone. Other metrics that are
  /// not exact are counted in a few blocks and come in steps, which no test of pairs suits.
  var isTimedAndJudged: Bool { metric.isTime && !metric.isExact && isJudged }

  /// How far the block medians lie apart; 0 of none.
  var range: Double {
    let medians = blockMedians ?? []
    return (medians.max() ?? 0) - (medians.min() ?? 0)
  }

  /// Whether an exact metric's blocks differ, so that it was not exact after all.
  public var disagrees: Bool {
    metric.isExact && Set(blockMedians ?? []).count > 1
  }
}

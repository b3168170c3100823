/// What a comparison says of one row.
public enum Verdict: Hashable, Sendable {
  /// Worse than the baseline.
  case regressed
  /// Better than the baseline.
  case improved
  /// No change larger than the row's floor could have hidden.
  case unchanged
  /// The data cannot tell, for the reason given.
  case inconclusive(Doubt)
  /// Measured now and not in the baseline.
  case new
  /// Measured in the baseline and not now.
  case missing

  /// The word that stands in CSV.
  public var id: String {
    switch self {
    case .regressed: "regressed"
    case .improved: "improved"
    case .unchanged: "unchanged"
    case .inconclusive: "inconclusive"
    case .new: "new"
    case .missing: "missing"
    }
  }

  /// Whether it is one of the inconclusive ones.
  public var isInconclusive: Bool { if case .inconclusive = self { true } else { false } }
}

/// Why a row is inconclusive.
public enum Doubt: Hashable, Sendable {
  /// The interval is too wide; the ratio is the smallest change, above 1, that this data could have
  /// shown: of a gate, by its own test, interval and threshold; of runs measured apart, by the
  /// interval, before the correction for many rows.
  case wide(smallestChange: Double)
  /// No outcome of so few blocks could have been significant; so many would do on each side.
  case blocks(have: Int, need: Int)
  /// An exact metric's blocks differ within one run.
  case notExact
  /// The control, which no change can touch, moved by this ratio between the runs.
  case drift(Double)
  /// A suspicion, of this ratio, that fresh pairs did not confirm: so many of those needed were
  /// measured.
  case unconfirmed(suspected: Double, fresh: Int, need: Int)
  /// A block median is 0 or below or its other half is absent, so that there is no ratio.
  case noRatio
}

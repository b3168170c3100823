/// One row set against the baseline's.
public struct RowComparison: Hashable, Sendable {
  /// The baseline's median of block medians, in the metric's unit.
  public var baselineP50: Double?
  /// Now over then: for exact metrics of the medians, for others exp of the estimated log ratio;
  /// nil where there is none. Of a flagged row of a gate, that of the confirming pairs alone.
  public var ratio: Double?
  /// Now less then, in the metric's unit; nil outside the hard tier, whose figures are exact.
  public var difference: Double?
  /// The ratio's 95 % bootstrap interval; nil for exact metrics.
  public var interval: Interval?
  /// The test's probability, adjusted by Holm for the rows and, of a screening, for its looks; nil
  /// where no test was made.
  public var adjustedP: Double?
  /// The ratio, above 1, that an effect had to exceed: the largest of 2 %, the learned noise and the
  /// row's tolerance.
  public var threshold: Double?
  /// What it comes to; nil where the two may not be compared or the row is not judged.
  public var verdict: Verdict?

  /// Makes a comparison; what is not given is unknown.
  public init(
    baselineP50: Double? = nil, ratio: Double? = nil, difference: Double? = nil,
    interval: Interval? = nil, adjustedP: Double? = nil, threshold: Double? = nil,
    verdict: Verdict? = nil
  ) {
    self.baselineP50 = baselineP50
    self.ratio = ratio
    self.difference = difference
    self.interval = interval
    self.adjustedP = adjustedP
    self.threshold = threshold
    self.verdict = verdict
  }
}

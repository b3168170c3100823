import BenchResults

/// All values of one metric of one phase.
public struct Samples: Hashable, Sendable {
  /// What was measured.
  public let metric: Metric
  /// The values, in the order in which they were taken.
  public let values: [Double]
  /// How many samples have no value because a counter could not be read then.
  public let lost: Int

  /// Makes a list of values.
  public init(metric: Metric, values: [Double], lost: Int = 0) {
    self.metric = metric
    self.values = values
    self.lost = lost
  }
}

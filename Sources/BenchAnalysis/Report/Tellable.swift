import BenchResults

extension Machine {
  /// How many empty samples a time must be worth to be told from one: at less, a tenth of the figure
  /// or more would be the clock's own cost.
  static let emptySamples = 10.0

  /// What a time must reach to be told from an empty sample: nil where the reading is unknown and of
  /// metrics that no clock gives.
  func leastTellable(_ metric: Metric) -> Double? {
    emptyReading(metric).map { Self.emptySamples * $0 }
  }

  /// The same of a series: a batch is one sample of all its repetitions.
  func leastTellable(_ series: Series) -> Double? {
    leastTellable(series.metric).map { $0 / Double(max(series.batch ?? 1, 1)) }
  }

  /// Whether a median of a series is mostly the clock's own cost; not where either is unknown.
  func isTiny(_ median: Double?, _ series: Series) -> Bool {
    guard let median, let least = leastTellable(series) else { return false }
    return median < least
  }

  /// The median reading of an empty sample.
  func emptyReading(_ metric: Metric) -> Double? {
    switch metric.id {
    case Metric.wall.id, Metric.meanWall.id: emptySample
    case Metric.cpu.id: emptyCPUSample
    default: nil
    }
  }
}

import BenchResults

extension Machine {
  /// How many empty samples a time must be worth to be told from one: at less, a tenth of the figure
  /// or more would be the clock's own cost.
  static let emptySamples = 10.0

  /// The least time of a series that is told from an empty sample, a batch being one sample of all its
  /// repetitions: nil where the reading is unknown and of metrics that no clock gives.
  func leastTellable(_ series: Series) -> Double? {
    let reading =
      switch series.metric.id {
      case Metric.wall.id, Metric.meanWall.id: emptySample
      case Metric.cpu.id: emptyCPUSample
      default: Double?.none
      }
    return reading.map { Self.emptySamples * $0 / Double(max(series.batch ?? 1, 1)) }
  }

  /// Whether a median of a series is mostly the clock's own cost; not where either is unknown.
  func isTiny(_ median: Double?, _ series: Series) -> Bool {
    guard let median, let least = leastTellable(series) else { return false }
    return median < least
  }
}

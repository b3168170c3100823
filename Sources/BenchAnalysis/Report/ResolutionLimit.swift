import BenchResults

extension Machine {
  /// How many empty samples a time must last to stand out. In a shorter time the clock's own cost
  /// would be a tenth or more.
  static let emptySamples = 10.0

  /// Returns the shortest time of a series that stands out from an empty sample and a tick of the clock.
  /// A batch is one sample of all its repetitions. Nil if both are unknown, and for metrics without a clock.
  func resolutionLimit(_ series: Series) -> Double? {
    let reading =
      switch series.metric.id {
      case Metric.wall.id, Metric.meanWall.id:
        [emptySample, clockResolution].compactMap(\.self).max()
      case Metric.cpu.id: emptyCPUSample
      default: Double?.none
      }
    return reading.map { Self.emptySamples * $0 / Double(max(series.batch ?? 1, 1)) }
  }

  /// Whether a median of a series is mostly the clock's own cost. False if either is unknown.
  func isUnresolved(_ median: Double?, _ series: Series) -> Bool {
    guard let median, let least = resolutionLimit(series) else { return false }
    return median < least
  }
}

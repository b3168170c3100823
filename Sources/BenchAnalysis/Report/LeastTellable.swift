import BenchResults

extension Machine {
  /// What a time must reach to be told from an empty sample: twice its reading of that clock; nil
  /// where the reading is unknown and of metrics that no clock gives.
  func leastTellable(_ metric: Metric) -> Double? {
    emptyReading(metric).map { 2 * $0 }
  }

  /// The median reading of an empty sample.
  func emptyReading(_ metric: Metric) -> Double? {
    switch metric.id {
    case Metric.wall.id: emptySample
    case Metric.cpu.id: emptyCPUSample
    default: nil
    }
  }
}

import Histogram

/// Latencies in nanoseconds, kept to three digits in an HdrHistogram.
struct Latencies {
  private var histogram = Histogram<UInt32>(numberOfSignificantValueDigits: .three)

  /// Keeps one.
  mutating func record(_ nanoseconds: UInt64) { histogram.record(nanoseconds) }

  /// Takes over another's.
  mutating func add(_ other: Latencies) { histogram.add(other.histogram) }

  /// How many there are.
  var count: Int { Int(histogram.totalCount) }

  /// What 99 of 100 do not exceed; 0 of none.
  var p99: Double { Double(histogram.valueAtPercentile(99)) }

  /// Each as the middle of its bucket, smallest first.
  var values: [Double] {
    histogram.recordedValues().flatMap { step in
      repeatElement(
        Double(histogram.medianEquivalentForValue(step.value)), count: Int(step.count))
    }
  }
}

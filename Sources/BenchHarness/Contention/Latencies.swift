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

  /// What 99 of 100 do not exceed; nil of none.
  var p99: Double? { count == 0 ? nil : Double(histogram.valueAtPercentile(99)) }

  /// Each as the middle of its bucket, smallest first.
  var values: [Double] {
    histogram.recordedValues().flatMap { step in
      repeatElement(
        Double(histogram.medianEquivalentForValue(step.value)), count: Int(step.count))
    }
  }

  /// By how much the median of some times is above that of others, 0 where it is not; nil where either
  /// are none. Of an even count the upper of the two in the middle is the median.
  static func excess(of times: [UInt64], over others: [UInt64]) -> Double? {
    guard let median = times.middle, let other = others.middle else { return nil }
    return median > other ? Double(median - other) : 0
  }
}

extension [UInt64] {
  fileprivate var middle: UInt64? { isEmpty ? nil : sorted()[count / 2] }
}

/// What a counter moved by, or NaN where either reading failed.
///
/// Counters wrap, so the difference does too, instead of trapping.
func difference<Counter: FixedWidthInteger>(_ before: Counter?, _ after: Counter?) -> Double {
  guard let before, let after else { return .nan }
  return Double(after &- before)
}

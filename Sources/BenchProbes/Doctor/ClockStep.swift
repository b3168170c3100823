extension WallClock {
  /// The smallest step in nanoseconds that this clock was seen to make over so many readings.
  ///
  /// Nil if it never moved.
  public func smallestStep(readings: Int = 100_000) -> Double? {
    var smallest: UInt64?
    var last = now()
    for _ in 0..<max(0, readings) {
      let next = now()
      if next > last { smallest = min(smallest ?? .max, next - last) }
      last = next
    }
    return smallest.map { Double($0) }
  }
}

/// A fixed piece of work of about 200 µs. Its duration shows how fast the machine is.
///
/// It is recorded in each timed block of a run, to distinguish a slow machine from slow code. It mixes
/// integers in a 64 KiB buffer, allocates and builds text, as encoding a menu does.
package final class ControlWork {
  private static let words = 8_192
  private let buffer: UnsafeMutablePointer<UInt64>

  package init() {
    buffer = .allocate(capacity: Self.words)
    buffer.initialize(repeating: 0, count: Self.words)
  }

  deinit { buffer.deallocate() }

  /// Does the work. Returns a checksum that is the same on every call and every platform.
  package func run() -> UInt64 {
    mixIntegers() ^ allocateArrays() ^ buildText()
  }

  private func mixIntegers() -> UInt64 {
    var state: UInt64 = 0
    for index in 0..<Self.words { buffer[index] = UInt64(index) }
    for _ in 0..<5 {
      for index in 0..<Self.words {
        // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
        state = (state ^ buffer[index]) &+ 0x9e37_79b9_7f4a_7c15
        state = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        state = (state ^ (state >> 27)) &* 0x94d0_49bb_1331_11eb
        buffer[index] = state ^ (state >> 31)
      }
    }
    return state
  }

  private func allocateArrays() -> UInt64 {
    var sum: UInt64 = 0
    for count in 1...256 {
      let array = [UInt64](unsafeUninitializedCapacity: count) { elements, filled in
        elements.initialize(repeating: buffer[count])
        filled = elements.count
      }
      blackHole(array)
      sum = array.reduce(sum, &+)
    }
    return sum
  }

  private func buildText() -> UInt64 {
    var text = ""
    for index in 0..<512 {
      text += "позиция "
      text += String(buffer[index] % 10_000)
      text += ";"
    }
    return text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// Measures how steady the machine is by repeating the same work.
package enum Noise {
  /// Repeats the work for this long, at least twice, and returns the spread of its durations.
  ///
  /// Stops after a million repetitions at the latest.
  package static func measure(
    seconds: Double, clock: some WallClock = MonotonicClock(), work: () -> Void
  ) -> Spread? {
    let limit = UInt64(seconds * 1e9)
    let sampler = Sampler(phases: 1, clock: clock)
    let start = clock.now()
    for repetition in 0..<1_000_000 {
      if repetition >= 2, clock.now() &- start >= limit { break }
      sampler.measure(0) { work() }
    }
    return Spread(sampler.series(phase: 0).first?.values ?? [])
  }
}

/// The spread of the durations of identical work.
package struct Spread: Hashable, Sendable {
  package let count: Int
  /// The median duration in nanoseconds.
  package let median: Double
  /// The coefficient of variation, or nil for fewer than two durations or a mean of 0.
  package let cv: Double?
  /// The longest duration divided by the shortest, or nil if the shortest is 0.
  package let worstOverBest: Double?

  /// Describes these durations. Returns nil if there are none.
  package init?(_ durations: [Double]) {
    let sorted = durations.sorted()
    guard let best = sorted.first, let worst = sorted.last else { return nil }
    count = sorted.count
    median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    worstOverBest = best > 0 ? worst / best : nil
    let mean = sorted.reduce(0, +) / Double(count)
    let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    cv = count > 1 && mean > 0 ? (squares / Double(count - 1)).squareRoot() / mean : nil
  }
}

/// The one thread of an app that acts and draws, in simulated time: what is due while it is at work
/// waits, and so does what comes after that.
///
/// Whoever times one piece of work after the other never sees anybody wait. Time is counted in ticks,
/// sixty to a nanosecond, so that a frame at 60 a second is a whole number of them.
struct MainThread {
  /// Ticks of a nanosecond.
  static let ticks = 60
  /// Ticks of a frame: 16.7 ms.
  static let frame = 1_000_000_000

  /// How many frames ended while it was at work, so that nothing could be drawn in time.
  private(set) var missed = 0
  private var free = 0

  /// How many frames there were until it was done with everything.
  var frames: Int { (free + Self.frame - 1) / Self.frame }

  /// The share of its frames that were missed, in percent; nil where there were none.
  var missedShare: Double? { frames == 0 ? nil : Double(missed) / Double(frames) * 100 }

  /// Does a piece of work as soon as it is due and the thread is free.
  ///
  /// - Parameters:
  ///   - due: in ticks.
  ///   - cost: in nanoseconds.
  /// - Returns: the nanoseconds from when it was due until it was done.
  mutating func work(due: Int, cost: Double) -> Double {
    let start = max(due, free)
    free = start + Int((cost * Double(Self.ticks)).rounded())
    missed += max((free - 1) / Self.frame - start / Self.frame, 0)
    return Double(free - due) / Double(Self.ticks)
  }
}

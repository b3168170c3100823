/// How steady the machine is: the same work again and again.
public enum Noise {
  /// Does the work for so many seconds, at least twice, and tells how its durations spread.
  ///
  /// Stops early after a million times. Seconds that are not a number count as 0.
  public static func measure(
    seconds: Double, clock: some WallClock = MonotonicClock(), work: () -> Void
  ) -> Spread? {
    let limit = UInt64(min(max(0, seconds.isNaN ? 0 : seconds), 86_400) * 1e9)
    let sampler = Sampler(phases: 1, clock: clock)
    let start = clock.now()
    for repetition in 0..<1_000_000 {
      if repetition >= 2, clock.now() &- start >= limit { break }
      sampler.measure(0) { work() }
    }
    return Spread(sampler.series(phase: 0).first?.values ?? [])
  }
}

import BenchProbes

/// What takes down what phases cost.
package enum Recorder<Clock: WallClock> {
  /// Times; of short phases those of many times over.
  case timing(Sampler<Clock>, Batches<Clock>)
  /// Counters, and in warm-up what nobody keeps: every phase once.
  case counting(Sampler<Clock>)
  /// Profiles, in the place of figures.
  case profiling(PhaseProfiling)

  var sampler: Sampler<Clock>? {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): sampler
    case .profiling: nil
    }
  }

  /// Does the work of a phase, as one sample or one run.
  func perform<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): try sampler.measure(phase, work)
    case .profiling(let profiling): try profiling.perform(phase, work)
    }
  }

  /// Goes on with the last sample of a phase, or its last run.
  func resume<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): try sampler.resume(phase, work)
    case .profiling(let profiling): try profiling.perform(phase, goingOn: true, work)
    }
  }

  /// Does work that leaves everything as it was, as often over as this recorder takes to see it.
  func performRepeatedly<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .timing(let sampler, let batches):
      try sampler.measure(phase, times: try batches.size(of: phase, work), work)
    case .counting(let sampler): try sampler.measure(phase, work)
    case .profiling(let profiling): try profiling.performRepeatedly(phase, work)
    }
  }

  /// What a phase took the last time, in nanoseconds; nil where it never was measured.
  func lastWall(_ phase: Int) -> Double? {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): sampler.lastWall(phase: phase)
    case .profiling(let profiling): profiling.lastWall(phase)
    }
  }
}

/// What a pass over the work is for, which says what is left out of it.
package enum Purpose: Sendable {
  case timing, counting
  /// Instructions are counted, one by one.
  case tracing
}

/// How many times over short phases are done, so that a sample of them is longer than reading the clock.
package final class Batches<Clock: WallClock> {
  /// What takes longer than so many empty samples is done once.
  private static var longest: Double { 100 }
  private let clock: Clock
  private let empty: Double
  private var sizes: [Int: Int] = [:]

  /// Takes the median of a hundred empty readings for what an empty sample reads.
  package init(clock: Clock) {
    self.clock = clock
    let readings = (0..<101).map { _ in
      let start = clock.now()
      return Double(clock.now() &- start)
    }
    empty = readings.sorted()[50]
  }

  /// The size found for a phase; nil for one.
  func known(_ phase: Int) -> Int? { sizes[phase].flatMap { $0 > 1 ? $0 : nil } }

  /// How often to do a phase: so that it takes about a hundred times as long as an empty sample.
  func size<Result, Failure: Error>(
    of phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Int {
    if let size = sizes[phase] { return size }
    // Twice, since the first time may find less in the processor's caches.
    blackHole(try work())
    let start = clock.now()
    blackHole(try work())
    let took = Double(clock.now() &- start)
    let size =
      took < Self.longest * empty ? Int((Self.longest * empty / max(took, 1)).rounded(.up)) : 1
    sizes[phase] = min(max(size, 1), 1_000)
    return sizes[phase] ?? 1
  }
}

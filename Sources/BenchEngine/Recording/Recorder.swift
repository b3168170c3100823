import BenchProbes
import BenchResults

/// Records the costs of phases.
package enum Recorder<Clock: WallClock> {
  /// Measures times. Short phases are repeated in batches.
  case timing(Sampler<Clock>, Batches<Clock>)
  /// Reads counters, or warms up without keeping figures. Every phase runs once.
  case counting(Sampler<Clock>)
  /// Takes profiles instead of figures.
  case profiling(PhaseProfiling)

  var sampler: Sampler<Clock>? {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): sampler
    case .profiling: nil
    }
  }

  /// Does the work of a phase as one sample or one profiled run.
  func perform<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): try sampler.measure(phase, work)
    case .profiling(let profiling): try profiling.perform(phase, work)
    }
  }

  /// Continues the last sample or run of a phase.
  func resume<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): try sampler.resume(phase, work)
    case .profiling(let profiling): try profiling.perform(phase, goingOn: true, work)
    }
  }

  /// Repeats work that leaves everything unchanged, as often as this recorder needs.
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

  /// Returns the last value of a metric in a phase, or nil if it was never measured.
  func last(_ metric: Metric, _ phase: Int) -> Double? {
    switch self {
    case .timing(let sampler, _), .counting(let sampler): sampler.last(metric, phase: phase)
    case .profiling(let profiling): metric == .wall ? profiling.lastWall(phase) : nil
    }
  }
}

/// The purpose of a pass over the work. Workloads leave out parts that do not suit it.
package enum Purpose: Sendable {
  case timing, counting
  /// Instructions are counted one by one.
  case tracing
}

/// Finds how often to repeat short phases, so that a sample takes much longer than reading the clock.
package final class Batches<Clock: WallClock> {
  /// Phases that take longer than this many empty samples run once.
  private static var longest: Double { 100 }
  private let clock: Clock
  private let empty: Double
  private var sizes: [Int: Int] = [:]

  /// Measures the length of an empty sample: the median of 101 readings.
  package init(clock: Clock) {
    self.clock = clock
    let readings = (0..<101).map { _ in
      let start = clock.now()
      return Double(clock.now() &- start)
    }
    empty = readings.sorted()[50]
  }

  /// Returns the batch size found for a phase, or nil if it is one.
  func known(_ phase: Int) -> Int? { sizes[phase].flatMap { $0 > 1 ? $0 : nil } }

  /// Returns how often to repeat a phase so that it takes about a hundred times as long as an empty sample.
  func size<Result, Failure: Error>(
    of phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Int {
    if let size = sizes[phase] { return size }
    // The second run is timed, because the first may find less in the processor's caches.
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

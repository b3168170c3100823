import BenchProbes

/// Profiles phases instead of measuring them.
package final class PhaseProfiling {
  private let profiler: any Profiler
  private let phases: [String]
  /// The requested phase, or nil for all phases.
  private let asked: String?
  private let clock = MonotonicClock()
  private var repeats: [Int: Int] = [:]
  private var walls: [Int: Double] = [:]

  init(_ profiler: any Profiler, of phases: [String], asked: String?) {
    self.profiler = profiler
    self.phases = phases
    self.asked = asked
  }

  @inline(never)
  func perform<Result, Failure: Error>(
    _ phase: Int, goingOn: Bool = false, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now()
    defer { walls[phase] = Double(clock.now() &- start) + (goingOn ? walls[phase] ?? 0 : 0) }
    return try profiler.perform(phases[phase], goingOn: goingOn, work)
  }

  /// Returns the last wall time of a phase in nanoseconds, or nil if it never ran. Also returns nil
  /// for a requested phase: if it ran only once per block, it would hardly get a sample.
  func lastWall(_ phase: Int) -> Double? {
    asked == nil || asked == phases[phase] ? nil : walls[phase]
  }

  /// How many more runs of the requested phase fit into 100 ms, or 0 if it is not profiled by samples.
  func repeats(of phase: Int) -> Int {
    guard phases[phase] == asked, isSampled(phase), let took = walls[phase] else { return 0 }
    return min(Int(100_000_000 / max(took, 1)), 2_000)
  }

  /// Repeats work that leaves everything unchanged for some milliseconds. A phase shorter than the
  /// sampling period would otherwise take very long to get samples.
  @inline(never)
  func performRepeatedly<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let id = phases[phase]
    guard isSampled(phase) else { return try profiler.perform(id, goingOn: false, work) }
    let times: Int
    if let known = repeats[phase] { times = known } else { times = try self.times(phase, work) }
    repeats[phase] = times
    for _ in 1..<max(times, 1) { blackHole(try profiler.perform(id, goingOn: false, work)) }
    return try profiler.perform(id, goingOn: false, work)
  }

  private func isSampled(_ phase: Int) -> Bool { profiler.samples(of: phases[phase]) != nil }

  /// Returns how often the work fits into 5 ms. The requested phase gets 100 ms, because each of its
  /// iterations includes all other phases.
  private func times<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Int {
    blackHole(try work())
    let start = clock.now()
    blackHole(try work())
    let took = max(1, clock.now() &- start)
    return min(max(1, Int((phases[phase] == asked ? 100_000_000 : 5_000_000) / took)), 20_000)
  }
}

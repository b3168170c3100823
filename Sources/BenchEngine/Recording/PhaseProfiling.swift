import BenchProbes

/// The profiling of phases, in the place of measuring them.
package final class PhaseProfiling {
  private let profiler: any Profiler
  private let phases: [String]
  /// The phase that is asked for; nil for all.
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

  /// What a phase took the last time, in nanoseconds; nil where it never ran, and of the phase that is
  /// asked for or may be: what is measured once a block would hardly have a sample.
  func lastWall(_ phase: Int) -> Double? {
    asked == nil || asked == phases[phase] ? nil : walls[phase]
  }

  /// How often the phase that is asked for fits into 100 ms besides, where it is profiled by samples.
  func repeats(of phase: Int) -> Int {
    guard phases[phase] == asked, isSampled(phase), let took = walls[phase] else { return 0 }
    return min(Int(100_000_000 / max(took, 1)), 2_000)
  }

  /// Does work that leaves everything as it was for some milliseconds: what is shorter than the time
  /// from one sample to the next would take for ever to be seen.
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

  /// As often as fits into 5 ms, of the phase that is asked for into 100: all else of an iteration has
  /// to be done for it.
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

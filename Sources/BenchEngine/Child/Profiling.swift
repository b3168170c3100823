import BenchProbes
import BenchResults
import Foundation

/// The profiling of phases, in the place of measuring them.
@usableFromInline
package final class PhaseProfiling {
  private let profiler: PhaseProfiler
  /// The phase that is asked for; nil for all.
  private let asked: String?
  private let clock = MonotonicClock()
  private var repeats: [String: Int] = [:]
  private var walls: [String: Double] = [:]

  init(_ profiler: PhaseProfiler, asked: String?) {
    self.profiler = profiler
    self.asked = asked
  }

  @usableFromInline @inline(never)
  func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool = false, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now()
    defer { walls[phase] = Double(clock.now() &- start) + (goingOn ? walls[phase] ?? 0 : 0) }
    return try profiler.perform(phase, goingOn: goingOn, work)
  }

  /// What a phase took the last time, in nanoseconds; nil where it never ran, and of the phase that is
  /// asked for or may be: what is measured once a block would hardly have a sample.
  func lastWall(_ phase: String) -> Double? {
    asked == nil || asked == phase ? nil : walls[phase]
  }

  /// How often the phase that is asked for fits into 100 ms besides, where it is profiled by samples.
  func repeats(of phase: String) -> Int {
    guard phase == asked, profiler.samples(of: phase) != nil, let took = walls[phase] else {
      return 0
    }
    return min(Int(100_000_000 / max(took, 1)), 2_000)
  }

  /// Does work that leaves everything as it was for some milliseconds: what is shorter than the time
  /// from one sample to the next would take for ever to be seen.
  @usableFromInline @inline(never)
  func performRepeatedly<Result, Failure: Error>(
    _ phase: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard profiler.samples(of: phase) != nil else { return try profiler.perform(phase, work) }
    let times: Int
    if let known = repeats[phase] { times = known } else { times = try self.times(phase, work) }
    repeats[phase] = times
    for _ in 1..<max(times, 1) { blackHole(try profiler.perform(phase, work)) }
    return try profiler.perform(phase, work)
  }

  /// As often as fits into 5 ms, of the phase that is asked for into 100: all else of an iteration has
  /// to be done for it.
  private func times<Result, Failure: Error>(
    _ phase: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Int {
    blackHole(try work())
    let start = clock.now()
    blackHole(try work())
    let took = max(1, clock.now() &- start)
    return min(max(1, Int((phase == asked ? 100_000_000 : 5_000_000) / took)), 20_000)
  }
}

/// What takes a profile.
enum PhaseProfiler {
  case stacks(StackProfiler)
  case heap(HeapProfiler)
  case instructions(InstructionProfiler)

  init(_ order: ProfileOrder) throws(Unsupported) {
    switch order.what {
    case .cpu: self = .stacks(try StackProfiler(.every(nanoseconds: order.period)))
    case .io: self = .stacks(try StackProfiler(.call))
    case .allocations: self = .heap(try HeapProfiler(path: order.output + ".heap"))
    case .instructions: self = .instructions(try InstructionProfiler())
    }
  }

  /// Does a phase's work.
  ///
  /// - Parameter goingOn: whether it is a further part of the run that was done last.
  func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool = false, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .stacks(let profiler): try profiler.perform(phase, goingOn: goingOn, work)
    case .heap(let profiler): try profiler.perform(phase, goingOn: goingOn, work)
    case .instructions(let profiler): try profiler.perform(phase, goingOn: goingOn, work)
    }
  }

  /// How many times phases ran.
  var runs: Int {
    switch self {
    case .stacks(let profiler): profiler.runs
    case .heap(let profiler): profiler.runs
    case .instructions(let profiler): profiler.runs
    }
  }

  /// How many stacks were taken of a phase, or of all, where more are worth having; nil of what is exact.
  func samples(of phase: String?) -> Int? {
    switch self {
    case .stacks(let profiler): profiler.isSampling ? profiler.taken(of: phase) : nil
    case .heap, .instructions: nil
    }
  }

  func forget() {
    switch self {
    case .stacks(let profiler): profiler.forget()
    case .heap(let profiler): profiler.forget()
    case .instructions(let profiler): profiler.forget()
    }
  }

  func profiles() -> [RawProfile] {
    switch self {
    case .stacks(let profiler): profiler.profiles()
    case .heap(let profiler): profiler.profiles()
    case .instructions(let profiler): profiler.profiles()
    }
  }
}

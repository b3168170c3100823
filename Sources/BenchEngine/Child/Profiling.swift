import BenchProbes
import BenchResults
import Foundation

/// The profiling of phases, in the place of measuring them.
@usableFromInline
package final class PhaseProfiling {
  private let profiler: PhaseProfiler
  private let clock = MonotonicClock()
  private var repeats: [String: Int] = [:]

  init(_ profiler: PhaseProfiler) { self.profiler = profiler }

  @usableFromInline @inline(never)
  func perform<Result, Failure: Error>(
    _ phase: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try profiler.perform(phase, work) }

  /// Does work that leaves everything as it was for some milliseconds: what is shorter than the time
  /// from one sample to the next would take for ever to be seen.
  @usableFromInline @inline(never)
  func performRepeatedly<Result, Failure: Error>(
    _ phase: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard profiler.samples != nil else { return try profiler.perform(phase, work) }
    let times: Int
    if let known = repeats[phase] { times = known } else { times = try self.times(work) }
    repeats[phase] = times
    for _ in 1..<max(times, 1) { blackHole(try profiler.perform(phase, work)) }
    return try profiler.perform(phase, work)
  }

  private func times<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Int {
    blackHole(try work())
    let start = clock.now()
    blackHole(try work())
    let took = max(1, clock.now() &- start)
    return min(max(1, Int(5_000_000 / took)), 2_000)
  }
}

/// What takes a profile.
enum PhaseProfiler {
  case stacks(StackProfiler)
  case heap(HeapProfiler)
  case instructions(InstructionProfiler)
  case perf(PerfControl)

  init(_ order: ProfileOrder) throws(Unsupported) {
    if let phase = order.perfPhase {
      self = .perf(try PerfControl(phase, path: order.perfPath))
      return
    }
    switch order.what {
    case .cpu: self = .stacks(try StackProfiler(.every(nanoseconds: order.period)))
    case .io: self = .stacks(try StackProfiler(.call))
    case .allocations: self = .heap(try HeapProfiler(path: order.output + ".heap"))
    case .instructions: self = .instructions(try InstructionProfiler())
    }
  }

  func perform<Result, Failure: Error>(
    _ phase: String, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .stacks(let profiler): try profiler.perform(phase, work)
    case .heap(let profiler): try profiler.perform(phase, work)
    case .instructions(let profiler): try profiler.perform(phase, work)
    case .perf(let profiler): try profiler.perform(phase, work)
    }
  }

  /// How many times phases ran.
  var runs: Int {
    switch self {
    case .stacks(let profiler): profiler.runs
    case .heap(let profiler): profiler.runs
    case .instructions(let profiler): profiler.runs
    case .perf(let profiler): profiler.runs
    }
  }

  /// How many stacks were taken of which more are worth having; nil of what is exact.
  var samples: Int? {
    switch self {
    case .stacks(let profiler): profiler.isSampling ? profiler.taken : nil
    case .perf(let profiler): profiler.taken
    case .heap, .instructions: nil
    }
  }

  func forget() {
    switch self {
    case .stacks(let profiler): profiler.forget()
    case .heap(let profiler): profiler.forget()
    case .instructions(let profiler): profiler.forget()
    case .perf(let profiler): profiler.forget()
    }
  }

  func profiles() -> [RawProfile] {
    switch self {
    case .stacks(let profiler): profiler.profiles()
    case .heap(let profiler): profiler.profiles()
    case .instructions(let profiler): profiler.profiles()
    case .perf(let profiler): profiler.profiles()
    }
  }
}

extension Block {
  /// Profiles phases, and leaves what was found in the file that the request names, a profile a phase.
  ///
  /// The phases run again and again until there are enough samples, or the time is up; of what is exact,
  /// through one revolution of the fixtures.
  func profiled() throws -> [Series] {
    guard let order = request.profile else {
      throw WorkloadFailure("a block that profiles needs to be told what")
    }
    announce("profiling")
    let profiler = try PhaseProfiler(order)
    let site = site(
      sampler([]), injector: try injector(), profiling: PhaseProfiling(profiler))
    // The unwinder and the phases' own code are warm then.
    for _ in 0..<revolution { try iterate(on: site) }
    guard profiler.runs > 0 else {
      throw WorkloadFailure(
        "\(workload.id) has nothing to profile: it is measured in processes of its own")
    }
    profiler.forget()
    let end = clock.now() + UInt64(order.seconds * 1e9)
    repeat {
      for _ in 0..<revolution { try iterate(on: site) }
    } while profiler.samples.map { $0 < order.samples } ?? false && clock.now() < end
    try JSONEncoder().encode(profiler.profiles()).write(to: URL(filePath: order.output))
    return []
  }
}

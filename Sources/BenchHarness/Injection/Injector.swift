import BenchProbes

/// Adds an injection's cost to its phase, within what is measured.
@usableFromInline
struct Injector<Clock: WallClock> {
  /// The index of the phase.
  @usableFromInline let phase: Int
  private let cost: Injection.Cost
  private let clock: Clock

  /// The injector of a block; nil where its backend is not meant.
  ///
  /// - Throws: ``WorkloadFailure`` where the workload has no such phase, or the cost is no cost.
  init?(_ injection: Injection, backend: String, phases: [Phase], clock: Clock) throws {
    guard injection.cost.isValid else {
      throw WorkloadFailure("\(injection) cannot be injected: the amount is out of range")
    }
    guard let phase = phases.firstIndex(where: { $0.id == injection.phase }) else {
      throw WorkloadFailure(
        "there is no phase \(injection.phase) to inject into: the phases are "
          + phases.map(\.id).joined(separator: ", "))
    }
    guard injection.backend ?? backend == backend else { return nil }
    self.phase = phase
    cost = injection.cost
    self.clock = clock
  }

  /// The phase's work with the cost after it.
  @usableFromInline @inline(never)
  func perform<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now()
    let result = try work()
    switch cost {
    case .slowdown(let part): AddedWork.slowdown(part, since: start, by: clock)
    case .allocations(let count): AddedWork.allocations(count)
    case .instructions(let count): AddedWork.instructions(count)
    }
    return result
  }
}

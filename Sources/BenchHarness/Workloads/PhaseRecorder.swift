import BenchProbes

/// Measures the phases of a workload, and says which one is under way while that costs nothing.
public final class PhaseRecorder<Clock: WallClock> {
  @usableFromInline let sampler: Sampler<Clock>
  @usableFromInline let announce: ((Int) -> Void)?

  /// Records into a sampler; `announce` is told of every phase before its measurement begins, so it
  /// is for warming up only.
  public init(_ sampler: Sampler<Clock>, announce: ((Int) -> Void)? = nil) {
    self.sampler = sampler
    self.announce = announce
  }

  /// Does the work of one phase and records what it cost.
  @inlinable
  public func measure<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    announce?(phase)
    return try sampler.measure(phase, work)
  }
}

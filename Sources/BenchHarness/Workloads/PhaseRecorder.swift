import BenchProbes
import BenchResults

/// Measures the phases of a workload, and says which one is under way while that costs nothing.
public final class PhaseRecorder<Clock: WallClock> {
  @usableFromInline let sampler: Sampler<Clock>
  @usableFromInline let announce: ((Int) -> Void)?
  @usableFromInline let injector: Injector<Clock>?
  /// What was noted of phases besides what instruments measure.
  private(set) var notes: [Note: [Double]] = [:]
  /// Why phases were not measured.
  private(set) var skipped: [Int: String] = [:]

  /// Records into a sampler; `announce` is told of every phase before its measurement begins, so it
  /// is for warming up only.
  public init(_ sampler: Sampler<Clock>, announce: ((Int) -> Void)? = nil) {
    self.sampler = sampler
    self.announce = announce
    injector = nil
  }

  /// Records into a sampler, with a cost added to a phase.
  init(_ sampler: Sampler<Clock>, injector: Injector<Clock>?) {
    self.sampler = sampler
    self.injector = injector
    announce = nil
  }

  /// Does the work of one phase and records what it cost.
  @inlinable
  public func measure<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    announce?(phase)
    // Decided out here, so that nothing is measured of an injection that there is not.
    if let injector, injector.phase == phase { return try inject(injector, phase, work) }
    return try sampler.measure(phase, work)
  }

  /// Goes on with the phase that was measured last, after work that belongs to no phase: both parts
  /// are one sample.
  public func resume<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result { try sampler.resume(phase, work) }

  /// What a phase took the last time it was measured, in nanoseconds; nil where it never was.
  public func lastWall(_ phase: Int) -> Double? { sampler.lastWall(phase: phase) }

  /// Records a value that the workload found by itself: a size, a count, a time of another process.
  ///
  /// Times are kept of timed blocks, all else of counted ones.
  public func note(_ value: Double, of metric: Metric, phase: Int) {
    notes[Note(phase: phase, metric: metric), default: []].append(value)
  }

  /// What was noted, as series of one block each, in the order of the phases.
  func noted(of cell: Cell, _ phases: [Phase], where isWanted: (Metric) -> Bool) -> [Series] {
    let wanted = notes.filter { phases.indices.contains($0.key.phase) && isWanted($0.key.metric) }
    let order = wanted.sorted {
      ($0.key.phase, $0.key.metric.id) < ($1.key.phase, $1.key.metric.id)
    }
    return order.map { note, values in
      Series(cell: cell, phase: phases[note.phase].id, metric: note.metric, blocks: [values])
    }
  }

  /// Says why there is nothing to measure of a phase, which is then reported without figures.
  public func skip(_ phase: Int, because reason: String) { skipped[phase] = reason }

  /// What a noted value is of.
  struct Note: Hashable {
    let phase: Int
    let metric: Metric
  }

  @usableFromInline @inline(never)
  func inject<Result, Failure: Error>(
    _ injector: Injector<Clock>, _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try sampler.measure(phase) { () throws(Failure) -> Result in try injector.perform(work) }
  }
}

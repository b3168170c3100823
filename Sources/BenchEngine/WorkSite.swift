import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// Where a workload works: an open store, what to put into it, what measures, and what is around.
public final class WorkSite<B: Backend, Clock: WallClock> {
  /// The open store.
  public let backend: B
  /// What is around the store.
  public let surroundings: Surroundings<B.Document>
  /// The document whose turn it is; the one that is stored, where the workload begins stored.
  public private(set) var fixture: Fixture<B.Document>
  /// Whether this iteration is one of the warm-up, of which no figures are kept: outcomes are then
  /// compared value by value and not by checksum alone, and what more there is to check is checked.
  public private(set) var isWarmUp = false
  /// How many iterations there were on this site before this one.
  public private(set) var iteration = -1
  /// What the workload noted of phases besides what instruments measure.
  package private(set) var notes: [PhaseNote] = []
  /// Why phases were not measured.
  package private(set) var skipped: [Phase: String] = [:]
  private var remembered: [Phase: Double] = [:]
  /// Whether times are taken: what comes once in many iterations, and takes them to be seen, is left out
  /// of blocks that count, which repeat the work for every few counters or slow it down fiftyfold.
  public let isTimed: Bool
  /// Whether instructions are counted, one by one. What starts threads is left out then: their coming and
  /// going moves what the allocator has at hand, and so the counts of all that follows.
  public let isTraced: Bool
  private let batches: Batches<Clock>?
  @usableFromInline let phases: [Phase]
  @usableFromInline let sampler: Sampler<Clock>
  @usableFromInline let announce: ((Phase) -> Void)?
  @usableFromInline let injector: Injector<Clock>?
  @usableFromInline let profiling: PhaseProfiling?

  /// A site that records into a sampler with as many phases; `announce` is told of every phase before
  /// its measurement begins, so it is not for times.
  package init(
    _ backend: B, _ fixture: Fixture<B.Document>, _ phases: [Phase], _ sampler: Sampler<Clock>,
    in surroundings: Surroundings<B.Document>, announce: ((Phase) -> Void)? = nil,
    injector: Injector<Clock>? = nil, isTimed: Bool = true, isTraced: Bool = false,
    batches: Batches<Clock>? = nil, profiling: PhaseProfiling? = nil
  ) {
    self.batches = batches
    self.profiling = profiling
    self.isTimed = isTimed
    self.isTraced = isTraced
    self.backend = backend
    self.fixture = fixture
    self.phases = phases
    self.sampler = sampler
    self.surroundings = surroundings
    self.announce = announce
    self.injector = injector
  }

  /// Gets ready for the next iteration.
  package func begin(with fixture: Fixture<B.Document>, isWarmUp: Bool) {
    self.fixture = fixture
    self.isWarmUp = isWarmUp
    iteration += 1
  }

  /// Does the work of one phase and records what it cost.
  ///
  /// Traps where the phase is none of the workload's.
  @inlinable
  public func measure<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = index(of: phase)
    announce?(phase)
    // Decided out here, so that nothing is measured of an injection that there is not.
    if let injector, injector.phase == index { return try inject(injector, index, work) }
    if let profiling { return try profiling.perform(phase.id, work) }
    return try sampler.measure(index, work)
  }

  /// Does the work of one phase, and so often over that it can be told from reading the clock, where it
  /// takes less than a hundred times as long: for work that leaves everything as it was, so that a second
  /// time is like the first.
  ///
  /// How often is found the first time, by doing it twice outside of what is measured. Where counts are
  /// taken, and in warm-up, it is done once. Gives what the work gave last.
  public func measureRepeatedly<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = index(of: phase)
    if let profiling {
      guard let injector, injector.phase == index else {
        return try profiling.performRepeatedly(phase.id, work)
      }
      return try profiling.performRepeatedly(phase.id) { () throws(Failure) -> Result in
        try injector.perform(work)
      }
    }
    guard let batches else { return try measure(phase, work) }
    // What is injected is a part of one time.
    guard injector?.phase != index else { return try measure(phase, work) }
    let times = try batches.size(of: index, work)
    return try sampler.measure(index, times: times, work)
  }

  /// How often to do a phase besides the once that an iteration has of it: 0 except where this phase is
  /// profiled by samples, and too short for many of them. What it finds must be as before each time.
  public func profiledRepeats(of phase: Phase) -> Int { profiling?.repeats(of: phase.id) ?? 0 }

  /// How many times over a phase was done for each sample; nil for once.
  package func batch(of phase: Phase) -> Int? { batches?.known(index(of: phase)) }

  /// Goes on with the phase that was measured last, after work that belongs to no phase: both parts
  /// are one sample.
  public func resume<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let profiling { return try profiling.perform(phase.id, goingOn: true, work) }
    return try sampler.resume(index(of: phase), work)
  }

  /// Waits until no other thread of the process is at work: what was closed may be torn down by one, and
  /// the next phase would be told to have done it. For between phases.
  public func awaitQuiet() { Quiescence.wait() }

  /// What a phase took the last time it was measured, in nanoseconds; nil where it never was.
  public func lastWall(_ phase: Phase) -> Double? {
    if let profiling { return profiling.lastWall(phase.id) }
    return sampler.lastWall(phase: index(of: phase))
  }

  /// Records a value that the workload found by itself: a size, a count, a time of another process.
  ///
  /// Times are kept of timed blocks, all else of counted ones.
  public func note(_ value: Double, of metric: Metric = .wall, _ phase: Phase) {
    notes.append(PhaseNote(phase, value, metric))
  }

  /// Remembers something about a phase's last sample for the iterations to come.
  public func keep(_ value: Double, for phase: Phase) { remembered[phase] = value }

  /// What was remembered last about a phase.
  public func kept(for phase: Phase) -> Double? { remembered[phase] }

  /// Says why there is nothing to measure of a phase, which is then reported without figures.
  public func skip(_ phase: Phase, because reason: String) { skipped[phase] = reason }

  @usableFromInline
  func index(of phase: Phase) -> Int {
    guard let index = phases.firstIndex(where: { $0.id == phase.id }) else {
      preconditionFailure("the workload has no phase \(phase.id)")
    }
    return index
  }

  @usableFromInline @inline(never)
  func inject<Result, Failure: Error>(
    _ injector: Injector<Clock>, _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let profiling {
      return try profiling.perform(phases[phase].id) { () throws(Failure) -> Result in
        try injector.perform(work)
      }
    }
    return try sampler.measure(phase) { () throws(Failure) -> Result in try injector.perform(work) }
  }
}

/// What is around a workload's store: the store's place, other backends, other revisions.
public struct Surroundings<Document: BenchDocument> {
  /// Where the store is.
  public let store: StoreContext
  /// The backend that keeps it.
  public let entry: BackendEntry<Document>
  /// Every backend of the suite.
  public let backends: [BackendEntry<Document>]
  /// The two revisions that are stored in turn.
  public let revisions: [Fixture<Document>]
  /// Tells the parent now and then that the worker is alive; for between the parts of long work.
  public let beat: () -> Void

  /// Describes surroundings.
  package init(
    store: StoreContext, entry: BackendEntry<Document>, backends: [BackendEntry<Document>] = [],
    revisions: [Fixture<Document>], beat: @escaping () -> Void = {}
  ) {
    self.store = store
    self.entry = entry
    self.backends = backends
    self.revisions = revisions
    self.beat = beat
  }

  /// Opens the store once more, as another screen or the next start of the app would.
  public func open() throws -> any Backend<Document> { try entry.open(store) }

  /// An empty store beside this one, of the same durability: what an earlier pass left is removed.
  ///
  /// - Throws: the file system's error where the folder cannot be made or emptied.
  public func neighbour(_ name: String) throws -> StoreContext {
    let neighbour = store.beside(name)
    try neighbour.empty()
    return neighbour
  }

  /// A store beside this one that holds the first revision and that nobody has open, of the same
  /// durability; made when it is first asked for.
  ///
  /// - Throws: the file system's error, or the backend's where it cannot save.
  public func rested() throws -> StoreContext {
    let rested = store.beside("rested")
    guard !FileManager.default.fileExists(atPath: rested.folder) else { return rested }
    try rested.empty()
    let backend = try entry.open(rested)
    if let first = revisions.first { try backend.save(first.document) }
    try backend.close()
    return rested
  }
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
  package func known(_ phase: Int) -> Int? { sizes[phase].flatMap { $0 > 1 ? $0 : nil } }

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

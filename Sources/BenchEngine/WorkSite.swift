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
  private let purpose: Purpose
  private let phases: [Phase]
  private let recorder: Recorder<Clock>
  private let injector: Injector<Clock>?
  @usableFromInline let announce: ((Phase) -> Void)?

  /// A site whose recorder has as many phases; `announce` is told of every phase before its measurement
  /// begins, so it is not for times.
  package init(
    _ backend: B, _ fixture: Fixture<B.Document>, _ phases: [Phase], _ recorder: Recorder<Clock>,
    for purpose: Purpose = .timing, in surroundings: Surroundings<B.Document>,
    injector: Injector<Clock>? = nil, announce: ((Phase) -> Void)? = nil
  ) {
    self.backend = backend
    self.fixture = fixture
    self.phases = phases
    self.recorder = recorder
    self.purpose = purpose
    self.surroundings = surroundings
    self.injector = injector
    self.announce = announce
  }

  /// Whether times are taken: what comes once in many iterations, and takes them to be seen, is left out
  /// of blocks that count, which repeat the work for every few counters or slow it down fiftyfold.
  public var isTimed: Bool { purpose == .timing }

  /// Whether instructions are counted, one by one. What starts threads is left out then: their coming and
  /// going moves what the allocator has at hand, and so the counts of all that follows.
  public var isTraced: Bool { purpose == .tracing }

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
    guard let sampler = sampler(ofPlain: index) else { return try perform(index, work) }
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
    announce?(phase)
    guard let injector = injector(of: index) else {
      return try recorder.performRepeatedly(index, work)
    }
    // What is injected is a part of one time.
    guard case .profiling = recorder else { return try perform(index, work) }
    return try recorder.performRepeatedly(index) { () throws(Failure) -> Result in
      try injector.perform(work)
    }
  }

  /// How often to do a phase besides the once that an iteration has of it: 0 except where this phase is
  /// profiled by samples, and too short for many of them. What it finds must be as before each time.
  public func profiledRepeats(of phase: Phase) -> Int {
    guard case .profiling(let profiling) = recorder else { return 0 }
    return profiling.repeats(of: index(of: phase))
  }

  /// How many times over a phase was done for each sample; nil for once.
  package func batch(of phase: Phase) -> Int? {
    guard case .timing(_, let batches) = recorder else { return nil }
    return batches.known(index(of: phase))
  }

  /// Goes on with the phase that was measured last, after work that belongs to no phase: both parts
  /// are one sample.
  public func resume<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try recorder.resume(index(of: phase), work)
  }

  /// Waits until no other thread of the process is at work: what was closed may be torn down by one, and
  /// the next phase would be told to have done it. For between phases.
  public func awaitQuiet() { Quiescence.wait() }

  /// What a phase took the last time it was measured, in nanoseconds; nil where it never was.
  public func lastWall(_ phase: Phase) -> Double? { recorder.lastWall(index(of: phase)) }

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

  /// What takes the samples of a phase; nil of one that is profiled, or has something added.
  @usableFromInline
  func sampler(ofPlain phase: Int) -> Sampler<Clock>? {
    injector(of: phase) == nil ? recorder.sampler : nil
  }

  private func injector(of phase: Int) -> Injector<Clock>? {
    injector.flatMap { $0.phase == phase ? $0 : nil }
  }

  @usableFromInline @inline(never)
  func perform<Result, Failure: Error>(
    _ phase: Int, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let injector = injector(of: phase) else { return try recorder.perform(phase, work) }
    return try recorder.perform(phase) { () throws(Failure) -> Result in
      try injector.perform(work)
    }
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

import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// The place where a workload works: an open store, the document to store, and the means of measuring.
public final class WorkSite<B: Backend, Clock: WallClock> {
  /// The open store.
  public let backend: B
  /// The store's location, the suite's backends, and the revisions.
  public let surroundings: WorkContext<B.Document>
  /// The document of this iteration; the stored one if the workload begins stored.
  public private(set) var fixture: Fixture<B.Document>
  /// Whether this iteration belongs to the warm-up, which yields no figures. Results are then
  /// compared value by value, not only by checksum, and extra checks are made.
  public private(set) var isWarmUp = false
  /// The number of this iteration on this site, from 0.
  public private(set) var iteration = -1
  /// Values that the workload noted itself, in addition to what instruments measure.
  package private(set) var notes: [PhaseNote] = []
  /// The reasons why phases were not measured.
  package private(set) var skipped: [Phase: String] = [:]
  private var remembered: [Phase: Double] = [:]
  private let purpose: Purpose
  private let phases: [Phase]
  private let recorder: Recorder<Clock>
  private let injector: Injector<Clock>?
  @usableFromInline let announce: ((Phase) -> Void)?

  /// Makes a site whose recorder has the same number of phases. `announce` is called before each
  /// phase, so do not use it when times are measured.
  package init(
    _ backend: B, _ fixture: Fixture<B.Document>, _ phases: [Phase], _ recorder: Recorder<Clock>,
    for purpose: Purpose = .timing, in surroundings: WorkContext<B.Document>,
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

  /// Whether times are measured. Skip work that needs many iterations to show if this is false:
  /// counting repeats the iterations for each few counters, or slows them down fiftyfold.
  public var isTimed: Bool { purpose == .timing }

  /// Whether instructions are counted one by one. Skip work that starts threads if this is true:
  /// threads change the allocator's state, and with it all later counts.
  public var isTraced: Bool { purpose == .tracing }

  package func begin(with fixture: Fixture<B.Document>, isWarmUp: Bool) {
    self.fixture = fixture
    self.isWarmUp = isWarmUp
    iteration += 1
  }

  /// Does the work of one phase and records its cost. Traps if the workload has no such phase.
  @inlinable
  public func measure<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = index(of: phase)
    announce?(phase)
    // This is decided outside of the measured part, so a missing injection costs nothing.
    guard let sampler = sampler(ofPlain: index) else { return try perform(index, work) }
    return try sampler.measure(index, work)
  }

  /// Does the work of one phase, repeated if it takes less than a hundred times as long as reading
  /// the clock. The work must leave everything unchanged, so that repetitions are alike.
  ///
  /// The first call finds the number of repetitions by doing the work twice, unmeasured. Counting
  /// blocks and the warm-up do the work once. Returns the last result.
  public func measureRepeatedly<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = index(of: phase)
    announce?(phase)
    guard let injector = injector(of: index) else {
      return try recorder.performRepeatedly(index, work)
    }
    // An injected cost is relative to a single execution.
    guard case .profiling = recorder else { return try perform(index, work) }
    return try recorder.performRepeatedly(index) { () throws(Failure) -> Result in
      try injector.perform(work)
    }
  }

  /// How many extra times to do a phase in this iteration. It is 0 unless the phase is profiled by
  /// samples and too short to get many. Each repetition must find the same state.
  public func profiledRepeats(of phase: Phase) -> Int {
    guard case .profiling(let profiling) = recorder else { return 0 }
    return profiling.repeats(of: index(of: phase))
  }

  /// How many times the phase was repeated for each sample, or nil for once.
  package func batch(of phase: Phase) -> Int? {
    guard case .timing(_, let batches) = recorder else { return nil }
    return batches.known(index(of: phase))
  }

  /// Continues the last sample of a phase after work that belongs to no phase. Both parts are one sample.
  public func resume<Result, Failure: Error>(
    _ phase: Phase, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try recorder.resume(index(of: phase), work)
  }

  /// Waits until no other thread of the process is working. A closed store may be torn down by
  /// another thread, whose work would count in the next phase. Call this between phases.
  public func awaitQuiet() { Quiescence.wait() }

  /// Returns the last wall time of a phase in nanoseconds, or nil if it was never measured.
  public func lastWall(_ phase: Phase) -> Double? { last(.wall, of: phase) }

  /// Returns the last value of a metric in a phase, or nil if it was never measured.
  package func last(_ metric: Metric, of phase: Phase) -> Double? {
    recorder.last(metric, index(of: phase))
  }

  /// Records a value that the workload measured itself: a size, a count or a time of another process.
  ///
  /// Times are kept in timed blocks, all other values in counted blocks.
  public func note(_ value: Double, of metric: Metric = .wall, _ phase: Phase) {
    notes.append(PhaseNote(phase, value, metric))
  }

  /// Remembers a value about a phase's last sample for later iterations.
  public func keep(_ value: Double, for phase: Phase) { remembered[phase] = value }

  /// Returns the value last remembered about a phase.
  public func kept(for phase: Phase) -> Double? { remembered[phase] }

  /// Records why a phase has nothing to measure. The phase is then reported without figures.
  public func skip(_ phase: Phase, because reason: String) { skipped[phase] = reason }

  @usableFromInline
  func index(of phase: Phase) -> Int {
    guard let index = phases.firstIndex(where: { $0.id == phase.id }) else {
      preconditionFailure("the workload has no phase \(phase.id)")
    }
    return index
  }

  /// Returns the sampler of a phase, or nil if the phase is profiled or has an injection.
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

/// The store's location, the backends of the suite, and the revisions.
public struct WorkContext<Document: BenchDocument> {
  /// The location of the store.
  public let store: StoreContext
  /// The backend of the store.
  public let entry: BackendEntry<Document>
  /// Every backend of the suite.
  public let backends: [BackendEntry<Document>]
  /// The two revisions that are stored alternately.
  public let revisions: [Fixture<Document>]
  /// Signals to the parent that the worker is alive. Call it between the parts of long work.
  public let heartbeat: () -> Void

  package init(
    store: StoreContext, entry: BackendEntry<Document>, backends: [BackendEntry<Document>] = [],
    revisions: [Fixture<Document>], heartbeat: @escaping () -> Void = {}
  ) {
    self.store = store
    self.entry = entry
    self.backends = backends
    self.revisions = revisions
    self.heartbeat = heartbeat
  }

  /// Opens the store again, as another screen or the next launch of the app would.
  public func open() throws -> any Backend<Document> { try entry.open(store) }

  /// Returns an empty store next to this one, with the same durability. Removes data of an earlier pass.
  ///
  /// - Throws: the file system's error if the folder cannot be made or emptied.
  public func siblingStore(_ name: String) throws -> StoreContext {
    let siblingStore = store.beside(name)
    try siblingStore.empty()
    return siblingStore
  }

  /// Returns a closed store next to this one that holds the first revision, with the same
  /// durability. The first call makes it, unless the block has copied its own store.
  ///
  /// - Throws: the file system's error, or the backend's if it cannot save.
  public func closedStore() throws -> StoreContext {
    let closedStore = store.beside("closed")
    guard !FileManager.default.fileExists(atPath: closedStore.folder) else { return closedStore }
    try closedStore.empty()
    let backend = try entry.open(closedStore)
    if let first = revisions.first { try backend.save(first.document) }
    try backend.close()
    return closedStore
  }

  /// Copies the store for ``closedStore()``, which is cheaper than to save again. Call it after the
  /// store was closed with the first revision. Copies nothing if the data is not in its folder.
  package func copyClosedStore() throws {
    let copy = store.beside("closed").folder
    guard entry.survivesRestart, !FileManager.default.fileExists(atPath: copy),
      try store.bytes() > 0
    else { return }
    // Another thread may still be closing files.
    Quiescence.wait()
    try FileManager.default.copyItem(atPath: store.folder, toPath: copy)
  }
}

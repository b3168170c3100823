import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults

/// Measures a block on a store that is opened, warmed up, closed and opened again. Data that a
/// store keeps only in its own memory is then lost, and cannot make reading cheap.
struct BlockTask<Document: BenchDocument> {
  let request: BlockRequest
  let fixtures: Fixtures<Document>
  let surroundings: WorkContext<Document>
  /// Reports what happens next.
  let announce: (String) -> Void
  /// Starts fresh processes, or nil if none can be started.
  let cold: (any ColdStarter)?
  var turns: TurnChannel?
  /// Reasons, by metric id, for metrics that are not measured here even if the machine could.
  var refusals: [String: String] = [:]

  /// Loads what a request names, empties its store and measures the block. All workers use it.
  ///
  /// - Parameter enter: changes to the folder that holds the store, before it is emptied.
  static func measure(
    _ request: BlockRequest, in suite: Suite<Document>, store folder: String,
    announce: @escaping (String) -> Void, heartbeat: @escaping () -> Void = {},
    cold: (any ColdStarter)? = nil, refusals: [String: String] = [:], enter: () throws -> Void = {}
  ) throws -> [Series] {
    announce("preparing the menu")
    let fixtures = Fixtures(try suite.source.load(request.documentName).document)
    guard fixtures.latest.fingerprint.description == request.fingerprint else {
      throw WorkloadFailure("\(request.documentName) changed during the run")
    }
    announce("opening the store")
    let entry = try suite.backend(request.cell.backend)
    let workload = try suite.workload(request.cell.workload)
    try enter()
    let store = try StoreContext(folder: folder, durability: request.cell.durability)
    try store.empty()
    return try BlockTask(
      request: request, fixtures: fixtures,
      surroundings: WorkContext(
        store: store, entry: entry, backends: suite.allBackends, revisions: fixtures.both,
        heartbeat: heartbeat),
      announce: announce, cold: cold, turns: try request.turns.map { try TurnChannel($0) },
      refusals: refusals
    ).run(workload)
  }

  /// Measures the block in the surroundings' store, which exists and is empty.
  func run(_ workload: any Workload<Document>) throws -> [Series] {
    let (entry, store) = (surroundings.entry, surroundings.store)
    // Closing a store may start threads that run at random times. Counts of single instructions
    // would then differ from block to block.
    guard request.kind != .instructions else {
      return try measure(try entry.open(store), workload, reads: false)
    }
    let sizes = try warmUp(try entry.open(store), workload)
    // Other blocks save again, because counts depend on how a store was made.
    if request.kind == .timed, !workload.beginsStored { try surroundings.copyClosedStore() }
    announce("reopening the store")
    return try measure(try entry.open(store), workload, reads: entry.survivesRestart) + sizes
  }

  /// - Returns: the sizes of the store.
  private func warmUp<B: Backend<Document>, W: Workload<Document>>(
    _ backend: B, _ workload: W
  ) throws -> [Series] {
    let block = try block(backend, workload)
    try block.warmUp()
    return try block.storedSizes()
  }

  private func measure<B: Backend<Document>, W: Workload<Document>>(
    _ backend: B, _ workload: W, reads: Bool
  ) throws -> [Series] {
    let block = try block(backend, workload)
    if reads { try block.checkReopened() }
    // All results were checked before. Reading the reopened store warms up what a timed save and
    // load need, but counts are exact only after iterations. Slow workloads warm up within one.
    let isWarm = reads && request.kind == .timed
    if !reads || (workload.leastSamples > 1 && (workload.beginsStored || !isWarm)) {
      try block.warmUp(isStored: isWarm)
    }
    let series = try block.measure()
    try backend.close()
    return try series + startFresh(workload, block.withRoute)
  }

  /// Measures in fresh processes, if the workload has work for them. The store is closed here.
  private func startFresh(
    _ workload: any Workload<Document>, _ withRoute: (Series) -> Series
  ) throws -> [Series] {
    guard let workload = workload as? any ColdWorkload<Document>, request.kind != .profiled
    else {
      // The other program's workload may start processes and wait for its turn.
      try request.turns.map { try TurnChannel($0) }?.leave()
      return []
    }
    guard let cold else {
      return request.kind == .timed
        ? request.missing(
          workload.coldPhases, "it needs fresh processes, and none can be started here") : []
    }
    announce("starting fresh processes")
    return try series(of: workload, cold).map(withRoute)
  }

  private func series<W: ColdWorkload<Document>>(
    of workload: W, _ cold: any ColdStarter
  ) throws -> [Series] {
    try ColdBlock(
      request: request, workload: workload,
      plan: try workload.plan(for: fixtures.both[0].document), surroundings: surroundings,
      starter: cold, turns: request.turns, clock: MonotonicClock()
    ).measure()
  }

  private func block<B: Backend<Document>, W: Workload<Document>>(
    _ backend: B, _ workload: W
  ) throws -> Block<B, W, MonotonicClock> {
    Block(
      request: request, workload: workload,
      plan: try workload.plan(for: fixtures.both[0].document), fixtures: fixtures, backend: backend,
      surroundings: surroundings, clock: MonotonicClock(), announce: announce,
      heartbeat: surroundings.heartbeat, turns: turns, refusals: refusals)
  }
}

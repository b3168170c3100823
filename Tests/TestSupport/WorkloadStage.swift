import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuSources
import MenuWorkloads
import PersistenceBackends

/// Runs workloads as a block does: on a store in a folder of its own, or on a backend of the test's.
package enum WorkloadStage {
  /// A few products and combos.
  package static let menu = menu("products=12,combos=3,slots=2,options=4,seed=7")

  package static func menu(_ shape: String) -> Menu {
    guard let shape = try? MenuShape(parsing: shape) else { fatalError("no shape: \(shape)") }
    return Menu(shape: shape)
  }

  /// Runs a workload so many times on a backend of a suite.
  @discardableResult
  package static func run(
    _ workload: some Workload<Menu>, on entry: BackendEntry<Menu>, _ menu: Menu = menu,
    isWarmUp: Bool = true, durability: Durability = .atomic, times: Int = 1,
    backends: [BackendEntry<Menu>] = BackendRegistry.all
  ) throws -> Outcome {
    try inFolder { folder in
      let surroundings = WorkContext(
        store: try store(in: folder, durability), entry: entry,
        backends: backends, revisions: Fixtures(menu).both)
      let backend: any Backend<Menu> = try surroundings.open()
      defer { try? backend.close() }
      if workload.beginsStored { try backend.save(menu) }
      var outcome = try run(
        workload, on: backend, Fixtures(menu), isWarmUp: isWarmUp, times: times,
        by: workload.plan(for: menu), in: surroundings, clock: MonotonicClock())
      outcome.stored = try backend.whole()
      return outcome
    }
  }

  /// The message of a workload that fails on a backend, or nil if it does not fail.
  package static func complaint(
    of workload: some Workload<Menu>, on entry: BackendEntry<Menu>, _ menu: Menu = menu,
    isWarmUp: Bool = true, backends: [BackendEntry<Menu>] = BackendRegistry.all
  ) -> String? {
    do {
      try run(workload, on: entry, menu, isWarmUp: isWarmUp, backends: backends)
      return nil
    } catch {
      return String(describing: error)
    }
  }

  /// Runs a workload so many times, not to warm up, on a backend that is as the test made it.
  ///
  /// - Parameters:
  ///   - entry: what opens another store.
  ///   - plan: the workload's own for the menu unless given.
  @discardableResult
  package static func run<W: Workload<Menu>>(
    _ workload: W, on backend: some Backend<Menu>, _ menu: Menu = menu,
    entry: BackendEntry<Menu> = .memory, by plan: W.Plan? = nil, times: Int = 1,
    clock: ManualClock = ManualClock()
  ) throws -> Outcome {
    try inFolder { folder in
      let fixtures = Fixtures(menu)
      return try run(
        workload, on: backend, fixtures, isWarmUp: false, times: times,
        by: plan ?? workload.plan(for: menu),
        in: WorkContext(
          store: try store(in: folder, .none), entry: entry, revisions: fixtures.both),
        clock: clock)
    }
  }

  /// An empty store with space next to it for others.
  private static func store(in folder: String, _ durability: Durability) throws -> StoreContext {
    let store = StoreContext(folder: folder + "/store", durability: durability)
    try store.empty()
    return store
  }

  private static func run<W: Workload<Menu>>(
    _ workload: W, on backend: some Backend<Menu>, _ fixtures: Fixtures<Menu>, isWarmUp: Bool,
    times: Int, by plan: W.Plan, in surroundings: WorkContext<Menu>, clock: some WallClock
  ) throws -> Outcome {
    let sampler = Sampler(phases: workload.phases.count, clock: clock)
    let site = WorkSite(
      backend, fixtures.latest, workload.phases, .counting(sampler), in: surroundings)
    for _ in 0..<times {
      site.begin(
        with: workload.beginsStored ? fixtures.latest : fixtures.next(), isWarmUp: isWarmUp)
      try workload.iterate(on: site, by: plan)
    }
    return Outcome(
      phases: workload.phases.map(\.id), notes: site.notes,
      skipped: Dictionary(uniqueKeysWithValues: site.skipped.map { ($0.id, $1) }),
      wall: workload.phases.indices.map { sampler.series(phase: $0).first?.values ?? [] },
      expected: fixtures.latest.document)
  }

  package struct Outcome {
    fileprivate let phases: [String]
    /// Everything that was noted, in that order.
    package let notes: [PhaseNote]
    package let skipped: [String: String]
    fileprivate let wall: [[Double]]
    /// The menu that is stored afterwards, or nil for a backend that the test made and can ask.
    package fileprivate(set) var stored: Menu?
    /// The menu that a block expects to be stored.
    package let expected: Menu

    package func notes(_ phase: String, _ metric: Metric = .wall) -> [Double] {
      notes.filter { $0.phase.id == phase && $0.metric == metric }.map(\.value)
    }

    /// How many samples were taken of each phase, in their order.
    package var samples: [Int] { wall.map(\.count) }

    package func samples(_ phase: String) -> Int { wall(phase).count }

    /// The times of a phase, sample by sample, in nanoseconds.
    package func wall(_ phase: String) -> [Double] {
      phases.firstIndex(of: phase).map { wall[$0] } ?? []
    }
  }
}

/// The cold processes of a block, on a store that has one menu while another may be expected. Their
/// work is done within the test.
package struct ColdBench {
  /// The menu that the store has and, by default, the one that it should have.
  package static let menu = Menu(shape: MenuShape(.small))

  let backend: BackendEntry<Menu>
  let kind: BlockRequest.Kind
  let turns: Turns?
  let metrics: Set<String>?
  let clock: ManualClock
  let stored: Menu
  let expected: Menu
  let resident: Double

  /// - Parameters:
  ///   - turns: the other program with which they alternate, or nil.
  ///   - resident: the share of the store's files that stays in the page cache, in percent.
  package init(
    backend: BackendEntry<Menu> = .json, kind: BlockRequest.Kind = .timed, turns: Turns? = nil,
    metrics: Set<String>? = nil, clock: ManualClock = ManualClock(), stored: Menu = menu,
    expected: Menu = menu, resident: Double = 0
  ) {
    self.backend = backend
    self.kind = kind
    self.turns = turns
    self.metrics = metrics
    self.clock = clock
    self.stored = stored
    self.expected = expected
    self.resident = resident
  }

  /// Returns their series, and the requests that they got.
  ///
  /// - Parameter change: changes each reply before it is returned.
  package func measure<W: ColdWorkload<Menu>>(
    _ workload: W, change: @escaping @Sendable (ColdReply) -> ColdReply = { $0 }
  ) throws -> (series: [Series], requests: [ColdRequest]) {
    try inFolder { folder in
      let store = StoreContext(folder: folder, durability: .atomic)
      try keep(try backend.open(store))
      let starter = ManualStarter(backend, in: folder, change: change)
      let block = try ColdBlock(
        request: request(workload.id, folder), workload: workload,
        plan: try workload.plan(for: expected),
        surroundings: WorkContext(store: store, entry: backend, revisions: []), starter: starter,
        turns: turns, clock: clock, dropPages: { _ in resident })
      return (try block.measure(), starter.requests)
    }
  }

  private func keep(_ backend: some Backend<Menu>) throws {
    try backend.put(stored)
    try backend.close()
  }

  private func request(_ workload: String, _ folder: String) -> BlockRequest {
    let cell = Cell(backend: backend.id, menu: "small", workload: workload, durability: "atomic")
    let planned = PlannedCell(cell: cell, documentName: "small", fingerprint: "")
    var request = BlockRequest(planned, kind, timeout: 60)
    request.folder = folder
    request.metrics = metrics
    request.turns = turns
    return request
  }
}

/// Does the work of fresh processes within the test, and remembers what was asked.
private final class ManualStarter: ColdStarter {
  private let suite: Suite<Menu>
  private let folder: String
  private let asked = Guarded<[ColdRequest]>([])
  private let change: @Sendable (ColdReply) -> ColdReply

  init(
    _ entry: BackendEntry<Menu>, in folder: String,
    change: @escaping @Sendable (ColdReply) -> ColdReply
  ) {
    suite = Suite(backends: [entry], workloads: WorkloadRegistry.all, source: MenuSource())
    self.folder = folder
    self.change = change
  }

  var requests: [ColdRequest] { asked.withLock { $0 } }

  func start(
    _ request: ColdRequest, limit: Int, _ heartbeat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    asked.withLock { $0.append(request) }
    let reply = change(try suite.reply(to: request, in: folder))
    return (reply.began - 5, reply)
  }
}

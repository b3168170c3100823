import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

import BenchEngine
import MenuWorkloads

/// Does the work of fresh processes within the test, and remembers what was asked.
package final class ManualStarter: ColdStarter, @unchecked Sendable {
  private let suite: Suite<Menu>
  private let folder: String
  private let lock = NSLock()
  private var asked: [ColdRequest] = []
  /// What is made of each reply before it is given.
  private let change: @Sendable (ColdReply) -> ColdReply

  package init(
    _ entry: BackendEntry<Menu>, in folder: String,
    change: @escaping @Sendable (ColdReply) -> ColdReply = { $0 }
  ) {
    suite = Suite(backends: [entry], workloads: WorkloadRegistry.all, source: MenuSource())
    self.folder = folder
    self.change = change
  }

  package var requests: [ColdRequest] { lock.withLock { asked } }

  package func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    lock.withLock { asked.append(request) }
    let reply = change(try suite.reply(to: request, in: folder))
    return (reply.began - 5, reply)
  }
}

/// The fresh processes of a block, on a store that holds one menu and is asked for another.
package struct ColdBench {
  let backend: BackendEntry<Menu>
  let kind: BlockRequest.Kind
  let turns: Turns?
  let metrics: Set<String>?
  let clock: ManualClock
  /// The menu that the store holds.
  let stored: Menu
  /// The menu that it should hold.
  let expected: Menu

  package static let menu = Menu(shape: MenuShape(.small))

  package init(
    backend: BackendEntry<Menu> = .json, kind: BlockRequest.Kind = .timed, turns: Turns? = nil,
    metrics: Set<String>? = nil, clock: ManualClock = ManualClock(), stored: Menu = menu,
    expected: Menu = menu
  ) {
    self.backend = backend
    self.kind = kind
    self.turns = turns
    self.metrics = metrics
    self.clock = clock
    self.stored = stored
    self.expected = expected
  }

  /// What they measure, and what they were asked.
  package func measure<W: ColdWorkload<Menu>>(
    _ workload: W, change: @escaping @Sendable (ColdReply) -> ColdReply = { $0 }
  ) throws -> (series: [Series], requests: [ColdRequest]) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "cold-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = StoreContext(folder: folder, durability: .atomic)
    try keep(try backend.open(store))
    let starter = ManualStarter(backend, in: folder, change: change)
    let block = ColdBlock(
      request: request(workload.id, folder), workload: workload,
      plan: try workload.plan(for: expected),
      surroundings: Surroundings(store: store, entry: backend, revisions: []), starter: starter,
      clock: clock)
    return (try block.measure(), starter.requests)
  }

  private func keep(_ backend: some Backend<Menu>) throws {
    try backend.write(backend.encode(stored))
    try backend.close()
  }

  private func request(_ workload: String, _ folder: String) -> BlockRequest {
    BlockRequest(
      cell: Cell(
        backend: backend.id, menu: "small", workload: workload, durability: "atomic"),
      documentName: "small", fingerprint: "", folder: folder, kind: kind, metrics: metrics,
      sampling: Sampling(), turns: turns, memoryLimit: nil, timeout: 60)
  }
}

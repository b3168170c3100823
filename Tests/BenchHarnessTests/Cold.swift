import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

@testable import BenchEngine
@testable import MenuWorkloads

/// Does the work of fresh processes within the test, and remembers what was asked.
final class ManualStarter: ColdStarter, @unchecked Sendable {
  private let suite: Suite<Menu>
  private let folder: String
  private let lock = NSLock()
  private var asked: [ColdRequest] = []
  /// What is made of each reply before it is given.
  private let change: @Sendable (ColdReply) -> ColdReply

  init(
    _ entry: BackendEntry<Menu>, in folder: String,
    change: @escaping @Sendable (ColdReply) -> ColdReply = { $0 }
  ) {
    suite = Suite(backends: [entry], workloads: WorkloadRegistry.all, source: MenuSource())
    self.folder = folder
    self.change = change
  }

  var requests: [ColdRequest] { lock.withLock { asked } }

  func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    lock.withLock { asked.append(request) }
    let reply = change(try suite.reply(to: request, in: folder))
    return (reply.began - 5, reply)
  }
}

/// The fresh processes of a block, on a store that holds one menu and is asked for another.
struct ColdBench {
  var backend: BackendEntry<Menu> = .json
  var kind = BlockRequest.Kind.timed
  var turns: Turns?
  var metrics: Set<String>?
  var clock = ManualClock()
  /// The menu that the store holds.
  var stored = ColdBench.menu
  /// The menu that it should hold.
  var expected = ColdBench.menu

  static let menu = Menu(shape: MenuShape(.small))

  /// What they measure, and what they were asked.
  func measure<W: ColdWorkload<Menu>>(
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

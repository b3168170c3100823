import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("dual-write")
struct DualWriteTests {
  private let menu = WorkloadStage.menu

  private func workload(with partner: String = "sqlite") -> DualWriteWorkload<Menu> {
    var workload = DualWriteWorkload<Menu>()
    workload.partner = partner
    return workload
  }

  /// The complaint about a move from one backend to another, or nil if all is well.
  private func complaint(from old: BackendEntry<Menu>, to new: BackendEntry<Menu>) -> String? {
    WorkloadStage.complaint(of: workload(with: new.id), on: old, backends: [old, new])
  }

  @Test(
    "moves from every other backend and back",
    arguments: BackendRegistry.all.filter { $0.id != "sqlite" })
  func backends(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(workload(), on: entry, times: 2)
    let phases = ["copy", "write-both", "compare", "read-new", "switch-back"]
    #expect(phases.map(outcome.samples) == [2, 4, 6, 2, 2])
    #expect(outcome.stored == menu)
  }

  @Test("moves all backends to the same one, and no backend to itself")
  func partners() {
    #expect(
      workload().refusal(of: .sqlite)
        == "sqlite cannot move to itself: name another backend with dual-write:with=ID")
    let refused = BackendRegistry.all.filter { workload().refusal(of: $0) != nil }
    #expect(refused.map(\.id) == ["sqlite"])
    #expect(workload(with: "json").refusal(of: .sqlite) == nil)
    #expect(workload(with: "lmdb").refusal(of: .json) == nil)
    #expect(
      workload(with: "json").refusal(of: .json)
        == "json cannot move to itself: name another backend with dual-write:with=ID")
  }

  @Test("names the backends if the partner is unknown")
  func unknown() {
    #expect(
      throws: WorkloadFailure(
        "there is no backend 'sqlit' to move to: expected json, memory")
    ) { try WorkloadStage.run(workload(with: "sqlit"), on: .json, backends: [.json, .memory]) }
  }

  @Test("says which store failed, or what it lost, and when")
  func faults() {
    func decaying(after reads: Int) -> BackendEntry<Menu> {
      BackendEntry(id: "decaying", summary: "forgets") { _ in
        let store = Decaying(MemoryBackend<Menu>())
        store.left = reads
        return store
      }
    }
    func became(_ old: Int, _ new: Int) -> String {
      "revision: \(menu.revision + old) became \(menu.revision + new)"
    }
    let cases: [(BackendEntry<Menu>, BackendEntry<Menu>, String)] = [
      // The first write of the new store is the copy, the second an update.
      (.memory, .failing(writes: [1]), "write the/file: no space"),
      (
        .memory, .changing { $0.revision += 5 },
        "changing differs from memory: \(became(0, 5))"
      ),
      (
        .memory, .failing(writes: [2]),
        "failing differs from memory: \(became(1, 0)), and its last write failed: write "
          + "the/file: no space"
      ),
      (
        .memory, .forgetting(writes: [2]),
        "forgetting differs from memory: \(became(1, 0))"
      ),
      // Those of the old one are the first menu, an update, and the writes while the new one is
      // read.
      (.failing(writes: [2]), .memory, "write the/file: no space"),
      (
        .forgetting(writes: [3]), .memory,
        "memory differs from forgetting: \(became(1, 0))"
      ),
      // Read for the copy, and compared three times.
      (
        decaying(after: 4), .memory,
        "decaying, to which the app turned back, differs from what was written: \(became(0, 5))"
      ),
      // Compared after the copy and after an update.
      (
        .memory, decaying(after: 2),
        "decaying, after a start that reads it, differs from what was written: \(became(1, 6))"
      ),
    ]
    for (old, new, said) in cases { #expect(complaint(from: old, to: new) == said) }
  }

  @Test("reads from the same store after a restart, and from the old one without a file")
  func restart() throws {
    try withFolder { store in
      let (old, new) = (MemoryBackend<Menu>(), MemoryBackend<Menu>())
      try old.save(menu)
      try new.save(menu.revised(1))
      func start() throws -> DualStore<Menu> {
        try DualStore(
          from: "a", old, to: "b", new, switchedBy: SmallFile("switch.json", beside: store))
      }
      var both = try start()
      #expect(try both.read() == menu)
      try both.lead(by: .new)
      #expect(try both.read() == menu.revised(1))
      #expect(try start().read() == menu.revised(1))
      try both.lead(by: .old)
      #expect(try start().leader == .old)
      try Data("{".utf8).write(to: URL(filePath: store.path("switch.json")))
      #expect(throws: (any Error).self) { try start() }
    }
  }

  private func withFolder(_ body: (StoreContext) throws -> Void) throws {
    try inFolder { try body(StoreContext(folder: $0, durability: .atomic)) }
  }

  @Test("continues after a failed write of the new store, and is in step after the next")
  func recovery() throws {
    try withFolder { store in
      let old = MemoryBackend<Menu>()
      let new = FaultyStore { number, kept, new in
        guard number != 2 else {
          throw StoreError(operation: "write", path: "the/file", reason: "no space")
        }
        return new
      }
      var both = try DualStore<Menu>(
        from: "a", old, to: "b", new, switchedBy: SmallFile("switch.json", beside: store))
      try both.write(menu)
      try both.compare()
      try both.write(menu.revised(1))
      #expect(try both.read() == menu.revised(1))
      #expect(try new.whole() == menu)
      #expect(throws: WorkloadFailure.self) { try both.compare() }
      try both.write(menu)
      try both.compare()
    }
  }
}

/// Reads so many times what was written, then another revision.
private final class Decaying: Wrapper {
  var left = 0

  override func read() throws -> Menu {
    var menu = try super.read()
    left -= 1
    if left < 0 { menu.revision += 5 }
    return menu
  }
}

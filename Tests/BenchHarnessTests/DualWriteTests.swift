import BenchResults
import MenuModel
import PersistenceBackends
import Testing

@testable import BenchHarness

@Suite("dual-write")
struct DualWriteTests {
  private let menu = WorkloadStage.menu

  private func workload(with partner: String = "sqlite") -> DualWriteWorkload<Menu> {
    var workload = DualWriteWorkload<Menu>()
    workload.partner = partner
    return workload
  }

  /// What a move from one backend to another comes to: nil where all is well.
  private func complaint(from old: BackendEntry<Menu>, to new: BackendEntry<Menu>) -> String? {
    do {
      try WorkloadStage.run(workload(with: new.id), on: old, backends: [old, new])
      return nil
    } catch {
      return String(describing: error)
    }
  }

  @Test("moves from every backend and back", arguments: BackendRegistry.all.map(\.id))
  func backends(id: String) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(workload(), on: entry, times: 2)
    #expect(["write-both", "compare", "switch-back"].map(outcome.samples) == [4, 4, 2])
    #expect(outcome.stored == outcome.expected)
    #expect(outcome.expected != menu)
  }

  @Test("takes json for sqlite's partner, and no backend for its own")
  func partners() {
    #expect(workload().refusal(of: .sqlite) == nil)
    #expect(workload(with: "json").refusal(of: .sqlite) == nil)
    #expect(workload(with: "lmdb").refusal(of: .json) == nil)
    #expect(
      workload(with: "json").refusal(of: .json)
        == "json cannot move to itself: name another backend with dual-write:with=ID")
  }

  @Test("says which backends there are where the partner is none")
  func unknown() {
    #expect(
      throws: WorkloadFailure(
        "there is no backend 'sqlit' to move to; there are: json, memory")
    ) { try WorkloadStage.run(workload(with: "sqlit"), on: .json, backends: [.json, .memory]) }
  }

  @Test("says that the two are out of step where the second write failed, and why")
  func secondFails() throws {
    let first = try #require(complaint(from: .memory, to: .failing(writes: [1])))
    #expect(first == "read memory: nothing was written")
    let second = try #require(complaint(from: .memory, to: .failing(writes: [2])))
    #expect(
      second == """
        failing is out of step with memory: revision: \(menu.revision) became \
        \(menu.revision ^ 1); its last write failed: write the/file: no space
        """)
  }

  @Test("says that the two are out of step where the second write was lost without a word")
  func secondForgets() throws {
    let said = try #require(complaint(from: .memory, to: .forgetting(writes: [2])))
    #expect(
      said == """
        forgetting is out of step with memory: revision: \(menu.revision) became \
        \(menu.revision ^ 1)
        """)
  }

  @Test("says what the old storage lost by the time the app turns back")
  func oldForgets() throws {
    let said = try #require(complaint(from: .forgetting(writes: [2]), to: .memory))
    #expect(
      said == """
        forgetting lacks what was written last when the app turns back: revision: \
        \(menu.revision) became \(menu.revision ^ 1)
        """)
  }

  @Test("fails with the old storage's error, and leaves the new one alone")
  func oldFails() throws {
    let said = try #require(complaint(from: .failing(writes: [1]), to: .memory))
    #expect(said == "write the/file: no space")
  }

  @Test("goes on after a failed write of the new storage, and is in step after the next")
  func recovery() throws {
    let old = MemoryBackend<Menu>()
    let new = FaultyStore { number, kept, new in
      guard number != 2 else {
        throw StorageError(operation: "write", path: "the/file", reason: "no space")
      }
      return new
    }
    var both = DualStore<Menu>(from: "a", old, to: "b", new)
    try both.write(menu)
    try both.compare()
    try both.write(menu.nextRevision())
    #expect(try both.readOld() == menu.nextRevision())
    #expect(try both.readNew() == menu)
    #expect(throws: WorkloadFailure.self) { try both.compare() }
    try both.write(menu)
    try both.compare()
  }
}

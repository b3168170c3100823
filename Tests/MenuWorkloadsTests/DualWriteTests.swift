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
    let phases = ["copy", "write-both", "compare", "read-new", "switch-back"]
    #expect(phases.map(outcome.samples) == [2, 4, 6, 2, 2])
    #expect(outcome.stored == menu)
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

  @Test("fails where the new store does not take the copy, and says so where it lost it")
  func copyFails() throws {
    #expect(
      complaint(from: .memory, to: .failing(writes: [1])) == "write the/file: no space")
    #expect(
      complaint(from: .memory, to: .changing { $0.revision += 5 }) == """
        changing is out of step with memory: revision: \(menu.revision) became \
        \(menu.revision + 5)
        """)
  }

  @Test("says that the two are out of step where the second write failed, and why")
  func secondFails() throws {
    // The copy, then an update.
    let said = complaint(from: .memory, to: .failing(writes: [2]))
    #expect(
      said == """
        failing is out of step with memory: revision: \(menu.revision + 1) became \
        \(menu.revision); its last write failed: write the/file: no space
        """)
  }

  @Test("says that the two are out of step where the second write was lost without a word")
  func secondForgets() throws {
    let said = try #require(complaint(from: .memory, to: .forgetting(writes: [2])))
    #expect(
      said == """
        forgetting is out of step with memory: revision: \(menu.revision + 1) became \
        \(menu.revision)
        """)
  }

  @Test("says that they are out of step where the old one lost what was written while the new led")
  func oldForgets() throws {
    // The first menu, an update, and what is written while the new one is read.
    let said = try #require(complaint(from: .forgetting(writes: [3]), to: .memory))
    #expect(
      said == """
        memory is out of step with forgetting: revision: \(menu.revision + 1) became \
        \(menu.revision)
        """)
  }

  @Test("says what the old store no longer has when the app turns back to it")
  func oldDecays() throws {
    // Compared three times, and read for the copy.
    let entry = BackendEntry<Menu>(id: "decaying", summary: "forgets") { _ in
      Decaying(after: 4)
    }
    let said = try #require(complaint(from: entry, to: .memory))
    #expect(
      said == """
        decaying, to which the app turned back, differs from what was written: revision: \
        \(menu.revision) became \(menu.revision + 5)
        """)
  }

  @Test("fails where the new store has another menu when it is read from first")
  func newDecays() throws {
    // Compared after the copy and after an update.
    let entry = BackendEntry<Menu>(id: "decaying", summary: "forgets") { _ in
      Decaying(after: 2)
    }
    let said = try #require(complaint(from: .memory, to: entry))
    #expect(
      said == """
        decaying, after a start that reads it, differs from what was written: revision: \
        \(menu.revision + 1) became \((menu.revision + 1) + 5)
        """)
  }

  @Test("fails with the old store's error, and leaves the new one alone")
  func oldFails() throws {
    // The first is the menu that is there.
    let said = try #require(complaint(from: .failing(writes: [2]), to: .memory))
    #expect(said == "write the/file: no space")
  }

  @Test("reads after a start what was read before it, and without a file the old one")
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

  @Test("goes on after a failed write of the new store, and is in step after the next")
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
private final class Decaying: Backend {
  private let memory = MemoryBackend<Menu>()
  private var left: Int

  init(after reads: Int) { left = reads }

  func encode(_ document: Menu) -> Menu { document }
  func write(_ payload: Menu) throws { try memory.write(payload) }

  func read() throws -> Menu {
    var menu = try memory.read()
    left -= 1
    if left < 0 { menu.revision += 5 }
    return menu
  }

  func decode(_ payload: Menu) -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a test") }
}

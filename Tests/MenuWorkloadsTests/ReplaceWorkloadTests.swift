import BenchResults
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = Menu(shape: MenuShape(.small))

/// Keeps the first menu that it is given.
private final class Stubborn: Wrapper {
  private var isWritten = false

  override func write(_ payload: Menu) throws {
    if !isWritten { try super.write(payload) }
    isWritten = true
  }
}

/// Loses the last product when it is compacted.
private final class Lossy: Wrapper, Compacting {
  func compact() throws {
    var menu = try read()
    menu.products.removeLast()
    try write(menu)
  }
}

/// Keeps in memory what it is given from the third write on.
private final class Lazy: Wrapper {
  private var writes = 0
  private var latest: Menu?

  override func write(_ payload: Menu) throws {
    writes += 1
    latest = payload
    if writes < 3 { try super.write(payload) }
  }

  override func read() throws -> Menu { try latest ?? super.read() }
}

/// Keeps the products of the last revision that the new one removed.
private final class Hoarding: Wrapper {
  private var before: Menu?

  override func write(_ payload: Menu) throws {
    let ids = Set(payload.products.map(\.id))
    let gone = before?.products.filter { !ids.contains($0.id) } ?? []
    var menu = payload
    menu.products += gone
    before = payload
    try super.write(menu)
  }
}

@Suite("The workload replace")
struct ReplaceWorkloadTests {
  private func replace(_ revisions: Int) throws -> ReplaceWorkload<Menu> {
    try ReplaceWorkload<Menu>().with("revisions=\(revisions)")
  }

  @Test(
    "measures every replacement and its size on every backend, and does not change the given store",
    arguments: BackendRegistry.all)
  func all(entry: BackendEntry<Menu>) throws {
    let id = entry.id
    let outcome = try WorkloadStage.run(try replace(5), on: entry, menu, times: 2)
    let compacts = [
      "sqlite", "sqlite-grdb", "sqlite-records", "sqlite-blob", "object-graph",
      "object-graph-faulting",
    ].contains(id)
    #expect(["replace", "compact"].map(outcome.samples) == [10, compacts ? 2 : 0])
    #expect(outcome.notes("replace", .storedPeakBytes).count == (id == "memory" ? 0 : 10))
    #expect(outcome.notes("replace", .storedBytes).count == (id == "memory" ? 0 : 2))
    #expect(outcome.notes("compact", .storedPeakBytes).count == (compacts ? 2 : 0))
    #expect(outcome.notes("compact", .storedBytes).count == (compacts ? 2 : 0))
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  @Test("finds the same sizes every time, only a used log, and no larger store after compaction")
  func sizes() throws {
    let outcome = try WorkloadStage.run(try replace(5), on: .sqlite, menu, times: 2)
    let sizes = outcome.notes("replace", .storedPeakBytes)
    let rest = outcome.notes("replace", .storedBytes)
    #expect(Array(sizes[..<5]) == Array(sizes[5...]))
    #expect(sizes[4] > sizes[0])
    #expect(rest[0] == rest[1] && rest[0] < sizes[4], "a log is no part of what is stored at rest")
    #expect(try #require(outcome.notes("compact", .storedBytes).first) <= rest[0])
  }

  @Test("stores 50 different revisions of about one size by default")
  func standard() throws {
    let outcome = try WorkloadStage.run(ReplaceWorkload<Menu>(), on: .json, menu, isWarmUp: false)
    #expect(["replace", "compact"].map(outcome.samples) == [50, 0])
    let sizes = outcome.notes("replace", .storedPeakBytes)
    #expect(Set(sizes).count == 50)
    #expect(sizes.allSatisfy { (0.9...1.15).contains($0 / sizes[0]) })
  }

  @Test("adds to every replacement its share of the checkpoints of all")
  func checkpoints() throws {
    let stores = Stores()
    let entry = BackendEntry<Menu>(id: "logging", summary: "keeps a log", survivesRestart: false) {
      _ in
      let store = Logging(MemoryBackend())
      stores.opened.append(store)
      return store
    }
    let outcome = try WorkloadStage.run(
      try replace(24), on: MemoryBackend<Menu>(), menu, entry: entry)
    // It is full after ten and after twenty. The last four are charged in the same way.
    #expect(outcome.samples("checkpoint") == 2)
    #expect(outcome.notes("checkpoint-share").count == 24)
    #expect(stores.opened.first?.copied.count == 2)
    #expect(stores.opened.first?.isDeferred == false)
  }

  /// The stores that an entry opened.
  private final class Stores: @unchecked Sendable {
    var opened: [Logging] = []
  }

  private func complaint(
    of entry: BackendEntry<Menu>, _ revisions: Int, _ isWarmUp: Bool
  ) throws -> String {
    WorkloadStage.complaint(of: try replace(revisions), on: entry, menu, isWarmUp: isWarmUp) ?? ""
  }

  @Test("fails if a store keeps something that a revision removed", arguments: [2, 5])
  func hoarding(revisions: Int) throws {
    for (isWarmUp, subject) in [(false, "the last revision"), (true, "revision 2")] {
      let said = try complaint(of: Hoarding.around(.json), revisions, isWarmUp)
      #expect(said.hasPrefix("\(subject) differs from what was written: products: "), "\(said)")
    }
  }

  @Test(
    "fails if a store keeps the first revision, reopens wrongly, or loses data in compaction",
    arguments: [false, true])
  func faults(isWarmUp: Bool) throws {
    let (subject, new) = (isWarmUp ? "revision 2" : "the last revision", menu.revised(1))
    let count = new.products.count
    #expect(
      try complaint(of: Stubborn.around(.json), 2, isWarmUp)
        == "\(subject) differs from what was written: revision: \(new.revision) became "
        + "\(menu.revision)")
    #expect(
      try complaint(of: Lossy.around(.json), 2, isWarmUp)
        == "the compacted store differs from what was written: products: \(count) parts became "
        + "\(count - 1)")
    let lazy = try complaint(of: Lazy.around(.json), 5, isWarmUp)
    #expect(
      lazy.hasPrefix("the replaced store, reopened, differs from what was"), "\(lazy)")
  }
}

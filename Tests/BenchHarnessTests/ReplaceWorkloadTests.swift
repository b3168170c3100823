import MenuModel
import PersistenceBackends
import Testing

@testable import BenchHarness

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

@Suite("The workload replace")
struct ReplaceWorkloadTests {
  private func replace(_ revisions: Int) throws -> ReplaceWorkload<Menu> {
    try ReplaceWorkload<Menu>().with("revisions=\(revisions)")
  }

  @Test(
    "measures every replacement and its size on every backend, and leaves the store given alone",
    arguments: BackendRegistry.all.map(\.id))
  func all(id: String) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let trial = try Trial(try replace(5), on: entry, menu)
    let compacts = [
      "sqlite", "sqlite-records", "sqlite-document", "sqlite-blob", "object-graph",
      "object-graph-faulting",
    ].contains(id)
    #expect(trial.samples == [10, compacts ? 2 : 0])
    #expect(trial.storedBytes[0]?.count == (id == "memory" ? nil : 10))
    #expect(trial.storedBytes[1]?.count == (compacts ? 2 : nil))
    #expect(trial.kept == menu.fingerprint)
  }

  @Test("finds the same sizes every time, and a smaller store after compaction")
  func sizes() throws {
    let trial = try Trial(try replace(5), on: .sqlite, menu)
    let sizes = try #require(trial.storedBytes[0])
    #expect(Array(sizes[..<5]) == Array(sizes[5...]))
    #expect(sizes[4] > sizes[0])
    #expect(try #require(trial.storedBytes[1]?[0]) < sizes[4])
  }

  @Test("stores 50 revisions unless told")
  func standard() throws {
    let trial = try Trial(ReplaceWorkload<Menu>(), on: .json, menu, .usual, times: 1)
    #expect(trial.samples == [50, 0])
    #expect(Set(try #require(trial.storedBytes[0])).count == 1)
  }

  @Test("catches a store that keeps the first revision", arguments: [Care.usual, .thorough])
  func stubborn(care: Care) throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try Trial(try replace(2), on: Stubborn.around(.json), menu, care)
    }
    let subject = care == .usual ? "the last revision" : "revision 2"
    let (old, new) = (menu.revision, menu.nextRevision().revision)
    #expect(
      failure?.description
        == "\(subject) differs from what was written: revision: \(new) became \(old)")
  }

  @Test("catches a compaction that loses something", arguments: [Care.usual, .thorough])
  func lossy(care: Care) throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try Trial(try replace(2), on: Lossy.around(.json), menu, care)
    }
    #expect(
      failure?.description
        == "the compacted store differs from what was written: products: 81 parts became 80")
  }

  @Test(
    "catches a store that is right until it is opened again", arguments: [Care.usual, .thorough])
  func lazy(care: Care) throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try Trial(try replace(5), on: Lazy.around(.json), menu, care)
    }
    #expect(
      failure?.description.hasPrefix("the replaced store, opened anew, differs from what was")
        == true)
  }
}

import BenchProbes
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = Menu(shape: MenuShape(.small))

/// A menu and its schema in two files, migrated and refused as it should be; faults override that.
private class Versioned: Backend, SchemaChanging {
  private let store: StoreContext
  private let inner: any Backend<Menu>

  required init(_ store: StoreContext, knowing newest: Int) throws {
    self.store = store
    inner = try BackendEntry<Menu>.json.open(store)
    let found = try? schema
    if let found, let refusal = refusal(of: found, knowing: newest) {
      throw StoreError(operation: "open", path: store.folder, reason: refusal)
    }
    if found ?? 0 < newest { try changeSchema(to: newest) }
  }

  func refusal(of schema: Int, knowing newest: Int) -> String? {
    schema > newest ? "its schema is \(schema), newer than \(newest)" : nil
  }

  var schema: Int {
    get throws { Int(try String(contentsOfFile: store.path("version"), encoding: .utf8)) ?? 0 }
  }

  func changeSchema(to schema: Int) throws {
    try "\(schema)".write(toFile: store.path("version"), atomically: true, encoding: .utf8)
  }

  func encode(_ document: Menu) throws -> Menu { document }
  func write(_ payload: Menu) throws { try inner.save(payload) }
  func read() throws -> Menu { try inner.whole() }
  func decode(_ payload: Menu) throws -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a menu has no bytes") }
  func storedSize() throws -> Size { try inner.storedSize() }

  static var entry: BackendEntry<Menu> {
    BackendEntry(id: "versioned", summary: "a backend with schemas") {
      try Self($0, knowing: 3)
    }
  }
}

/// Opens any store as its own.
private final class Careless: Versioned {
  override func refusal(of schema: Int, knowing newest: Int) -> String? { nil }
}

/// Refuses without saying what it met.
private final class Curt: Versioned {
  override func refusal(of schema: Int, knowing newest: Int) -> String? {
    schema > newest ? "its schema is not 2" : nil
  }
}

/// Loses what stands in a field when it is renamed the second time.
private final class Losing: Versioned {
  override func read() throws -> Menu {
    var menu = try super.read()
    if try schema == 3 { menu.products[4].details = "" }
    return menu
  }
}

/// Takes the second schema's step alone where a user skipped it, so that the first one's is lost.
private final class Chaining: Versioned {
  override func changeSchema(to schema: Int) throws {
    if (try? self.schema) == 1, schema == 3 {
      var menu = try read()
      menu.products[4].details = ""
      try write(menu)
    }
    try super.changeSchema(to: schema)
  }
}

/// Keeps the number of the old schema.
private final class Stuck: Versioned {
  override func changeSchema(to schema: Int) throws { try super.changeSchema(to: min(schema, 2)) }
}

@Suite("The workload upgrade")
struct UpgradeWorkloadTests {
  @Test(
    "goes through every step on every backend that keeps anything, and leaves the store given alone",
    arguments: BackendRegistry.all.filter(\.survivesRestart).map(\.id), [false, true])
  func all(id: String, isWarmUp: Bool) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(
      UpgradeWorkload(), on: entry, menu, isWarmUp: isWarmUp, times: 2)
    #expect(outcome.samples == [2, 2, 2, 2])
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  @Test("says that a store is changed in place, or stored whole; after a rollback always whole")
  func routes() throws {
    let versioned = try inFolder {
      try Versioned(StoreContext(folder: $0, durability: .none), knowing: 3)
    }
    let workload = UpgradeWorkload()
    #expect(
      workload.phases.map { workload.route(of: $0, on: versioned) } == [
        .native, .native, .native, .wholeMenu,
      ])
    let memory = MemoryBackend<Menu>()
    #expect(
      workload.phases.map { workload.route(of: $0, on: memory) }
        == Array(repeating: .wholeMenu, count: 4))
  }

  @Test("makes no sense where nothing survives the process, and says so")
  func refusal() {
    let refused = BackendRegistry.all.filter { UpgradeWorkload().refusal(of: $0) != nil }
    #expect(refused.map(\.id) == ["memory"])
    #expect(
      UpgradeWorkload().refusal(of: .memory)
        == "nothing survives the process, so there is no store to upgrade")
  }

  @Test("passes a backend that migrates and refuses")
  func sound() throws {
    let outcome = try WorkloadStage.run(UpgradeWorkload(), on: Versioned.entry, menu)
    #expect(outcome.samples == [1, 1, 1, 1])
  }

  @Test(
    "catches what goes wrong",
    arguments: [
      (
        Careless.entry, "a program of schema 2 opened a store of schema 3 as if it were its own"
      ),
      (
        Curt.entry, "a program of schema 2 met a store of schema 3 and said: "
      ),
      (
        Losing.entry,
        "what a program of schema 3 reads (phase to-3) differs from what was written: "
          + "products[4].details: "
      ),
      (
        Chaining.entry,
        "what a program of schema 3 reads (phase 1-to-3) differs from what was written: "
          + "products[4].details: "
      ),
      (Stuck.entry, "a program of schema 3 leaves a store of schema 2"),
    ], [false, true])
  private func faults(fault: (BackendEntry<Menu>, String), isWarmUp: Bool) throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(UpgradeWorkload(), on: fault.0, menu, isWarmUp: isWarmUp)
    }
    #expect(failure?.description.hasPrefix(fault.1) == true, "\(failure?.description ?? "")")
  }

  @Test("times opening, writing and reading, and not what plays the network")
  func network() throws {
    let clock = ManualClock()
    let outcome = try WorkloadStage.run(
      UpgradeWorkload(), on: MemoryBackend<Menu>(), menu, entry: Slow.entry(clock), clock: clock)
    #expect(["to-2", "to-3", "1-to-3", "back"].map(outcome.wall) == [[37], [37], [37], [37]])
  }

  @Test("catches a store that is discarded and yet read as if it were new")
  func undead() throws {
    // What it is given first is what it reads for ever, whatever becomes of its file.
    let first = FirstMenu()
    let entry = BackendEntry<Menu>(id: "undead", summary: "remembers the first menu") { store in
      Undead(try BackendEntry<Menu>.json.open(store), first)
    }
    let failure = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(UpgradeWorkload(), on: entry, menu, isWarmUp: false)
    }
    #expect(
      failure?.description.hasPrefix("what a program of schema 2 reads (phase to-2) differs")
        == true)
  }
}

/// A store to which the network brings menus slowly, and which opens and writes by a clock of its own.
private final class Slow: Wrapper {
  var clock: ManualClock?

  override func prepare(_ document: Menu) throws { clock?.advance(by: 1_000) }
  override func write(_ payload: Menu) throws {
    clock?.advance(by: 7)
    try super.write(payload)
  }

  static func entry(_ clock: ManualClock) -> BackendEntry<Menu> {
    BackendEntry(id: "slow", summary: "waits for the network") { store in
      let backend = Slow(try BackendEntry<Menu>.json.open(store))
      backend.clock = clock
      clock.advance(by: 30)
      return backend
    }
  }
}

private final class FirstMenu: @unchecked Sendable {
  var menu: Menu?
}

private final class Undead: Backend {
  private let inner: any Backend<Menu>
  private let first: FirstMenu

  init(_ inner: any Backend<Menu>, _ first: FirstMenu) {
    self.inner = inner
    self.first = first
  }

  func encode(_ document: Menu) throws -> Menu { document }
  func write(_ payload: Menu) throws {
    if first.menu == nil { first.menu = payload }
    try inner.save(payload)
  }
  func read() throws -> Menu { try first.menu ?? inner.whole() }
  func decode(_ payload: Menu) throws -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a menu has no bytes") }
  func storedSize() throws -> Size { try inner.storedSize() }
}

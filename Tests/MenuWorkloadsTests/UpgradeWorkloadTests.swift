import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = WorkloadStage.menu("products=40,combos=5,slots=3,options=6,seed=7")

private func upgrade(_ change: SchemaChange, network: Int = 500) -> UpgradeWorkload {
  var workload = UpgradeWorkload()
  (workload.change, workload.network) = (change, network)
  return workload
}

/// A menu file whose other versions are read unchanged or refused. Faults override that.
private class Versioned: Wrapper, SchemaChanging {
  func route(across change: SchemaChange) -> Route { change == .back ? .refetched : .asItIs }

  func save(_ menu: Menu, across change: SchemaChange) throws {
    try inner.save(menu.across(change))
    if change == .back {
      try inner.save(Menu(id: -1, revision: 1, locale: "", currency: "", city: ""))
    }
  }

  override func read() throws -> Menu {
    let menu = try super.read()
    if menu.id == -1 { throw StoreError(operation: "read", path: "menu", reason: refusal) }
    return menu
  }

  var refusal: String { "its schema is 3, newer than 2" }

  static var entry: BackendEntry<Menu> {
    BackendEntry(id: "versioned", summary: "a backend with schemas") {
      Self(try BackendEntry<Menu>.json.open($0))
    }
  }
}

/// Opens a newer store as its own.
private final class Careless: Versioned {
  override func read() throws -> Menu { try inner.whole() }
}

/// Refuses without saying what it met.
private final class Curt: Versioned {
  override var refusal: String { "its schema is not 2" }
}

/// Loses the value of a field.
private final class Losing: Versioned {
  override func read() throws -> Menu {
    var menu = try super.read()
    menu.products[4].details = ""
    return menu
  }
}

/// Reads what the other program had, and leaves something else for the next start.
private final class Once: Versioned {
  private var kept: Menu?

  override func read() throws -> Menu {
    let menu = try super.read()
    kept = menu
    return menu
  }

  override func close() throws {
    if var kept {
      kept.products[4].details = ""
      try inner.save(kept)
    }
    try super.close()
  }
}

@Suite("The workload upgrade")
struct UpgradeWorkloadTests {
  private static let kept = BackendRegistry.all.filter(\.survivesRestart).map(\.id)

  @Test(
    "starts with the store of another version, on every backend that keeps one",
    arguments: kept, SchemaChange.allCases)
  func all(id: String, change: SchemaChange) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(upgrade(change), on: entry, menu, times: 2)
    let isFetched = outcome.notes("network").count == 2
    #expect(["start", "load"].map(outcome.samples) == [2, 2])
    #expect(outcome.samples("parse") == (isFetched ? 2 : 0))
    #expect(outcome.notes("network") == (isFetched ? [500e6, 500e6] : []))
    #expect(
      outcome.skipped
        == (isFetched
          ? [:]
          : [
            "network": "the stored menu is kept", "parse": "the stored menu is kept",
          ]))
    let upgrade = zip(outcome.wall("start"), isFetched ? outcome.wall("parse") : [0, 0]).map(+)
    let total = zip(upgrade, outcome.wall("load")).map { $0 + $1 + (isFetched ? 500e6 : 0) }
    for (noted, sum) in [("upgrade", upgrade), ("total", total)] {
      #expect(outcome.notes(noted).count == 2)
      #expect(zip(outcome.notes(noted), sum).allSatisfy { abs($0 - $1) < 1 })
    }
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  @Test("names for every backend the route to the menu that it then uses")
  func routes() throws {
    for entry in BackendRegistry.all where entry.survivesRestart {
      for change in SchemaChange.allCases {
        let route = try inFolder {
          upgrade(change).route(
            of: UpgradeWorkload().phases[3],
            on: try entry.open(StoreContext(folder: $0, durability: .none)))
        }
        let outcome = try WorkloadStage.run(upgrade(change), on: entry)
        #expect(
          (route == .refetched) == !outcome.notes("network").isEmpty,
          "\(entry.id), \(change.rawValue)")
      }
    }
  }

  @Test("has a variant for every change")
  func variants() throws {
    #expect(
      try UpgradeWorkload().all().map(\.id) == [
        "upgrade", "upgrade:change=required", "upgrade:change=split", "upgrade:change=type",
        "upgrade:change=back",
      ])
  }

  @Test("makes no sense if nothing survives the process, and says so")
  func refusal() {
    let refused = BackendRegistry.all.filter { UpgradeWorkload().refusal(of: $0) != nil }
    #expect(refused.map(\.id) == ["memory"])
    #expect(
      UpgradeWorkload().refusal(of: .memory)
        == "nothing survives the process, so there is no store to upgrade")
  }

  @Test("accepts a backend that reads and refuses as it promises", arguments: SchemaChange.allCases)
  func sound(change: SchemaChange) throws {
    let outcome = try WorkloadStage.run(upgrade(change), on: Versioned.entry, menu)
    #expect(outcome.samples("start") == 1)
  }

  @Test(
    "detects faults",
    arguments: [
      (
        Careless.entry, SchemaChange.back,
        "a newer program's store was opened as if it were this one's"
      ),
      (
        Curt.entry, .back,
        "the refusal of a newer program's store does not say that it is newer: its schema is not 2"
      ),
      (
        Losing.entry, .split,
        "the menu read after a change (split) differs from what was written: products[4].details: "
      ),
      (
        Losing.entry, .back,
        "the menu read after a change (back) differs from what was written: products[4].details: "
      ),
      (
        Once.entry, .optional,
        "the menu read after a change (optional), reopened, differs from what was written: "
          + "products[4].details: "
      ),
    ])
  private func faults(entry: BackendEntry<Menu>, change: SchemaChange, said: String) throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(upgrade(change), on: entry, menu)
    }
    #expect(failure?.description.hasPrefix(said) == true, "\(failure?.description ?? "")")
  }

  @Test("ranks opening, storing and parsing, but not loading or the network, which it only adds")
  func network() throws {
    let clock = ManualClock()
    let outcome = try WorkloadStage.run(
      upgrade(.optional, network: 2), on: MemoryBackend<Menu>(), menu, entry: Slow.entry(clock),
      clock: clock)
    #expect(outcome.wall("start") == [37])
    #expect(outcome.wall("parse") == [0])
    #expect(outcome.wall("load") == [5])
    #expect(outcome.notes("network") == [2e6])
    #expect(outcome.notes("upgrade") == [37])
    #expect(outcome.notes("total") == [2_000_042])
    #expect(UpgradeWorkload().info.costs.map(\.name) == ["upgrade"])
  }

  @Test("fails if a discarded store is still read as if it were new", arguments: [false, true])
  func undead(isWarmUp: Bool) throws {
    // It always reads its first menu, whatever happens to its file.
    let first = FirstMenu()
    let entry = BackendEntry<Menu>(id: "undead", summary: "remembers the first menu") { store in
      let backend = Undead(try BackendEntry<Menu>.json.open(store))
      backend.first = first
      return backend
    }
    let failure = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(upgrade(.optional), on: entry, menu, isWarmUp: isWarmUp)
    }
    #expect(
      failure?.description.hasPrefix("the menu read after a change (optional) differs") == true)
  }
}

/// A store to which the network brings menus slowly, and which opens, writes and reads by a clock of
/// its own.
private final class Slow: Wrapper {
  var clock: ManualClock?

  override func prepare(_ document: Menu) throws { clock?.advance(by: 1_000) }
  override func write(_ payload: Menu) throws {
    clock?.advance(by: 7)
    try super.write(payload)
  }
  override func read() throws -> Menu {
    clock?.advance(by: 5)
    return try super.read()
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

private final class Undead: Wrapper {
  var first = FirstMenu()

  override func write(_ payload: Menu) throws {
    if first.menu == nil { first.menu = payload }
    try super.write(payload)
  }

  override func read() throws -> Menu { try first.menu ?? super.read() }
}

import BackendKit
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// `upgrade`: the first start of a program on a store that another version of it left, until this
/// program has the whole menu.
///
/// Opening the other version's store is ranked, with its migration, or with parsing and storing a
/// fetched menu. The network is not, nor is the load, which any start needs.
///
/// The two versions differ by one change of the menu's schema (``SchemaChange``). Backends that
/// keep their menu across it say how (``SchemaChanging``). For the others a stamp next to the store
/// names its schema (``StampedStore``), as in an app without migrations. A store with another
/// schema is discarded, and so is one that a backend refuses. The menu is then fetched again:
/// parsing its response is timed, and the network's time is given, as in `launch-flow`.
package struct UpgradeWorkload: Workload {
  package let name = "upgrade"
  package let summary =
    "the first start on another version's store: migrated, read as it is, or discarded with the "
    + "menu fetched again"
  /// The given network time and decoding the response, if the menu is fetched again. Opening the
  /// store, with its migration, or refusing it and storing the fetched menu. The sum of these two
  /// without the network. Loading the whole menu. The sum of everything.
  package let phases: [Phase] = [.network, .parse, .start, .upgrade, .load, .total]
  /// The given store stays as it is.
  package let beginsStored = true
  /// One is enough, because an app does it once.
  package let leastSamples = 1

  /// The change between the program that left the store and this one.
  package var change = SchemaChange.optional
  /// The network's time, in milliseconds.
  package var network = 500

  package init() {}

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "change", \.change, standard: .optional,
        "the change from the other program to this one: a field added (optional or required), "
          + "split in two or changed in type, or one version back"),
      WorkloadParameter(
        "network", \.network, in: 0...600_000, standard: 500,
        "assumed milliseconds to fetch the menu again"),
    ]
  }
  package static var variants: [String] {
    SchemaChange.allCases.map { $0 == .optional ? "" : "change=\($0.rawValue)" }
  }

  /// Refuses a backend whose data ends with the process.
  package func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "nothing survives the process, so there is no store to upgrade"
  }

  /// Returns the backend's own route, or that the menu is fetched again.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    guard [.start, .upgrade, .total].contains(phase) else { return nil }
    return (backend as? any SchemaChanging)?.route(across: change) ?? .refetched
  }

  /// The other program's menu, the menus that this program must read, and the network's responses.
  package struct Plan {
    let stored: Menu
    let kept: Fixture<Menu>
    let fetched: Fixture<Menu>
    let responses = Responses()
  }

  /// Plans a stored menu and a later one from the network, so that the menu read shows its source.
  package func plan(for menu: Menu) throws -> Plan {
    Plan(stored: menu, kept: Fixture(menu.across(change)), fetched: Fixture(menu.revised(1)))
  }

  /// Leaves a store as the other program would, and starts on it as this one.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let folder = try site.surroundings.siblingStore("upgraded")
    defer { try? FileManager.default.removeItem(atPath: folder.folder) }
    let start = FirstStart(site: site, plan: plan, change: change, folder: folder)
    let isFetched = try start.run() == .refetched
    let parse = isFetched ? site.lastWall(.parse) ?? 0 : 0
    let upgrade = (site.lastWall(.start) ?? 0) + parse
    let fetching = isFetched ? Double(network) * 1e6 : 0
    if isFetched { site.note(fetching, .network) }
    site.note(upgrade, .upgrade)
    site.note(fetching + upgrade + (site.lastWall(.load) ?? 0), .total)
  }
}

extension Phase {
  fileprivate static let start = Phase("start")
  fileprivate static let upgrade = Phase("upgrade", decides: true, saves: true)
  fileprivate static let load = Phase("load")
  fileprivate static let total = Phase("total")
}

/// One pass of ``UpgradeWorkload``, on a store in its own folder.
private struct FirstStart<B: Backend<Menu>, Clock: WallClock> {
  let site: WorkSite<B, Clock>
  let plan: UpgradeWorkload.Plan
  let change: SchemaChange
  let folder: StoreContext

  private var entry: BackendEntry<Menu> { site.surroundings.entry }

  /// Leaves the store and starts on it.
  ///
  /// - Returns: the route by which the menu was obtained.
  func run() throws -> Route {
    guard site.backend is any SchemaChanging,
      let other = try entry.open(folder) as? any SchemaChanging
    else {
      try discard()
      return .refetched
    }
    let route = other.route(across: change)
    try other.save(plan.stored, across: change)
    try other.close()
    site.awaitQuiet()
    if route == .refetched { try replaceRefused() } else { try keep() }
    return route
  }

  /// Opens the store and loads the kept menu. In warm-up a second opening must load the same.
  private func keep() throws {
    for phase in [Phase.network, .parse] { site.skip(phase, because: "the stored menu is kept") }
    let backend = try site.measure(.start) { try entry.open(folder) }
    try check(backend, plan.kept) { try entry.open(folder) }
  }

  /// Meets the backend's refusal, empties the store and stores the fetched menu.
  private func replaceRefused() throws {
    var refusal: String?
    try store {
      refusal = try refusalOfStore()
      try folder.empty()
      return try entry.open(folder)
    } keeping: {
      try $0.put($1)
    } again: {
      try entry.open(folder)
    }
    guard let refusal, !refusal.contains("newer") else { return }
    throw WorkloadFailure(
      "the refusal of a newer program's store does not say that it is newer: \(refusal)")
  }

  private func refusalOfStore() throws -> String {
    do {
      let backend = try entry.open(folder)
      defer { try? backend.close() }
      _ = try backend.whole()
    } catch let error as StoreError {
      return error.reason
    }
    throw WorkloadFailure("a newer program's store was opened as if it were this one's")
  }

  /// Finds the other program's stamp, discards its store and stores the fetched menu.
  private func discard() throws {
    let store = StampedStore(entry, in: folder)
    let stored = plan.stored
    try store.open(asSchema: change == .back ? 3 : 1) { stored }.close()
    site.awaitQuiet()
    try self.store {
      guard try store.openKept(asSchema: 2) == nil else {
        throw WorkloadFailure("a program of schema 2 accepted a store of another schema")
      }
      return try store.discard()
    } keeping: {
      try store.keep($1, in: $0, asSchema: 2)
    } again: {
      try store.open(asSchema: 2) { stored }
    }
  }

  /// Stores the fetched menu in a store just opened, and loads it.
  ///
  /// The phase has two parts, between which the network is simulated and not timed. Parsing is a
  /// separate phase.
  private func store(
    opening open: () throws -> any Backend<Menu>,
    keeping keep: (any Backend<Menu>, Menu) throws -> Void,
    again: () throws -> any Backend<Menu>
  ) throws {
    let fetched = try site.parseToStore(plan.fetched, plan.responses)
    let backend = try site.measure(.start, open)
    try backend.prepare(fetched)
    try site.resume(.start) { try keep(backend, fetched) }
    try check(backend, plan.fetched, again: again)
  }

  /// Loads the menu and checks it, in warm-up also at the next start, and closes the store.
  private func check(
    _ backend: any Backend<Menu>, _ expected: Fixture<Menu>,
    again: () throws -> any Backend<Menu>
  ) throws {
    let menu = try site.measure(.load) { try backend.whole() }
    try backend.close()
    let subject = "the menu read after a change (\(change.rawValue))"
    try expected.check(menu, byValue: site.isWarmUp, subject)
    guard site.isWarmUp else { return }
    let reopened = try again()
    try expected.check(try reopened.whole(), byValue: true, subject + ", reopened,")
    try reopened.close()
  }
}

import BackendKit
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// `upgrade`: a store written by a program of schema 1 is opened by programs of 2 and 3, each of which
/// renames a field; another by one of 3 at once, as by a user who skips a version; then one of schema 2
/// meets the store of schema 3, as after a rollback.
///
/// Backends that change schemas do so in place, and refuse a newer store. For the others a stamp beside
/// the store says whose it is (``StampedStore``): a store of another schema is discarded and the menu
/// stored anew. What is fetched for that is at hand; its network time is not in the figures.
package struct UpgradeWorkload: Workload {
  /// What it stores.
  package typealias Document = Menu

  /// `upgrade`.
  package let name = "upgrade"
  /// What it tells.
  package let summary =
    "a store of schema 1 opened by programs of 2 and 3, then by an older one: migrated by a native "
    + "route, discarded and stored anew by others"
  /// Each from opening until the whole menu was read.
  package let phases: [Phase] = [.toSecond, .toThird, .toThirdAtOnce, .back]
  /// The store that is given stays as it is.
  package let beginsStored = true
  /// An app does each of its steps once.
  package let leastSamples = 1

  /// It has no settings.
  package init() {}

  /// There is nothing to open where nothing stays.
  package func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "nothing survives the process, so there is no store to upgrade"
  }

  /// Changed in place, or stored whole; an older program always stores the menu whole.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    phase != .back && backend is any SchemaChanging ? .native : .wholeMenu
  }

  /// Goes through the steps; after each the whole menu must be there, and after the last nothing but
  /// what the older program stored.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let folder = try site.surroundings.neighbour("upgraded")
    defer { try? FileManager.default.removeItem(atPath: folder.folder) }
    let pass = UpgradePass(site: site, folder: folder)
    if let type = B.self as? any SchemaChanging<Menu>.Type {
      try pass.migrate(type)
    } else {
      try pass.discard()
    }
  }
}

extension Phase {
  fileprivate static let toSecond = Phase("to-2", decides: true)
  /// It decides nothing: the first step once more.
  fileprivate static let toThird = Phase("to-3")
  fileprivate static let toThirdAtOnce = Phase("1-to-3", decides: true)
  fileprivate static let back = Phase("back", decides: true)

  /// That of the program that opens the store.
  fileprivate var schema: Int { self == .toSecond || self == .back ? 2 : 3 }
}

/// One pass of ``UpgradeWorkload``, on stores in a folder of its own.
private struct UpgradePass<B: Backend<Menu>, Clock: WallClock> {
  let site: WorkSite<B, Clock>
  let folder: StoreContext

  private var revisions: [Fixture<Menu>] { site.surroundings.revisions }

  /// The steps of a backend that changes no schemas.
  ///
  /// The new document is another revision than the one that is there: what a program reads tells
  /// which of them it opened.
  func discard() throws {
    let store = StampedStore(site.surroundings.entry, in: try empty("stepwise"))
    try store.open(asSchema: 1) { revisions[0].document }.close()
    for (turn, phase) in [Phase.toSecond, .toThird, .back].enumerated() {
      try renew(store, phase, revisions[(turn + 1) % 2], in: revisions[turn % 2])
    }
    let other = StampedStore(site.surroundings.entry, in: try empty("at-once"))
    try other.open(asSchema: 1) { revisions[0].document }.close()
    try renew(other, .toThirdAtOnce, revisions[1], in: revisions[0])
  }

  private func renew(
    _ store: StampedStore, _ phase: Phase, _ fetched: Fixture<Menu>, in old: Fixture<Menu>
  ) throws {
    let schema = phase.schema
    let (backend, menu) = try receive(fetched, phase) {
      guard try store.openKept(asSchema: schema) == nil else {
        throw WorkloadFailure("a program of schema \(schema) took another's store for its own")
      }
      return try store.discard()
    } keeping: {
      try store.keep(fetched.document, in: $0, asSchema: schema)
    }
    try check(phase, backend, menu, fetched) {
      try store.open(asSchema: schema) { old.document }
    }
  }

  /// The steps of a backend that changes schemas.
  func migrate<S: SchemaChanging<Menu>>(_ type: S.Type) throws {
    let store = try written(type, "stepwise")
    try migrate(type, store, .toSecond)
    try migrate(type, store, .toThird)
    try migrate(type, try written(type, "at-once"), .toThirdAtOnce)
    try rollBack(type, store)
  }

  private func migrate<S: SchemaChanging<Menu>>(
    _ type: S.Type, _ store: StoreContext, _ phase: Phase
  ) throws {
    let schema = phase.schema
    let (backend, menu) = try site.measure(phase) {
      let backend = try S(store, knowing: schema)
      return (backend, try backend.whole())
    }
    try check(phase, backend, menu, revisions[0]) { try S(store, knowing: schema) }
  }

  private func rollBack<S: SchemaChanging<Menu>>(_ type: S.Type, _ folder: StoreContext) throws {
    var refusal: StoreError?
    let (backend, menu) = try receive(revisions[1], .back) {
      refusal = try self.refusal { try S(folder, knowing: 2) }
      try folder.empty()
      return try S(folder, knowing: 2)
    } keeping: {
      try $0.put(revisions[1].document)
    }
    try check(.back, backend, menu, revisions[1]) { try S(folder, knowing: 2) }
    try check(refusal)
  }

  /// Stores what was fetched in a store just opened, and reads it. What plays the network lies
  /// between the two parts of the phase and is not timed.
  private func receive(
    _ fetched: Fixture<Menu>, _ phase: Phase, opening open: () throws -> any Backend<Menu>,
    keeping keep: (any Backend<Menu>) throws -> Void
  ) throws -> (any Backend<Menu>, Menu) {
    let backend = try site.measure(phase, open)
    try backend.prepare(fetched.document)
    let menu = try site.resume(phase) {
      try keep(backend)
      return try backend.whole()
    }
    return (backend, menu)
  }

  private func empty(_ name: String) throws -> StoreContext {
    let store = StoreContext(folder: folder.path(name), durability: folder.durability)
    try store.empty()
    return store
  }

  /// A store that a program of schema 1 wrote.
  private func written<S: SchemaChanging<Menu>>(
    _ type: S.Type, _ name: String
  ) throws -> StoreContext {
    let store = try empty(name)
    let backend = try S(store, knowing: 1)
    try backend.save(revisions[0].document)
    try backend.close()
    return store
  }

  /// Sees that a store was opened as its schema asks for, and closes it.
  ///
  /// - Parameter again: opens it once more: it is then of that schema, and nothing may change.
  private func check(
    _ phase: Phase, _ opened: any Backend<Menu>, _ menu: Menu, _ expected: Fixture<Menu>,
    again: () throws -> any Backend<Menu>
  ) throws {
    try check(phase.schema, of: opened)
    try opened.close()
    let subject = "what a program of schema \(phase.schema) reads (phase \(phase.id))"
    try expected.check(menu, byValue: site.isWarmUp, subject)
    guard site.isWarmUp else { return }
    let reopened = try again()
    try expected.check(try reopened.whole(), byValue: true, subject + ", opened again,")
    try reopened.close()
  }

  private func check(_ schema: Int, of backend: any Backend<Menu>) throws {
    guard let changing = backend as? any SchemaChanging<Menu> else { return }
    let found = try changing.schema
    guard found != schema else { return }
    throw WorkloadFailure("a program of schema \(schema) leaves a store of schema \(found)")
  }

  /// What a program of schema 2 says to a store of schema 3.
  private func refusal<S: SchemaChanging>(by open: () throws -> S) throws -> StoreError {
    do { _ = try open() } catch let error as StoreError { return error }
    throw WorkloadFailure("a program of schema 2 opened a store of schema 3 as if it were its own")
  }

  /// A refusal must say which schema it met and which it knows.
  private func check(_ refusal: StoreError?) throws {
    guard let refusal else { return }
    let numbers = refusal.reason.split { !$0.isNumber }.compactMap { Int($0) }
    guard !numbers.contains(3) || !numbers.contains(2) else { return }
    throw WorkloadFailure(
      "a program of schema 2 met a store of schema 3 and said: \(refusal); it must name both")
  }
}

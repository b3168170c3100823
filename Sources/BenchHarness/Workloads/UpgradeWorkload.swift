import BenchProbes
import Foundation
import MenuModel
import PersistenceBackends

/// `upgrade`: a store written by a program of schema 1 is opened by programs of 2 and 3, each of which
/// renames a field; then one of schema 2 meets the store of schema 3, as after a rollback.
///
/// Backends that change schemas do so in place, and refuse a newer store. For the others a stamp beside
/// the store says whose it is (``StampedStore``): a store of another schema is discarded and the menu
/// stored anew. What is fetched for that is at hand; its network time is not in the figures.
public struct UpgradeWorkload: Workload {
  /// What it stores.
  public typealias Document = Menu

  /// `upgrade`.
  public let name = "upgrade"
  /// What it tells.
  public let summary =
    "a store of schema 1 opened by programs of 2 and 3, then by an older one again"
  /// Each from opening until the whole menu was read.
  public let phases = [Phase("to-2"), Phase("to-3"), Phase("back")]
  /// The store that is given stays as it is.
  public let beginsStored = true

  /// Makes the workload.
  public init() {}

  /// There is nothing to open where nothing stays.
  public func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.survivesRestart ? nil : "nothing survives the process, so there is no store to upgrade"
  }

  /// Changed in place, or stored whole; an older program always stores the menu whole.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu {
    phase < 2 && backend is any SchemaChanging ? .native : .wholeMenu
  }

  /// Goes through the steps; after each the whole menu must be there, and after the last nothing but
  /// what the older program stored.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws where B.Document == Menu {
    let folder = try site.surroundings.neighbour("upgraded")
    defer { try? FileManager.default.removeItem(atPath: folder.folder) }
    let revisions = site.surroundings.revisions
    if let type = B.self as? any SchemaChanging<Menu>.Type {
      try migrate(type, folder, revisions, site)
    } else {
      try discard(StampedStore(site.surroundings.entry, in: folder), revisions, site)
    }
  }

  /// The new document is another revision than the one that is there: what a program reads tells
  /// which of them it opened.
  private func discard<B: Backend, Clock: WallClock>(
    _ store: StampedStore<Menu>, _ revisions: [Fixture<Menu>], _ site: WorkSite<B, Clock>
  ) throws {
    try store.open(asSchema: 1) { revisions[0].document }.close()
    for (phase, schema) in [2, 3, 2].enumerated() {
      let fetched = revisions[(phase + 1) % 2]
      try step(phase, schema, expecting: fetched, site) {
        try store.open(asSchema: schema) { fetched.document }
      } again: {
        try store.open(asSchema: schema) { revisions[phase % 2].document }
      }
    }
  }

  private func migrate<S: SchemaChanging<Menu>, B: Backend, Clock: WallClock>(
    _ type: S.Type, _ folder: StoreContext, _ revisions: [Fixture<Menu>], _ site: WorkSite<B, Clock>
  ) throws {
    let first = try S(folder, knowing: 1)
    try first.save(revisions[0].document)
    try first.close()
    for (phase, schema) in [2, 3].enumerated() {
      try step(phase, schema, expecting: revisions[0], site) {
        try S(folder, knowing: schema)
      } again: {
        try S(folder, knowing: schema)
      }
    }
    var refusal: StorageError?
    try step(2, 2, expecting: revisions[1], site) {
      refusal = try self.refusal { try S(folder, knowing: 2) }
      try folder.empty()
      let backend = try S(folder, knowing: 2)
      try backend.save(revisions[1].document)
      return backend
    } again: {
      try S(folder, knowing: 2)
    }
    try check(refusal)
  }

  /// - Parameters:
  ///   - open: opens the store as a program of the schema does.
  ///   - again: does so once more: the store is then of that schema, and nothing may change.
  private func step<B: Backend, Clock: WallClock>(
    _ phase: Int, _ schema: Int, expecting fixture: Fixture<Menu>, _ site: WorkSite<B, Clock>,
    open: () throws -> any Backend<Menu>, again: () throws -> any Backend<Menu>
  ) throws {
    let (opened, menu) = try site.measure(phase) {
      let opened = try open()
      return (opened, try opened.whole())
    }
    try check(schema, of: opened)
    try opened.close()
    let subject = "what a program of schema \(schema) reads (phase \(phases[phase].id))"
    try fixture.check(menu, site.care, subject)
    guard site.care == .thorough else { return }
    let reopened = try again()
    try fixture.check(try reopened.whole(), site.care, subject + ", opened again,")
    try reopened.close()
  }

  private func check(_ schema: Int, of backend: any Backend<Menu>) throws {
    guard let changing = backend as? any SchemaChanging<Menu> else { return }
    let found = try changing.schema
    guard found != schema else { return }
    throw WorkloadFailure("a program of schema \(schema) leaves a store of schema \(found)")
  }

  private func refusal<S: SchemaChanging>(by open: () throws -> S) throws -> StorageError {
    do { _ = try open() } catch let error as StorageError { return error }
    throw WorkloadFailure("a program of schema 2 opened a store of schema 3 as if it were its own")
  }

  /// A refusal must say which schema it met and which it knows.
  private func check(_ refusal: StorageError?) throws {
    guard let refusal else { return }
    let numbers = refusal.reason.split { !$0.isNumber }.compactMap { Int($0) }
    guard !numbers.contains(3) || !numbers.contains(2) else { return }
    throw WorkloadFailure(
      "a program of schema 2 met a store of schema 3 and said: \(refusal); it must name both")
  }
}

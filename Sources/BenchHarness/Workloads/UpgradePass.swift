import BenchProbes
import MenuModel
import PersistenceBackends

/// One pass of ``UpgradeWorkload``, on stores in a folder of its own.
struct UpgradePass<B: Backend, Clock: WallClock> where B.Document == Menu {
  let site: WorkSite<B, Clock>
  let folder: StoreContext
  let phases: [Phase]

  /// What the phases do.
  enum Step: Int {
    case toSecond, toThird, toThirdAtOnce, back

    /// That of the program that opens the store.
    var schema: Int { self == .toSecond || self == .back ? 2 : 3 }
  }

  private var revisions: [Fixture<Menu>] { site.surroundings.revisions }

  /// The steps of a backend that changes no schemas.
  ///
  /// The new document is another revision than the one that is there: what a program reads tells
  /// which of them it opened.
  func discard() throws {
    let store = StampedStore(site.surroundings.entry, in: try empty("stepwise"))
    try store.open(asSchema: 1) { revisions[0].document }.close()
    for (turn, step) in [Step.toSecond, .toThird, .back].enumerated() {
      try renew(store, step, revisions[(turn + 1) % 2], in: revisions[turn % 2])
    }
    let other = StampedStore(site.surroundings.entry, in: try empty("at-once"))
    try other.open(asSchema: 1) { revisions[0].document }.close()
    try renew(other, .toThirdAtOnce, revisions[1], in: revisions[0])
  }

  private func renew(
    _ store: StampedStore<Menu>, _ step: Step, _ fetched: Fixture<Menu>, in old: Fixture<Menu>
  ) throws {
    let (backend, menu) = try receive(fetched, step) {
      guard try store.openKept(asSchema: step.schema) == nil else {
        throw WorkloadFailure("a program of schema \(step.schema) took another's store for its own")
      }
      return try store.discard()
    } keeping: {
      try store.keep(fetched.document, in: $0, asSchema: step.schema)
    }
    try check(step, backend, menu, fetched) {
      try store.open(asSchema: step.schema) { old.document }
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
    _ type: S.Type, _ store: StoreContext, _ step: Step
  ) throws {
    let (backend, menu) = try site.measure(step.rawValue) {
      let backend = try S(store, knowing: step.schema)
      return (backend, try backend.whole())
    }
    try check(step, backend, menu, revisions[0]) { try S(store, knowing: step.schema) }
  }

  private func rollBack<S: SchemaChanging<Menu>>(_ type: S.Type, _ folder: StoreContext) throws {
    var refusal: StorageError?
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
    _ fetched: Fixture<Menu>, _ step: Step, opening open: () throws -> any Backend<Menu>,
    keeping keep: (any Backend<Menu>) throws -> Void
  ) throws -> (any Backend<Menu>, Menu) {
    let backend = try site.measure(step.rawValue, open)
    try backend.prepare(fetched.document)
    let menu = try site.resume(step.rawValue) {
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
}

import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = WorkloadStage.menu("products=40,combos=5,slots=3,options=6,seed=7")

/// Leaves the last change of a patch out.
private final class Forgetful: Wrapper, MenuPatching {
  func apply(_ patch: MenuPatch) throws {
    var patch = patch
    if patch.prices.popLast() == nil { patch.availability.removeLast() }
    var menu = try read()
    try menu.apply(patch)
    try write(menu)
  }
}

/// Shows a patch to everybody, and never writes it.
private final class Unwritten: Wrapper, MenuPatching, ConcurrentReading {
  private var patched: Menu?

  func apply(_ patch: MenuPatch) throws {
    var menu = try read()
    try menu.apply(patch)
    patched = menu
  }

  override func read() throws -> Menu { try patched ?? inner.whole() }

  func openReader() throws -> any Backend<Menu> { Alias(self) }

  private final class Alias: Wrapper {
    override func close() throws {}
  }
}

/// Applies a patch change by change, each in a transaction of its own.
private final class OneByOne: Wrapper, MenuPatching {
  func apply(_ patch: MenuPatch) throws {
    for price in patch.prices {
      try change(MenuPatch(revision: patch.revision, prices: [price]))
    }
    for availability in patch.availability {
      try change(MenuPatch(revision: patch.revision, availability: [availability]))
    }
    for stop in patch.stops { try change(MenuPatch(revision: patch.revision, stops: [stop])) }
  }

  private func change(_ patch: MenuPatch) throws {
    var menu = try read()
    try menu.apply(patch)
    try write(menu)
  }
}

/// Leaves out without a word what a patch names and the menu does not have.
private final class Lenient: Wrapper, MenuPatching {
  func apply(_ patch: MenuPatch) throws {
    var menu = try read()
    var known = patch
    let variants = Set(menu.products.flatMap { $0.variants.map(\.id) })
    known.prices.removeAll { !variants.contains($0.variantID) }
    known.availability.removeAll { change in menu.product(change.productID) == nil }
    known.stops.removeAll { change in menu.product(change.entityID) == nil }
    try menu.apply(known)
    try write(menu)
  }
}

@Suite("The workload patch")
struct PatchWorkloadTests {
  private func patch(_ settings: String) throws -> PatchWorkload {
    try PatchWorkload().with(settings)
  }

  @Test("adds to every patch its share of a checkpoint, which is measured once in a block")
  func checkpoints() throws {
    let backend = Logging(MemoryBackend())
    try backend.save(menu)
    let outcome = try WorkloadStage.run(
      PatchWorkload(), on: backend, menu, times: 3, clock: backend.clock)
    #expect(outcome.wall("checkpoint") == [1_000])
    let shares = outcome.notes("checkpoint-share")
    #expect(shares.count == 6)
    #expect(shares.allSatisfy { abs($0 - 100) < 20 }, "\(shares)")
    #expect(try backend.whole() == menu && !backend.isDeferred)
  }

  @Test(
    "patches there and back on every backend, and leaves the menu unchanged",
    arguments: BackendRegistry.all)
  func all(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(try patch("changes=100"), on: entry, menu, times: 2)
    #expect(["apply", "visible"].map(outcome.samples) == [4, 4])
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  @Test("reads nothing before it writes a whole menu, because the app holds its menu")
  func held() throws {
    let backend = Witness(MemoryBackend())
    try WorkloadStage.run(PatchWorkload(), on: backend, menu)
    // Another reader sees each patch.
    #expect(backend.calls == ["write", "read", "write", "read"])
  }

  @Test("draws the chosen number of different things to change, the same every time")
  func plan() throws {
    let plan = try patch("changes=100").plan(for: menu)
    let again = try patch("changes=100").plan(for: menu)
    let (there, back) = (plan.steps[0].patch, plan.steps[1].patch)
    #expect(again.steps.map(\.patch) == [there, back])
    #expect(there.prices.count + there.availability.count + there.stops.count == 100)
    #expect(Set(there.prices.map(\.variantID)).count == there.prices.count)
    #expect(Set(there.availability.map(\.productID)).count == there.availability.count)
    #expect(!there.prices.isEmpty && !there.availability.isEmpty && !there.stops.isEmpty)
    var patched = menu
    try patched.apply(there)
    #expect(there.stops.allSatisfy { $0.isStopped })
    #expect(patched.stopList.count == menu.stopList.count + there.stops.count)
    for change in there.availability {
      #expect(menu.product(change.productID)?.availability != change.availability)
    }
    let variants = menu.products.flatMap(\.variants)
    for change in there.prices {
      #expect(variants.first { $0.id == change.variantID }?.price != change.price)
    }
    #expect(plan.steps[0].fingerprint == patched.fingerprint)
    try patched.apply(back)
    #expect(patched == menu)
  }

  @Test("refuses a menu with fewer things to change than changes, with both numbers")
  func small() throws {
    // A product's availability and, unless it is out of stock already, its stock, and a variant's
    // price.
    let stopped = Set(menu.stopList.filter { $0.entity == .product }.map(\.entityID))
    let inStock = menu.products.count { !stopped.contains($0.id) }
    let things = menu.products.count + inStock + menu.products.reduce(0) { $0 + $1.variants.count }
    #expect(
      throws: WorkloadFailure(
        "1000 changes were requested, but the menu has \(things) things to change: take a larger "
          + "menu or patch:changes=\(things)")
    ) { try patch("changes=1000").plan(for: menu) }
    let all = try patch("changes=\(things)").plan(for: menu)
    #expect(Set(all.ids) == Set(menu.products.map(\.id)))
  }

  @Test("says for an empty menu that it has nothing to change")
  func nothing() throws {
    var empty = menu
    empty.products = []
    #expect(throws: WorkloadFailure("the menu has nothing to change")) {
      try patch("changes=1").plan(for: empty)
    }
  }

  @Test("names the route of each phase")
  func routes() throws {
    let workload = PatchWorkload()
    let memory = MemoryBackend<Menu>()
    #expect(
      workload.phases.map { workload.route(of: $0, on: memory) } == [
        .wholeMenu, nil, .wholeMenu, nil,
      ])
    let forgetful = Forgetful(memory)
    #expect(
      workload.phases.map { workload.route(of: $0, on: forgetful) } == [
        .native, nil, .wholeMenu, nil,
      ])
  }

  @Test(
    "fails if a patch omits a change, or a reader continues with the old menu",
    arguments: [Forgetful.around(.json), StaleReaders.around(.json)], [false, true])
  func seen(entry: BackendEntry<Menu>, isWarmUp: Bool) {
    let failure = WorkloadStage.complaint(
      of: PatchWorkload(), on: entry, menu, isWarmUp: isWarmUp)
    #expect(
      failure?.hasSuffix("is not the patched one, according to another reader") == true)
  }

  @Test(
    "fails in warm-up if a patch is applied in steps, or without its target in the menu",
    arguments: [
      (OneByOne.around(.json), "a reader has a part of a patch that was refused"),
      (Lenient.around(.json), "a patch with an unknown target is not refused"),
      (Unwritten.around(.json), "the reopened store has a menu that is not the patched one"),
    ])
  func whole(entry: BackendEntry<Menu>, said: String) {
    #expect(WorkloadStage.complaint(of: PatchWorkload(), on: entry, menu) == said)
  }
}

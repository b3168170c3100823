import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("The state of an app")
struct AppStateTests {
  private let menu = WorkloadStage.menu
  private var product: Product { menu.products[0] }

  private func state(after actions: AppAction...) throws -> AppState {
    var state = AppState(menu: menu)
    for action in actions { try state.reduce(action) }
    return state
  }

  @Test("does not change the menu for screens and the cart, and says so")
  func untouched() throws {
    var state = AppState(menu: menu)
    for action in [AppAction.open(.cart), .add(productID: 1, variantID: 2), .open(.menu)] {
      #expect(try state.reduce(action) == nil)
      #expect(action.patch(revision: 1) == nil)
    }
    #expect(state.session.screen == .menu)
    #expect(state.menu == menu)
  }

  @Test("returns the changes of the menu, with a revision for each")
  func changes() throws {
    var state = AppState(menu: menu)
    let variant = product.variants[0].id
    let price = MenuPatch(
      revision: menu.revision + 1, prices: [.init(variantID: variant, price: 5)])
    #expect(try state.reduce(.reprice(variantID: variant, price: 5)) == price)
    let offer = MenuPatch(
      revision: menu.revision + 2,
      availability: [.init(productID: product.id, availability: .hidden)])
    #expect(try state.reduce(.offer(productID: product.id, .hidden)) == offer)
    var expected = menu
    try expected.apply(price)
    try expected.apply(offer)
    #expect(state.menu == expected)
  }

  @Test("counts the products in the cart, and removes a line that is taken out")
  func cart() throws {
    let add = AppAction.add(productID: 1, variantID: 2)
    let remove = AppAction.remove(variantID: 2)
    #expect(
      try state(after: add, add, .add(productID: 1, variantID: 3), remove).session.cart
        == [
          .init(productID: 1, variantID: 2, count: 1), .init(productID: 1, variantID: 3, count: 1),
        ])
    #expect(try state(after: add, remove, remove).session.cart == [])
  }

  @Test("removes products from the cart that cannot be ordered any more")
  func offer() throws {
    let add = AppAction.add(productID: product.id, variantID: product.variants[0].id)
    let state = try state(after: add, .offer(productID: product.id, .hidden))
    #expect(state.session.cart == [])
    #expect(state.menu.products[0].availability == .hidden)
    let offered = try self.state(after: add, .offer(productID: product.id, .available))
    #expect(offered.session.cart.count == 1)
  }

  @Test("stays unchanged if an action names a missing thing")
  func unknown() throws {
    var state = try state(after: .open(.cart))
    let before = state
    #expect(throws: UnknownPatchTarget(entity: .product, id: -7)) {
      try state.reduce(.offer(productID: -7, .hidden))
    }
    #expect(state == before)
  }
}

@Suite("dispatch")
struct DispatchTests {
  private let menu = WorkloadStage.menu

  private func workload(_ actions: Int, debounce: Int = 0) -> DispatchWorkload {
    var workload = DispatchWorkload()
    workload.actions = actions
    workload.debounce = debounce
    return workload
  }

  private func plan(_ count: Int, debounce: Int) -> [DispatchPlan.Frame] {
    DispatchPlan((0..<count).map { AppAction.remove(variantID: $0) }, debounce: debounce).frames
  }

  private func frames(_ count: Int, debounce: Int) -> [String] {
    plan(count, debounce: debounce).map {
      ($0.action == nil ? "" : "reduce ") + ($0.saves ? "save" : "")
    }
  }

  /// In sixtieths of a millisecond.
  private func due(_ count: Int, debounce: Int) -> [Int] {
    plan(count, debounce: debounce).map { $0.due / 1_000_000 }
  }

  @Test("has an action due every sixtieth of a second, and a debounced save after a pause")
  func due() {
    #expect(due(3, debounce: 0) == [0, 1_000, 2_000])
    #expect(due(2, debounce: 16) == [0, 960, 1_000, 1_960])
    #expect(due(2, debounce: 500) == [0, 1_000, 31_000])
  }

  @Test("saves each action in its frame, or once when they end")
  func schedule() {
    #expect(frames(3, debounce: 0) == ["reduce save", "reduce save", "reduce save"])
    #expect(frames(3, debounce: 500) == ["reduce ", "reduce ", "reduce ", "save"])
    #expect(frames(2, debounce: 16) == ["reduce ", "save", "reduce ", "save"])
    #expect(frames(2, debounce: 17) == ["reduce ", "reduce ", "save"])
  }

  @Test("draws the same actions every time, of every kind")
  func actions() throws {
    let actions = try DispatchPlan.actions(200, on: menu, seed: 60)
    #expect(try DispatchPlan.actions(200, on: menu, seed: 60) == actions)
    let kinds = Set(actions.map { String(describing: $0).prefix { $0 != "(" } })
    #expect(kinds == ["open", "add", "remove", "reprice", "offer"])
    #expect(throws: WorkloadFailure("the menu has no product to act on")) {
      try DispatchWorkload().plan(
        for: Menu(id: 1, revision: 1, locale: "", currency: "", city: ""))
    }
  }

  @Test("leaves the actions' state in every store", arguments: BackendRegistry.all)
  func backends(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(workload(12), on: entry, times: 2)
    let changes = try changes(of: 12)
    #expect(changes == 5)
    #expect(["reduce", "save", "save-session"].map(outcome.samples) == [24, 2 * changes, 24])
    #expect(outcome.notes("latency").count == 24)
    #expect(outcome.notes("latency", .missedFrames).count == 2)
    #expect(outcome.notes("per-action").count == 2)
    #expect(outcome.stored == menu)
  }

  private func changes(of count: Int) throws -> Int {
    try DispatchPlan.actions(count, on: menu, seed: 60).count { $0.patch(revision: 1) != nil }
  }

  /// The saves that a workload's actions give to a backend.
  private func saved(_ workload: DispatchWorkload, _ backend: Counting) throws -> [Int] {
    try backend.inner.save(menu)
    try WorkloadStage.run(workload, on: backend, menu)
    return backend.patched
  }

  @Test("saves the changes as one patch if a backend supports patches")
  func patches() throws {
    let expected = try changes(of: 12)
    let single = Patching(MemoryBackend<Menu>())
    #expect(try saved(workload(12), single) == Array(repeating: 1, count: expected))
    let together = Patching(MemoryBackend<Menu>())
    #expect(try saved(workload(12, debounce: 500), together) == [expected])
    // The first menu is stored again in the end.
    #expect(single.writes == 1)
    #expect(together.writes == 1)
    let whole = Counting(MemoryBackend<Menu>())
    #expect(try saved(workload(12), whole) == [])
    #expect(whole.writes == expected + 1)
  }

  @Test("adds to every save and its actions their share of a checkpoint")
  func checkpoints() throws {
    let backend = Logging(MemoryBackend())
    try backend.save(menu)
    let saves = try changes(of: 12)
    let outcome = try WorkloadStage.run(
      workload(12), on: backend, menu, times: 3, clock: backend.clock)
    #expect(outcome.wall("checkpoint") == [1_000])
    let shares = outcome.notes("checkpoint-share")
    #expect(shares.count == 3 * saves)
    #expect(shares.allSatisfy { abs($0 - 100) < 20 }, "\(shares)")
    #expect(outcome.notes("per-action").count == 3)
    #expect(
      outcome.notes("per-action").indices.allSatisfy {
        let own = shares[($0 * saves)..<(($0 + 1) * saves)].reduce(0, +)
        return abs(outcome.notes("per-action")[$0] - own / 12) < 1e-6
      })
    #expect(try backend.whole() == menu && !backend.isDeferred)
  }

  @Test("says whether it saves a patch or the whole menu")
  func routes() {
    let workload = DispatchWorkload()
    func routes(_ backend: some Backend<Menu>) -> [Route?] {
      workload.phases.map { workload.route(of: $0, on: backend) }
    }
    #expect(routes(Patching(MemoryBackend<Menu>())) == [nil, .native, nil, nil, nil, .native, nil])
    #expect(routes(MemoryBackend<Menu>()) == [nil, .wholeMenu, nil, nil, nil, .wholeMenu, nil])
  }

  @Test("saves no menu if no action changes it, and says so")
  func noChange() throws {
    let count = try #require((1...20).last { try changes(of: $0) == 0 })
    let outcome = try WorkloadStage.run(workload(count), on: .json)
    #expect(outcome.samples("save") == 0)
    #expect(outcome.skipped == ["save": "no action changes the menu"])
    #expect(outcome.samples("save-session") == count)
  }

  /// The notes if a save takes 40 ms and nothing else takes time.
  private func slow(debounce: Int) throws -> WorkloadStage.Outcome {
    let clock = ManualClock()
    let backend = SlowSaves(MemoryBackend<Menu>())
    backend.clock = clock
    let variant = menu.products[0].variants[0].id
    let actions = (1...3).map { AppAction.reprice(variantID: variant, price: $0) }
    return try WorkloadStage.run(
      workload(3, debounce: debounce), on: backend, menu,
      by: DispatchPlan(actions, debounce: debounce), clock: clock)
  }

  @Test("counts latency from an action's due time, so that a save delays the next actions")
  func latency() throws {
    let outcome = try slow(debounce: 0)
    let latencies: [Double] = [40e6, 3.8e9 / 60, 5.2e9 / 60]
    #expect(outcome.notes("latency") == latencies)
    #expect(outcome.notes("per-action") == [40e6])
    // 120 ms are 8 frames, and at the ends of the first 7 it was saving.
    #expect(outcome.notes("latency", .missedFrames) == [87.5])
  }

  @Test("delays no action if it is debounced, and adds to each its share of the one save")
  func debouncedLatency() throws {
    let outcome = try slow(debounce: 500)
    #expect(outcome.notes("latency") == [0, 0, 0])
    // 2 frames of actions, 30 of rest, and 2.4 of saving.
    let (perAction, missed): (Double, Double) = (40e6 / 3, 2 / 35 * 100)
    #expect(outcome.notes("per-action") == [perAction])
    #expect(outcome.notes("latency", .missedFrames) == [missed])
  }

  @Test("misses no frame in which its work ends, and each other one")
  func frames() {
    var thread = MainThread()
    #expect(thread.missedShare == nil)
    // Two frames to the tick: it was at work at the end of the first alone.
    #expect(thread.work(due: 0, cost: 2e9 / 60) == 2e9 / 60)
    #expect(thread.missed == 1 && thread.frames == 2)
    #expect(thread.work(due: 5 * MainThread.frame, cost: 0) == 0)
    #expect(thread.missed == 1 && thread.frames == 5)
    let waited: Double = (1e9 + 60) / 60
    #expect(thread.work(due: 4 * MainThread.frame, cost: 1) == waited)
    #expect(thread.missed == 1 && thread.frames == 6)
  }

  @Test("fails if cart and screen are lost or are not the last")
  func session() throws {
    for (fault, place) in [
      (#"{"cart":[],"screen":{"menu":{}}}"#, "cart: "),
      (nil, nil),
    ] {
      let entry = BackendEntry<Menu>(id: "meddling", summary: "meddles") { store in
        Meddling(store.path("session.json")) { fault?.data(using: .utf8) }
      }
      let error = #expect(throws: (any Error).self) {
        try WorkloadStage.run(workload(12), on: entry)
      }
      let said = error.map { String(describing: $0) } ?? ""
      guard let place else {
        #expect(error is StoreError)
        continue
      }
      #expect(
        said.hasPrefix(
          "the cart or screen stored with the menu is not the last one: \(place)"))
    }
  }

  @Test("fails if the last save is lost")
  func lost() throws {
    let count = try #require((1...100).first { try changes(of: $0) == 3 })
    #expect(throws: WorkloadFailure("changes missing at the end of the stored menu: 2")) {
      // The store's first menu, then three saves. The last two are lost.
      try WorkloadStage.run(workload(count), on: .forgetting(writes: [3, 4]))
    }
    #expect(throws: WorkloadFailure("changes missing at the end of the stored menu: 3")) {
      try WorkloadStage.run(workload(count, debounce: 500), on: .forgetting(writes: [2]))
    }
  }

  @Test("fails if the stored menu has the revision but not the rest")
  func wrong() throws {
    let failure = #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(workload(5), on: .changing { $0.products[3].name = "?" })
    }
    let said = try #require(failure?.description)
    #expect(
      said.hasPrefix(
        "the menu stored after the actions differs from what was written: products[3].name: "))
  }
}

/// Counts the menus that it is given whole, and the changes of each patch.
private class Counting: Wrapper {
  var writes = 0
  var patched: [Int] = []

  override func write(_ payload: Menu) throws {
    writes += 1
    try super.write(payload)
  }
}

/// Takes patches, too.
private final class Patching: Counting, MenuPatching {
  func apply(_ patch: MenuPatch) throws {
    patched.append(patch.prices.count + patch.availability.count)
    var menu = try inner.whole()
    try menu.apply(patch)
    try inner.put(menu)
  }
}

/// Takes 40 ms to save.
private final class SlowSaves: Wrapper {
  var clock: ManualClock?

  override func write(_ payload: Menu) throws {
    clock?.advance(by: 40_000_000)
    try super.write(payload)
  }
}

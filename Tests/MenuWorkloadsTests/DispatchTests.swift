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

  @Test("has a revision an action, and the menu is otherwise untouched by screens and the cart")
  func revision() throws {
    let state = try state(after: .open(.cart), .add(productID: 1, variantID: 2), .open(.menu))
    #expect(state.screen == .menu)
    #expect(state.menu.revision == menu.revision + 3)
    var expected = menu
    expected.revision += 3
    #expect(state.menu == expected)
  }

  @Test("counts what is in the cart, and forgets a line that is taken out")
  func cart() throws {
    let add = AppAction.add(productID: 1, variantID: 2)
    let remove = AppAction.remove(variantID: 2)
    #expect(
      try state(after: add, add, .add(productID: 1, variantID: 3), remove).cart
        == [
          .init(productID: 1, variantID: 2, count: 1), .init(productID: 1, variantID: 3, count: 1),
        ])
    #expect(try state(after: add, remove, remove).cart == [])
  }

  @Test("takes the server's prices as a patch does")
  func price() throws {
    let variant = product.variants[0].id
    var expected = menu
    try expected.apply(
      MenuPatch(
        revision: menu.revision + 1, prices: [.init(variantID: variant, price: 12_300)]))
    #expect(try state(after: .reprice(variantID: variant, price: 12_300)).menu == expected)
  }

  @Test("drops from the cart what can't be ordered any more")
  func offer() throws {
    let add = AppAction.add(productID: product.id, variantID: product.variants[0].id)
    let state = try state(after: add, .offer(productID: product.id, .hidden))
    #expect(state.cart == [])
    #expect(state.menu.products[0].availability == .hidden)
    #expect(try self.state(after: add, .offer(productID: product.id, .available)).cart.count == 1)
  }

  @Test("stays as it is where an action names what is not there")
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

  private func frames(_ count: Int, debounce: Int) -> [String] {
    DispatchPlan(
      (0..<count).map { AppAction.remove(variantID: $0) }, debounce: debounce
    ).frames.map { ($0.action == nil ? "" : "reduce ") + ($0.saves ? "save" : "") }
  }

  private func due(_ count: Int, debounce: Int) -> [Double] {
    DispatchPlan(
      (0..<count).map { AppAction.remove(variantID: $0) }, debounce: debounce
    ).frames.map { Double($0.due) / 60e6 }
  }

  @Test("has an action due every sixtieth of a second, and a debounced save when it rested")
  func due() {
    #expect(due(3, debounce: 0) == [0, 1_000 / 60, 2_000 / 60])
    #expect(due(2, debounce: 16) == [0, 16, 1_000 / 60, 1_960 / 60])
    #expect(due(2, debounce: 500) == [0, 1_000 / 60, 31_000 / 60])
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

  @Test("leaves the actions' state in every store", arguments: BackendRegistry.all.map(\.id))
  func backends(id: String) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(workload(12), on: entry, times: 2)
    #expect(["reduce", "save", "save-session"].map(outcome.samples) == [24, 24, 24])
    #expect(outcome.notes("latency").count == 24)
    #expect(outcome.notes("latency", .missedFrames).count == 2)
    #expect(outcome.notes("per-action").count == 2)
    #expect(outcome.stored == menu)
  }

  @Test("debounced saves once, in a frame of its own")
  func debounced() throws {
    let outcome = try WorkloadStage.run(workload(12, debounce: 500), on: .json)
    #expect(["reduce", "save", "save-session"].map(outcome.samples) == [12, 1, 1])
    #expect(outcome.notes("latency").count == 12)
    #expect(outcome.notes("per-action").count == 1)
    #expect(outcome.stored == menu)
  }

  /// What is noted where a save takes 40 ms and nothing else takes any time.
  private func slow(debounce: Int) throws -> WorkloadStage.Outcome {
    let clock = ManualClock()
    let backend = SlowSaves(MemoryBackend<Menu>())
    backend.clock = clock
    return try WorkloadStage.run(
      workload(3, debounce: debounce), on: backend, menu, clock: clock)
  }

  @Test("counts latency from when an action was due: a save makes those after it wait")
  func latency() throws {
    let outcome = try slow(debounce: 0)
    #expect(outcome.notes("latency") == [40e6, 3.8e9 / 60, 5.2e9 / 60])
    #expect(outcome.notes("per-action") == [40e6])
    // 120 ms are 8 frames, and at the ends of the first 7 it was saving.
    #expect(outcome.notes("latency", .missedFrames) == [87.5])
  }

  @Test("debounced lets no action wait, and costs each a share of the one save")
  func debouncedLatency() throws {
    let outcome = try slow(debounce: 500)
    #expect(outcome.notes("latency") == [0, 0, 0])
    #expect(outcome.notes("per-action") == [40e6 / 3])
    // 2 frames of actions, 30 of rest, and 2.4 of saving.
    #expect(outcome.notes("latency", .missedFrames) == [2.0 / 35 * 100])
  }

  @Test("misses no frame that its work ends with, and each that it does not")
  func frames() {
    var thread = MainThread()
    #expect(thread.missedShare == nil)
    // Two frames to the tick: it was at work at the end of the first alone.
    #expect(thread.work(due: 0, cost: 2e9 / 60) == 2e9 / 60)
    #expect(thread.missed == 1 && thread.frames == 2)
    #expect(thread.work(due: 5 * MainThread.frame, cost: 0) == 0)
    #expect(thread.missed == 1 && thread.frames == 5)
    #expect(thread.work(due: 4 * MainThread.frame, cost: 1) == (1e9 + 60) / 60)
    #expect(thread.missed == 1 && thread.frames == 6)
  }

  @Test("fails where cart and screen are lost or are not the last")
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
          "cart or screen stored beside the menu are not the last ones: \(place)"))
    }
  }

  @Test("fails where the last save is lost")
  func lost() {
    #expect(
      throws: WorkloadFailure("the last 2 of 5 actions are not in what is stored")
    ) {
      // The store's first menu, then five saves of which the last two are lost.
      try WorkloadStage.run(workload(5), on: .forgetting(writes: [5, 6]))
    }
    #expect(
      throws: WorkloadFailure("the last 5 of 5 actions are not in what is stored")
    ) { try WorkloadStage.run(workload(5, debounce: 500), on: .forgetting(writes: [2])) }
  }

  @Test("fails where what is stored has the revision and not the rest")
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

/// Takes 40 ms to save.
private final class SlowSaves: Wrapper {
  var clock: ManualClock?

  override func write(_ payload: Menu) throws {
    clock?.advance(by: 40_000_000)
    try super.write(payload)
  }
}

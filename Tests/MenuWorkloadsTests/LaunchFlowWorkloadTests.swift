import BenchProbes
import BenchResults
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

/// Takes 200 ms to store and 100 ms to read back, and may change the menu between.
private final class Slow: Wrapper {
  private var clock = ManualClock()
  private var change: (inout Menu) -> Void = { _ in }
  private(set) var drops = 0

  convenience init(_ clock: ManualClock, change: @escaping (inout Menu) -> Void = { _ in }) {
    self.init(MemoryBackend<Menu>())
    (self.clock, self.change) = (clock, change)
  }

  override func write(_ payload: Menu) throws {
    clock.advance(by: 200_000_000)
    try super.write(payload)
  }

  override func read() throws -> Menu {
    clock.advance(by: 100_000_000)
    return try super.read()
  }

  override func decode(_ payload: Menu) -> Menu {
    var menu = payload
    change(&menu)
    return menu
  }

  override func dropCaches() { drops += 1 }
}

@Suite("The workload launch-flow")
struct LaunchFlowWorkloadTests {
  private let menu = Menu(shape: MenuShape(.small))

  private func recorded(_ settings: String = "network=300") throws -> [Series] {
    let clock = ManualClock()
    let workload = try LaunchFlowWorkload().with(settings)
    let outcome = try WorkloadStage.run(workload, on: Slow(clock), menu, clock: clock)
    #expect(
      ["parse", "store", "read-back", "map"].map(outcome.wall) == [[0], [200e6], [100e6], [0]])
    let cell = Cell(backend: "slow", menu: "small", workload: workload.id, durability: "none")
    return outcome.notes.series(of: cell, workload.phases) { $0.isTime }
  }

  @Test("counts the network's time without waiting, and the share of persistence")
  func share() throws {
    let series = try recorded()
    #expect(series.map(\.phase) == ["network", "after-network", "total", "total"])
    #expect(series.map(\.metric) == [.wall, .wall, .persistenceShare, .wall])
    #expect(series.map(\.blocks) == [[[300e6]], [[300e6]], [[50]], [[600e6]]])
  }

  @Test("reads back with the caches that storing left")
  func keepsCaches() throws {
    let backend = Slow(ManualClock())
    try WorkloadStage.run(LaunchFlowWorkload(), on: backend, menu)
    #expect(backend.drops == 0)
  }

  @Test("reads nothing back if the process holds what it stored")
  func held() throws {
    let clock = ManualClock()
    let backend = SlowHolding(MemoryBackend<Menu>())
    backend.clock = clock
    let outcome = try WorkloadStage.run(LaunchFlowWorkload(), on: backend, menu, clock: clock)
    #expect(outcome.wall("read-back") == [0])
    #expect(backend.reads == 0)
  }

  /// Takes a second to read, and holds what it wrote.
  private final class SlowHolding: Wrapper, DocumentHolding {
    var clock: ManualClock?
    private(set) var reads = 0
    private var written: Menu?

    override func write(_ payload: Menu) throws {
      written = payload
      try super.write(payload)
    }

    override func read() throws -> Menu {
      reads += 1
      clock?.advance(by: 1_000_000_000)
      return try super.read()
    }

    func held() throws -> Menu { try written ?? inner.whole() }
  }

  @Test("uses 500 ms for the network by default")
  func standard() throws {
    #expect(LaunchFlowWorkload().id == "launch-flow")
    #expect(try LaunchFlowWorkload().with("network=0").id == "launch-flow:network=0")
    #expect(try recorded("network=0").map(\.blocks) == [[[0]], [[300e6]], [[100]], [[300e6]]])
  }

  @Test("decodes the network's response first, unless the response itself is stored")
  func parse() async throws {
    func parsed(_ backend: some Backend<Menu>) throws -> (values: Int, reason: String?) {
      let outcome = try WorkloadStage.run(LaunchFlowWorkload(), on: backend, menu)
      return (outcome.samples("parse"), outcome.skipped["parse"])
    }
    #expect(try parsed(MemoryBackend<Menu>()) == (1, nil))
    try inFolder { folder in
      let backend = RawResponseBackend<Menu>(
        FilePlace(StoreContext(folder: folder, durability: .none), name: "response"))
      let (values, reason) = try parsed(backend)
      #expect(values == 0 && reason == "the response is stored as it came")
    }
  }

  @Test("fails if another menu is read back, and names the difference")
  func otherMenu() {
    func run(_ change: @escaping (inout Menu) -> Void) throws {
      try WorkloadStage.run(
        LaunchFlowWorkload(), on: Slow(ManualClock(), change: change), menu)
    }
    #expect(throws: WorkloadFailure.self) { try run { $0.products[3].name += "!" } }
    let error = #expect(throws: WorkloadFailure.self) { try run { $0.revision += 1 } }
    #expect(
      error?.description.hasPrefix("the menu read back differs from the one fetched: revision: ")
        == true)
  }

  @Test("fails if the screen differs from the menu")
  func otherScreen() throws {
    var other = menu
    other.combos[0].price = 1
    var plan = try LaunchFlowWorkload().plan(for: menu)
    plan[menu.fingerprint]?.screen = MenuScreen(other)
    #expect(throws: WorkloadFailure("the screen shown differs from the menu")) {
      try WorkloadStage.run(LaunchFlowWorkload(), on: Slow(ManualClock()), menu, by: plan)
    }
  }

  @Test("shows products on sale by category, then combos with their default products")
  func rows() {
    func product(_ id: Int, _ category: Int, _ prices: [Int], _ name: String) -> Product {
      Product(
        id: id, categoryID: category, kind: .pizza, name: name, details: "of \(name)",
        availability: id == 4 ? .hidden : .available,
        variants: prices.map { Variant(id: $0, size: "", price: $0, image: "") })
    }
    let menu = Menu(
      id: 1, revision: 1, locale: "", currency: "RUB", city: "",
      categories: [Category(id: 2, name: "b"), Category(id: 1, name: "a")],
      products: [
        product(1, 1, [58_900], "Pizza"), product(2, 2, [750, 705], "Cola"), product(4, 2, [1], ""),
      ],
      combos: [
        Combo(
          id: 1, name: "Lunch", details: "", price: -5, image: "",
          slots: [
            Slot(id: 1, name: "", min: 1, max: 1, options: [SlotOption(productID: 2)]),
            Slot(id: 2, name: "", min: 1, max: 1, options: [], defaultProductID: 1),
          ]),
        Combo(id: 2, name: "Coupon", details: "", price: nil, image: "", slots: []),
      ])
    #expect(
      MenuScreen(menu).rows.map { "\($0.title)|\($0.text)|\($0.price)" } == [
        "Cola|of Cola|from 7.05 RUB", "Pizza|of Pizza|589 RUB", "Lunch|Cola, Pizza|-0.05 RUB",
        "Coupon||",
      ])
  }
}

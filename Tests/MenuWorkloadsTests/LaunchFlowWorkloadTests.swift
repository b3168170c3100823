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

  private func workload(_ show: LaunchFlowWorkload.Show) -> LaunchFlowWorkload {
    var workload = LaunchFlowWorkload()
    workload.show = show
    return workload
  }

  private func recorded(_ settings: String, _ walls: [String: [Double]]) throws -> [Series] {
    let clock = ManualClock()
    let workload = try LaunchFlowWorkload().with(settings)
    let outcome = try WorkloadStage.run(workload, on: Slow(clock), menu, clock: clock)
    for (phase, wall) in walls { #expect(outcome.wall(phase) == wall, "\(phase)") }
    let cell = Cell(backend: "slow", menu: "small", workload: workload.id, durability: "none")
    return outcome.notes.series(of: cell, workload.phases) { $0.isTime }
  }

  @Test("shows what it parsed, stores behind, and times nothing that is read back")
  func parsed() throws {
    let series = try recorded(
      "network=300", ["parse": [0], "map": [0], "store": [200e6], "read-back": []])
    #expect(series.map(\.phase) == ["network", "after-network", "total"])
    #expect(series.map(\.metric) == [.wall, .wall, .wall])
    #expect(series.map(\.blocks) == [[[300e6]], [[0]], [[300e6]]])
    #expect(
      LaunchFlowWorkload().phases.map(\.id) == [
        "network", "parse", "map", "after-network", "total", "store", "checkpoint-share",
        "checkpoint",
      ])
  }

  @Test("shows what it reads back if asked, and counts the share of persistence")
  func stored() throws {
    let series = try recorded(
      "network=300,show=stored",
      ["parse": [0], "store": [200e6], "read-back": [100e6], "map": [0]])
    #expect(series.map(\.phase) == ["network", "after-network", "total", "total"])
    #expect(series.map(\.metric) == [.wall, .wall, .persistenceShare, .wall])
    #expect(series.map(\.blocks) == [[[300e6]], [[300e6]], [[50]], [[600e6]]])
    let costs = workload(.stored).info.costs
    #expect(costs.map(\.name) == ["after-network"])
  }

  @Test("reads back with the caches that storing left")
  func keepsCaches() throws {
    let backend = Slow(ManualClock())
    try WorkloadStage.run(workload(.stored), on: backend, menu)
    #expect(backend.drops == 0)
  }

  @Test("reads nothing back if the process holds what it stored")
  func held() throws {
    let clock = ManualClock()
    let backend = SlowHolding(MemoryBackend<Menu>())
    backend.clock = clock
    let outcome = try WorkloadStage.run(workload(.stored), on: backend, menu, clock: clock)
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

  @Test("uses 500 ms for the network by default, and has a variant that shows what is stored")
  func standard() throws {
    #expect(LaunchFlowWorkload().id == "launch-flow")
    #expect(try LaunchFlowWorkload().with("network=0").id == "launch-flow:network=0")
    #expect(try LaunchFlowWorkload().all().map(\.id) == ["launch-flow", "launch-flow:show=stored"])
    let series = try recorded("network=0,show=stored", [:])
    #expect(series.map(\.blocks) == [[[0]], [[300e6]], [[100]], [[300e6]]])
  }

  @Test("parses the response by the backend's own parser, and makes each response once")
  func ownParser() throws {
    for show in LaunchFlowWorkload.Show.allCases {
      let backend = Parsing(MemoryBackend<Menu>())
      try WorkloadStage.run(workload(show), on: backend, menu, times: 4)
      #expect(backend.made == 2)
      #expect(backend.parsed == 4)
    }
  }

  /// Parses responses of its own, and counts them.
  private final class Parsing: Wrapper, ResponseParsing {
    private(set) var made = 0
    private(set) var parsed = 0

    func response(of document: Menu) throws -> Data {
      made += 1
      return try JSONCodec().encode(document)
    }

    func parse(_ response: Data) throws -> Menu {
      parsed += 1
      return try JSONCodec().decode(Menu.self, from: response)
    }
  }

  @Test("stores the response itself where that is kept, and then parses it only to show it")
  func keptResponse() throws {
    let folder = StoreContext(folder: "none", durability: .none)
    for entry: BackendEntry<Menu> in [.json, .jsonZstd, .cachedJSON, .rawResponse, .rawSimd] {
      let parsing = try #require(try entry.open(folder) as? any ResponseParsing<Menu>)
      #expect(parsing.keepsResponse == entry.id.hasPrefix("raw-"), "\(entry.id)")
    }
    for entry: BackendEntry<Menu> in [.plist, .protobuf, .memory] {
      let parsing = try entry.open(folder) as? any ResponseParsing<Menu>
      #expect(parsing == nil, "\(entry.id)")
    }
    let shown = try WorkloadStage.run(LaunchFlowWorkload(), on: .rawResponse)
    #expect(shown.samples("parse") == 1 && shown.skipped.isEmpty)
    let stored = try WorkloadStage.run(workload(.stored), on: .rawResponse)
    #expect(stored.samples("parse") == 0)
    #expect(stored.skipped == ["parse": "the response is stored as it came"])
  }

  @Test(
    "leaves the menu in every store", arguments: BackendRegistry.all,
    LaunchFlowWorkload.Show.allCases)
  func all(entry: BackendEntry<Menu>, show: LaunchFlowWorkload.Show) throws {
    let outcome = try WorkloadStage.run(workload(show), on: entry, times: 2)
    #expect(outcome.samples("store") == 2)
    #expect(outcome.stored?.fingerprint == outcome.expected.fingerprint)
  }

  @Test(
    "fails if another menu is read back, and names the difference",
    arguments: LaunchFlowWorkload.Show.allCases)
  func otherMenu(show: LaunchFlowWorkload.Show) {
    func run(_ change: @escaping (inout Menu) -> Void) throws {
      try WorkloadStage.run(workload(show), on: Slow(ManualClock(), change: change), menu)
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
    plan.screens[menu.fingerprint] = MenuScreen(other)
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

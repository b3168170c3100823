import BenchEngine
import BenchResults
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import MenuWorkloads

private let menu = WorkloadStage.menu

/// Reads parts by a route of its own, as a fault does it.
private class PartReader: Wrapper, ProductReading, ComboReading {
  func product(_ id: Int) throws -> Product? { try read().product(id) }
  func combo(_ id: Int) throws -> ResolvedCombo? { try read().resolvedCombo(id) }
}

/// Gives another name to every second product that it is asked for: when its name alone is.
private final class Misnaming: PartReader {
  private var asked = 0

  override func product(_ id: Int) throws -> Product? {
    asked += 1
    var product = try super.product(id)
    if asked.isMultiple(of: 2) { product?.name += "!" }
    return product
  }
}

/// Remembers what it was asked for.
private final class Listening: PartReader {
  private(set) var asked: [Int] = []
  private(set) var drops = 0

  override func product(_ id: Int) throws -> Product? {
    asked.append(id)
    return try super.product(id)
  }

  override func dropCaches() throws { drops += 1 }
}

/// Finds the part of the first request, whatever the request.
private final class SingleMinded: PartReader {
  private var first: Int?

  private func remembered(_ id: Int) -> Int {
    first = first ?? id
    return first ?? id
  }

  override func product(_ id: Int) throws -> Product? { try super.product(remembered(id)) }
  override func combo(_ id: Int) throws -> ResolvedCombo? { try super.combo(remembered(id)) }
}

/// Finds some part where there is none of the id.
private final class Eager: PartReader {
  override func product(_ id: Int) throws -> Product? {
    try super.product(id) ?? read().products[0]
  }
  override func combo(_ id: Int) throws -> ResolvedCombo? {
    try super.combo(id) ?? super.combo(read().combos[0].id)
  }
}

@Suite("The workloads product and combo")
struct PartWorkloadTests {
  private let products = ProductWorkload()
  private let combos = ComboWorkload()
  private let productPlan: ProductWorkload.Plan
  private let comboPlan: ComboWorkload.Plan

  init() throws {
    productPlan = try products.plan(for: menu)
    comboPlan = try combos.plan(for: menu)
  }

  @Test("ask a warm process for a cycle of random parts, and never empty its caches")
  func cycle() throws {
    let drawn = productPlan.parts.ids
    #expect(Set(drawn).count == 8)
    #expect(drawn != drawn.sorted())
    #expect(try products.plan(for: menu).parts.ids == drawn)
    let memory = MemoryBackend<Menu>()
    try memory.write(menu)
    let backend = Listening(memory)
    try WorkloadStage.run(products, on: backend, menu, times: 9)
    let asked = backend.asked.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    #expect(asked == drawn + [drawn[0]])
    #expect(backend.drops == 0)
    #expect(products.cycleLength(on: backend) == 8)
    #expect(products.cycleLength(on: memory) == 1)
    // If there are fewer, it starts again.
    #expect(comboPlan.parts.ids.count == 8)
    #expect(Set(comboPlan.parts.ids.prefix(3)) == Set(menu.combos.map(\.id)))
  }

  @Test("count the useful bytes among the bytes read")
  func useful() throws {
    let bytes = productPlan.parts.ids.map { id in
      menu.product(id).map { Checksum(of: $0.visit).bytes } ?? 0
    }
    let mean = Double(bytes.reduce(0, +)) / 8
    #expect(mean > 0)
    for entry in BackendRegistry.all {
      let outcome = try WorkloadStage.run(products, on: entry, menu)
      #expect(outcome.notes("product", .usefulBytes) == [mean], "\(entry.id)")
    }
  }

  @Test(
    "read a part, and one property of a product, on every backend",
    arguments: BackendRegistry.all, [false, true])
  func all(entry: BackendEntry<Menu>, isWarmUp: Bool) throws {
    func samples(_ workload: some Workload<Menu>) throws -> [Int] {
      let outcome = try WorkloadStage.run(workload, on: entry, menu, isWarmUp: isWarmUp, times: 2)
      #expect(outcome.stored?.fingerprint == menu.fingerprint)
      return outcome.samples
    }
    #expect(try samples(products) == [2, 2, 0, 0])
    #expect(try samples(combos) == [2, 0, 0])
  }

  @Test("use the held menu if the process holds it, and the whole menu in a cold process")
  func routes() throws {
    func routes(_ workload: some Workload<Menu>, _ backend: some Backend<Menu>) -> [Route?] {
      workload.phases.map { workload.route(of: $0, on: backend) }
    }
    let held = try BackendEntry<Menu>.cachedJSON.open(
      StoreContext(folder: "none", durability: .none))
    #expect(routes(products, held) == [.held, .held, .wholeMenu, nil])
    #expect(routes(combos, held) == [.held, .wholeMenu, nil])
    #expect(routes(SearchWorkload(), held) == [.held, .held, .held, .held, .held])
    #expect(Route.held.rawValue == Series.heldRoute)
    #expect(
      routes(products, MemoryBackend<Menu>()) == [.wholeMenu, .wholeMenu, .wholeMenu, nil])
  }

  @Test("have cold processes resolve the combo of median size")
  func cold() throws {
    let (series, requests) = try ColdBench().measure(combos)
    let id = try combos.plan(for: ColdBench.menu).cold.id
    #expect(Set(requests.map(\.order)) == [[id]])
    #expect(series.map(\.phase) == ["cold-combo", "cold-combo", "start"])
  }

  private let differs = "is read back, but is not the stored one"

  private func expect(
    _ failure: String, of workload: some Workload<Menu>, on entry: BackendEntry<Menu>,
    isWarmUp: [Bool] = [false, true]
  ) {
    for isWarmUp in isWarmUp {
      #expect(throws: WorkloadFailure(failure)) {
        try WorkloadStage.run(workload, on: entry, menu, isWarmUp: isWarmUp)
      }
    }
  }

  @Test("fail if a product differs or is missing, or if only its name differs")
  func otherProduct() throws {
    let id = productPlan.parts.ids[0]
    let index = try #require(menu.products.firstIndex { $0.id == id })
    expect(
      "product \(id) \(differs)", of: products,
      on: .changing { $0.products[index].variants[0].price += 1 })
    expect(
      "product \(id) was stored but is not found", of: products,
      on: .changing { $0.products.remove(at: index) })
    expect(
      "the name of product \(productPlan.names[3].id) \(differs)", of: products,
      on: Misnaming.around(.memory))
  }

  @Test("fail if an option differs, its product differs or is missing, or a combo differs")
  func otherCombo() throws {
    let id = comboPlan.parts.ids[0]
    let combo = try #require(menu.combos.first { $0.id == id })
    let list = try #require(
      menu.optionLists.firstIndex { $0.id == combo.slots.last?.optionListID })
    let product = try #require(menu.options(of: combo.slots[0]).first).productID
    let index = try #require(menu.products.firstIndex { $0.id == product })
    let changes: [(@Sendable (inout Menu) -> Void, String)] = [
      ({ $0.optionLists[list].options[0].surcharge += 1 }, differs),
      ({ $0.products.removeAll { $0.id == product } }, differs),
      ({ $0.products[index].name += "!" }, differs),
      ({ $0.combos.removeAll { $0.id == id } }, "was stored but is not found"),
    ]
    for (change, failure) in changes {
      expect("combo \(id) \(failure)", of: combos, on: .changing(change))
    }
  }

  @Test("fail in warm-up if a backend ignores the id, or finds a missing part")
  func careless() {
    let (single, eager) = (SingleMinded.around(.memory), Eager.around(.memory))
    expect(
      "the name of product \(productPlan.names[3].id) \(differs)", of: products, on: single,
      isWarmUp: [true])
    expect("combo \(menu.combos[0].id) \(differs)", of: combos, on: single, isWarmUp: [true])
    let product = Set(menu.products.map(\.id)).lowestFree
    expect(
      "product \(product) is found, but none was stored", of: products, on: eager,
      isWarmUp: [true])
    let combo = Set(menu.combos.map(\.id)).lowestFree
    expect(
      "combo \(combo) is found, but none was stored", of: combos, on: eager, isWarmUp: [true])
  }

  @Test("refuse a menu without such a part")
  func empty() {
    let empty = Menu(id: 1, revision: 1, locale: "", currency: "", city: "")
    #expect(throws: WorkloadFailure("the menu has no product to read")) {
      try products.plan(for: empty)
    }
    #expect(throws: WorkloadFailure("the menu has no combo to read")) {
      try combos.plan(for: empty)
    }
  }
}

import BenchResults
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = WorkloadStage.menu

/// Gives another name to every second product that it is asked for: when its name alone is.
private final class Misnaming: Wrapper, ProductReading {
  private var asked = 0

  func product(_ id: Int) throws -> Product? {
    asked += 1
    var product = try read().product(id)
    if asked.isMultiple(of: 2) { product?.name += "!" }
    return product
  }
}

/// Remembers what it was asked for.
private final class Listening: Wrapper, ProductReading {
  private(set) var asked: [Int] = []
  private(set) var drops = 0

  func product(_ id: Int) throws -> Product? {
    asked.append(id)
    return try read().product(id)
  }

  override func dropCaches() throws { drops += 1 }
}

/// Finds the product that it was asked for first, whatever it is asked for.
private final class SingleMinded: Wrapper, ProductReading {
  private var first: Int?

  func product(_ id: Int) throws -> Product? {
    first = first ?? id
    return try read().product(first ?? id)
  }
}

/// Finds some product where there is none of the id.
private final class Eager: Wrapper, ProductReading {
  func product(_ id: Int) throws -> Product? {
    let menu = try read()
    return menu.product(id) ?? menu.products[0]
  }
}

@Suite("The workload product")
struct ProductWorkloadTests {
  private let plan: ProductWorkload.Plan
  private let index: Int
  private var id: Int { menu.products[index].id }

  init() throws {
    plan = try ProductWorkload().plan(for: menu)
    let first = plan.products.ids[0]
    index = try #require(menu.products.firstIndex { $0.id == first })
  }

  @Test("asks a warm process for a cycle of products drawn at random, and never empties its caches")
  func cycle() throws {
    let drawn = plan.products.ids
    #expect(Set(drawn).count == 8)
    #expect(drawn != drawn.sorted())
    #expect(try ProductWorkload().plan(for: menu).products.ids == drawn)
    let memory = MemoryBackend<Menu>()
    try memory.write(menu)
    let backend = Listening(memory)
    try WorkloadStage.run(ProductWorkload(), on: backend, menu, times: 9)
    let asked = backend.asked.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    #expect(asked == drawn + [drawn[0]])
    #expect(backend.drops == 0)
    #expect(ProductWorkload().revolution(on: backend) == 8)
    #expect(ProductWorkload().revolution(on: memory) == 1)
  }

  @Test("says how many bytes of what was read were of use")
  func useful() throws {
    let bytes = plan.products.ids.map { id in
      menu.product(id).map { Checksum(of: $0.visit).bytes } ?? 0
    }
    let mean = Double(bytes.reduce(0, +)) / 8
    #expect(mean > 0)
    for entry in BackendRegistry.all {
      let outcome = try WorkloadStage.run(ProductWorkload(), on: entry, menu)
      #expect(outcome.notes("product", .usefulBytes) == [mean], "\(entry.id)")
    }
  }

  @Test(
    "takes a product, and one property of it, on every backend",
    arguments: BackendRegistry.all.map(\.id), [false, true])
  func all(id: String, isWarmUp: Bool) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(
      ProductWorkload(), on: entry, menu, isWarmUp: isWarmUp, times: 2)
    #expect(outcome.samples == [2, 2, 0, 0])
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  private func expect(_ failure: String, storing change: @escaping @Sendable (inout Menu) -> Void) {
    for isWarmUp in [false, true] {
      #expect(throws: WorkloadFailure("product \(id) \(failure)")) {
        try WorkloadStage.run(ProductWorkload(), on: .changing(change), menu, isWarmUp: isWarmUp)
      }
    }
  }

  @Test("fails where the product is another one, or missing")
  func otherProduct() {
    expect("is read back with another content than was stored") { [index] in
      $0.products[index].variants[0].price += 1
    }
    expect("was stored but is not found") { [index] in $0.products.remove(at: index) }
  }

  @Test("fails where the property alone is another one", arguments: [false, true])
  func otherName(isWarmUp: Bool) {
    #expect(
      throws: WorkloadFailure(
        "the name of product \(plan.names[3].id) is read back with another content than was stored")
    ) {
      try WorkloadStage.run(
        ProductWorkload(), on: Misnaming.around(.memory), menu, isWarmUp: isWarmUp)
    }
  }

  @Test("fails in warm-up where the id is not looked at")
  func singleMinded() {
    let named = plan.names[3].id
    #expect(
      throws: WorkloadFailure(
        "the name of product \(named) is read back with another content than was stored")
    ) { try WorkloadStage.run(ProductWorkload(), on: SingleMinded.around(.memory)) }
  }

  @Test("fails in warm-up where a product is found that is not there")
  func eager() {
    let absent = Set(menu.products.map(\.id)).lowestFree
    #expect(throws: WorkloadFailure("product \(absent) is found, but none was stored")) {
      try WorkloadStage.run(ProductWorkload(), on: Eager.around(.memory))
    }
  }
}

import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = WorkloadStage.menu

/// Gives another name to the product when its name alone is asked for.
private final class Misnaming: Wrapper, ProductReading {
  func product(_ id: Int) throws -> Part? { try read().product(id).map(Part.init) }

  struct Part: NamedPart {
    let product: Product

    func visit(_ checksum: inout Checksum) { product.visit(&checksum) }
    func visitName(_ checksum: inout Checksum) { checksum.add(product.name + "!") }
  }
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
  private let index = menu.products.count / 2
  private var id: Int { menu.products[index].id }

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
        "the name of product \(id) is read back with another content than was stored")
    ) {
      try WorkloadStage.run(
        ProductWorkload(), on: Misnaming.around(.memory), menu, isWarmUp: isWarmUp)
    }
  }

  @Test("fails in warm-up where the id is not looked at")
  func singleMinded() {
    let first = menu.products[0].id
    #expect(
      throws: WorkloadFailure("product \(first) is read back with another content than was stored")
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

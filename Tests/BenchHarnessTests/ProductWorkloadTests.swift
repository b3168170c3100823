import BenchProbes
import MenuModel
import PersistenceBackends
import Testing

@testable import BenchHarness

/// Gives another name to the product when its name alone is asked for.
private final class Misnaming: ProductReading {
  private let memory = MemoryBackend<Menu>()

  func encode(_ document: Menu) -> Menu { document }
  func write(_ payload: Menu) throws { try memory.write(payload) }
  func read() throws -> Menu { try memory.read() }
  func decode(_ payload: Menu) -> Menu { payload }
  func size(of payload: Menu) -> Size { memory.size(of: payload) }
  func storedSize() throws -> Size { try memory.storedSize() }
  func product(_ id: Int) throws -> Part? { try read().product(id).map(Part.init) }

  struct Part: NamedPart {
    let product: Product

    func visit(_ checksum: inout Checksum) { product.visit(&checksum) }
    func visitName(_ checksum: inout Checksum) { checksum.add(product.name + "!") }
  }
}

@Suite("The workload product")
struct ProductWorkloadTests {
  private let menu = Menu(shape: MenuShape(.small))
  private let workload = ProductWorkload()

  private func iterate(_ backend: some Backend<Menu>, storing menu: Menu) throws {
    try backend.write(backend.encode(menu))
    let site = WorkSite(
      backend, Fixture(self.menu), .usual,
      recording: PhaseRecorder(Sampler(phases: 4, clock: ManualClock())),
      in: Surroundings(
        store: StoreContext(folder: ".", durability: .none), entry: .memory, revisions: []))
    try workload.iterate(on: site, by: workload.plan(for: self.menu))
  }

  @Test("takes a product, and one property of it")
  func passes() throws { try iterate(MemoryBackend<Menu>(), storing: menu) }

  @Test("fails where the product is another one, or missing")
  func otherProduct() {
    var other = menu
    let index = menu.products.count / 2
    other.products[index].variants[0].price += 1
    let id = menu.products[index].id
    #expect(
      throws: WorkloadFailure("product \(id) is read back with another content than was stored")
    ) { try iterate(MemoryBackend<Menu>(), storing: other) }
    other.products.remove(at: index)
    #expect(throws: WorkloadFailure("product \(id) was stored but is not found")) {
      try iterate(MemoryBackend<Menu>(), storing: other)
    }
  }

  @Test("fails where the property alone is another one")
  func otherName() {
    let id = menu.products[menu.products.count / 2].id
    #expect(
      throws: WorkloadFailure(
        "the name of product \(id) is read back with another content than was stored")
    ) { try iterate(Misnaming(), storing: menu) }
  }
}

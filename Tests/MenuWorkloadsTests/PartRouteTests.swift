import BenchEngine
import BenchResults
import MenuModel
import MenuWorkloads
import PersistenceBackends
import Testing

@Suite("The route to a part")
struct PartRouteTests {
  @Test("is what is held where the process holds the menu, and the whole menu in a fresh one")
  func held() {
    let backend = CachedJSONBackend<Menu>(file: nil)
    let (product, combo) = (ProductWorkload(), ComboWorkload())
    #expect(
      product.phases.map { product.route(of: $0, on: backend) } == [
        .held, .held, .wholeMenu, nil,
      ])
    #expect(combo.phases.map { combo.route(of: $0, on: backend) } == [.held, .wholeMenu, nil])
    let search = SearchWorkload()
    #expect(
      search.phases.map { search.route(of: $0, on: backend) } == [
        .held, .held, .held, .held, .held,
      ])
    #expect(Route.held.rawValue == Series.heldRoute)
  }

  @Test("is the whole menu where the backend has no other")
  func whole() {
    let backend = MemoryBackend<Menu>()
    let product = ProductWorkload()
    #expect(
      product.phases.map { product.route(of: $0, on: backend) } == [
        .wholeMenu, .wholeMenu, .wholeMenu, nil,
      ])
  }
}

import MenuModel
import Testing

@Suite("A shelf filtered by availability and price")
struct ProductFilterTests {
  private func product(
    _ id: Int, _ name: String, _ prices: [Int], category: Int = 1,
    availability: Product.Availability = .available
  ) -> Product {
    Product(
      id: id, categoryID: category, kind: .pizza, name: name, details: "",
      availability: availability,
      variants: prices.enumerated().map {
        Variant(id: id * 10 + $0.offset, size: "", price: $0.element, image: "")
      })
  }

  private func found(
    _ products: [Product], stopped: [StopListEntry] = [], upTo price: Int
  ) -> [Int] {
    ProductFilter(categoryID: 1, priceUpTo: price).products(among: products, stopList: stopped)
  }

  @Test("is sorted by the lowest price, then by name without case, then by id")
  func order() {
    let products = [
      product(1, "Сырная", [500]), product(2, "ёлка", [700, 300]), product(3, "Ель", [300]),
      product(5, "Ель", [300]), product(4, "Ель", [300]),
    ]
    #expect(found(products, upTo: 500) == [2, 3, 4, 5, 1])
  }

  @Test("includes products at the price limit and none above, and nothing of another category")
  func limit() {
    let products = [
      product(1, "a", [500]), product(2, "b", [501]), product(3, "c", [1], category: 2),
    ]
    #expect(found(products, upTo: 500) == [1])
    #expect(found(products, upTo: 0) == [])
  }

  @Test("leaves out hidden, combo-only and stopped products, and those without a variant")
  func available() {
    let products = [
      product(1, "a", [1], availability: .hidden), product(2, "b", [1], availability: .comboOnly),
      product(3, "c", [1]), product(4, "d", [1, 9]), product(5, "e", []), product(6, "f", [7]),
    ]
    let stopped = [
      StopListEntry(entity: .product, entityID: 3), StopListEntry(entity: .variant, entityID: 40),
      StopListEntry(entity: .ingredient, entityID: 6),
      StopListEntry(entity: .product, entityID: 40),
    ]
    // The cheaper variant of 4 is out of stock, so that it costs 9.
    #expect(found(products, stopped: stopped, upTo: 9) == [6, 4])
    #expect(found(products, stopped: stopped, upTo: 8) == [6])
  }
}

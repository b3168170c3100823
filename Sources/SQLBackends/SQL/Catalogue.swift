import BackendKit
import MenuModel

/// The menu's products by id. Embedded copies are compared with them.
final class Catalogue {
  private let list: [Product]
  /// Built for the first embedded product, because a menu without embedded products does not need it.
  private lazy var products = Dictionary(
    list.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  init(_ products: [Product]) { list = products }

  /// Throws ``StoreError`` unless a copy equals, byte for byte, the product that its option names.
  func check(_ copy: Product, of option: SlotOption) throws {
    guard let original = products[option.productID] else {
      throw failure("product \(option.productID) is embedded but not in the menu")
    }
    // `==` compares every field, but it treats NFC and NFD, and -0 and 0, as equal.
    guard copy == original, copy.hasSameBytes(as: original) else {
      throw failure("product \(option.productID) is embedded with other content than in the menu")
    }
  }

  func product(_ id: Int) throws -> Product {
    guard let product = products[id] else {
      throw StoreError(
        operation: "decode", path: "rows", reason: "product \(id) to embed does not exist")
    }
    return product
  }

  private func failure(_ reason: String) -> StoreError {
    StoreError(operation: "encode", path: "menu", reason: reason)
  }
}

extension Product {
  /// Whether the texts and floating-point numbers of two equal products also have the same bits.
  fileprivate func hasSameBytes(as other: Product) -> Bool {
    texts.elementsEqual(other.texts) { $0.utf8.elementsEqual($1.utf8) }
      && numbers.elementsEqual(other.numbers) { $0.bitPattern == $1.bitPattern }
  }

  private var texts: [String] {
    [code ?? "", name, details] + tags
      + variants.flatMap { variant in
        [variant.code ?? "", variant.size, variant.dough ?? "", variant.image]
          + variant.priceTiers.map(\.name)
      }
  }

  private var numbers: [Double] {
    variants.compactMap(\.nutrition).flatMap { [$0.per100g, $0.whole] }.flatMap {
      [$0.energy, $0.proteins, $0.fats, $0.carbohydrates]
    }
  }
}

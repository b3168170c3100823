import MenuModel

/// What a user changed on the device, and what became of it.
struct OfflineEdit: Codable, Hashable, Sendable {
  /// Its number on this device, by which the server says that it has it.
  var id: Int
  /// When it was made, in milliseconds since some moment that device and server agree on.
  var time: Int
  /// What was changed.
  var change: MenuChange
  /// What became of it.
  var mark = Mark.waiting

  /// What became of an edit.
  enum Mark: String, Codable, Sendable {
    /// The server has not seen it.
    case waiting
    /// The server has it.
    case synced
    /// The server's own change was later, or removed what it was about.
    case overruled
    /// Made on a product that was created and deleted before the server heard of either.
    case withdrawn
  }
}

/// A change of a menu. Ids below 0 are the device's own, until the server gives a better one.
enum MenuChange: Codable, Hashable, Sendable {
  /// A new product, with ids of the device's own.
  case create(Product)
  /// A variant's price.
  case price(productID: Int, variantID: Int, price: Int)
  /// Whether a product can be ordered.
  case availability(productID: Int, Product.Availability)
  /// A product is out of stock.
  case stop(productID: Int)
  /// A product becomes an option of a slot, and of all that share its list.
  case offer(productID: Int, slotID: Int)
  /// A product is to be deleted: hidden, until the server has done it.
  case delete(productID: Int)

  /// The product that it is about.
  var productID: Int {
    switch self {
    case .create(let product): product.id
    case .price(let id, _, _), .availability(let id, _), .stop(let id), .offer(let id, _),
      .delete(let id):
      id
    }
  }

  /// It as a patch; nil of what takes more than prices and availability.
  func patch(revision: Int) -> MenuPatch? {
    switch self {
    case .price(_, let variant, let price):
      MenuPatch(revision: revision, prices: [.init(variantID: variant, price: price)])
    case .availability(let product, let availability):
      MenuPatch(
        revision: revision, availability: [.init(productID: product, availability: availability)])
    case .delete(let product):
      MenuPatch(
        revision: revision, availability: [.init(productID: product, availability: .hidden)])
    case .create, .stop, .offer: nil
    }
  }

  /// It with the ids that the server gave.
  func renamed(by ids: ServerIDs) -> MenuChange {
    switch self {
    case .create(let product): .create(ids.rename(product))
    case .price(let product, let variant, let price):
      .price(
        productID: ids.product(product), variantID: ids.variants[variant] ?? variant, price: price)
    case .availability(let id, let value): .availability(productID: ids.product(id), value)
    case .stop(let id): .stop(productID: ids.product(id))
    case .offer(let id, let slot): .offer(productID: ids.product(id), slotID: slot)
    case .delete(let id): .delete(productID: ids.product(id))
    }
  }
}

/// The server's ids of what the device created, by the device's own.
struct ServerIDs: Codable, Hashable, Sendable {
  /// Of products.
  var products: [Int: Int] = [:]
  /// Of variants.
  var variants: [Int: Int] = [:]

  /// The id by which a product is known now.
  func product(_ id: Int) -> Int { products[id] ?? id }

  /// Takes over what the server gave since.
  mutating func add(_ other: ServerIDs) {
    products.merge(other.products) { $1 }
    variants.merge(other.variants) { $1 }
  }

  /// The product with its ids and those of its variants as they are known now.
  func rename(_ product: Product) -> Product {
    var product = product
    product.id = self.product(product.id)
    for index in product.variants.indices {
      let id = product.variants[index].id
      product.variants[index].id = variants[id] ?? id
    }
    return product
  }
}

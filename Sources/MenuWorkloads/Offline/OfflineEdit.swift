import BenchEngine
import MenuModel

/// What a user changed on the device, and what became of it.
struct OfflineEdit: Codable, Hashable, Sendable {
  /// Its number on this device, by which the server says that it has it.
  var id: Int
  /// When it was made, in milliseconds since some moment that device and server agree on.
  var time: Int
  var change: MenuChange
  var mark = Mark.waiting

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
      MenuChange.availability(productID: product, .hidden).patch(revision: revision)
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
  var products: [Int: Int] = [:]
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

extension Menu {
  /// Makes a change, of which making it once more changes nothing. The revision stays.
  ///
  /// - Throws: `UnknownPatchTarget` where it names what is not there; the menu is then as it was.
  mutating func apply(_ change: MenuChange) throws(UnknownPatchTarget) {
    if let patch = change.patch(revision: revision) { return try apply(patch) }
    switch change {
    case .create(let product):
      if self.product(product.id) == nil { products.append(product) }
    case .stop(let id):
      try checkProduct(id)
      let isStopped = stopList.contains { $0.entity == .product && $0.entityID == id }
      if !isStopped { stopList.append(StopListEntry(entity: .product, entityID: id)) }
    case .offer(let id, let slot):
      try checkProduct(id)
      try offer(id, in: slot)
    case .price, .availability, .delete: break
    }
  }

  private func checkProduct(_ id: Int) throws(UnknownPatchTarget) {
    guard product(id) != nil else { throw UnknownPatchTarget(entity: .product, id: id) }
  }

  private mutating func offer(_ id: Int, in slotID: Int) throws(UnknownPatchTarget) {
    for combo in combos.indices {
      for slot in combos[combo].slots.indices where combos[combo].slots[slot].id == slotID {
        if combos[combo].slots[slot].options != nil {
          combos[combo].slots[slot].options?.offer(id)
        } else if let list = optionLists.firstIndex(where: {
          $0.id == combos[combo].slots[slot].optionListID
        }) {
          optionLists[list].options.offer(id)
        }
        return
      }
    }
    throw UnknownPatchTarget(entity: .slot, id: slotID)
  }
}

extension [SlotOption] {
  fileprivate mutating func offer(_ id: Int) {
    let isThere = contains { $0.productID == id && $0.variantID == nil }
    if !isThere { append(SlotOption(productID: id)) }
  }
}

/// What the server sends when the device is back: its menu, and what it knows of the device's edits.
struct ServerSnapshot: Hashable, Sendable {
  var menu: Menu
  /// When the server last changed a product by itself, in the edits' time.
  var changed: [Int: Int] = [:]
  /// The edits that it has, by their numbers: its menu shows what came of them.
  var received: Set<Int> = []
  /// The ids that it gave to what they created.
  var ids = ServerIDs()

  /// The server's menu with the device's edits, and the queue with what became of them: the last
  /// writer wins, product by product, the server of two at one time. Merging the outcome once more
  /// changes nothing.
  func merged(with queue: OfflineQueue) -> (menu: Menu, queue: OfflineQueue) {
    var (menu, queue) = (menu, queue)
    queue.ids.add(ids)
    for index in queue.edits.indices where queue.edits[index].mark == .waiting {
      queue.edits[index].change = queue.edits[index].change.renamed(by: queue.ids)
    }
    let gone = withdrawn(queue)
    for index in queue.edits.indices where queue.edits[index].mark == .waiting {
      queue.edits[index].mark = settle(queue.edits[index], gone, in: &menu)
    }
    return (menu, queue)
  }

  /// The device's products of which the server is never told.
  private func withdrawn(_ queue: OfflineQueue) -> Set<Int> {
    Set(
      queue.edits.compactMap { edit in
        guard case .delete(let id) = edit.change, id < 0, edit.mark == .waiting,
          !received.contains(edit.id)
        else { return nil }
        return id
      })
  }

  private func settle(_ edit: OfflineEdit, _ gone: Set<Int>, in menu: inout Menu)
    -> OfflineEdit.Mark
  {
    if received.contains(edit.id) { return .synced }
    let product = edit.change.productID
    if gone.contains(product) { return .withdrawn }
    if let time = changed[product], time >= edit.time { return .overruled }
    do {
      try menu.apply(edit.change)
      return .waiting
    } catch {
      // The server has deleted what the edit is about.
      return .overruled
    }
  }
}

/// The edits of a device, in the order in which they were made, and the ids that it learned.
struct OfflineQueue: Codable, Hashable, Sendable {
  /// Those of the past too, each with its mark.
  var edits: [OfflineEdit] = []
  /// The server's ids of what was created here, for whoever still holds one of the device's.
  var ids = ServerIDs()
}

import BenchEngine
import MenuModel

/// A user's edit on the device, and its state.
struct OfflineEdit: Codable, Hashable, Sendable {
  /// Its number on this device, by which the server confirms it.
  var id: Int
  /// Its time, in milliseconds since a moment that device and server agree on.
  var time: Int
  var change: MenuChange
  var mark = Mark.waiting

  enum Mark: String, Codable, Sendable {
    /// The server has not seen it.
    case waiting
    /// The server has it.
    case synced
    /// The server's own change was later, or removed the edit's target.
    case overruled
    /// The edit is for a product that was created and deleted before the server heard of either.
    case withdrawn
  }
}

/// A change of a menu. Ids below 0 are the device's own until the server assigns others.
enum MenuChange: Codable, Hashable, Sendable {
  /// A new product, with the device's own ids.
  case create(Product)
  /// A variant's price.
  case price(productID: Int, variantID: Int, price: Int)
  /// Whether a product can be ordered.
  case availability(productID: Int, Product.Availability)
  /// A product is out of stock.
  case stop(productID: Int)
  /// A product becomes an option of a slot, and of all slots that share its list.
  case offer(productID: Int, slotID: Int)
  /// A product is hidden until the server has deleted it.
  case delete(productID: Int)

  var productID: Int {
    switch self {
    case .create(let product): product.id
    case .price(let id, _, _), .availability(let id, _), .stop(let id), .offer(let id, _),
      .delete(let id):
      id
    }
  }

  /// Returns the change as a patch, or nil if it adds something to the menu.
  func patch(revision: Int) -> MenuPatch? {
    switch self {
    case .price(_, let variant, let price):
      MenuPatch(revision: revision, prices: [.init(variantID: variant, price: price)])
    case .availability(let product, let availability):
      MenuPatch(
        revision: revision, availability: [.init(productID: product, availability: availability)])
    case .delete(let product):
      MenuChange.availability(productID: product, .hidden).patch(revision: revision)
    case .stop(let product):
      MenuPatch(
        revision: revision,
        stops: [.init(entity: .product, entityID: product, isStopped: true)])
    case .create, .offer: nil
    }
  }

  /// Returns the change with the ids that the server assigned.
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

/// The server's ids for created products and variants, by the device's ids.
struct ServerIDs: Codable, Hashable, Sendable {
  var products: [Int: Int] = [:]
  var variants: [Int: Int] = [:]

  /// Returns the current id of a product.
  func product(_ id: Int) -> Int { products[id] ?? id }

  /// Adds ids that the server assigned later.
  mutating func add(_ other: ServerIDs) {
    products.merge(other.products) { $1 }
    variants.merge(other.variants) { $1 }
  }

  /// Returns the product with its current id and those of its variants.
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
  /// Makes a change. Making it again changes nothing. The revision stays the same.
  ///
  /// - Throws: `UnknownPatchTarget` if it names something that the menu lacks, which stays
  ///   unchanged.
  mutating func apply(_ change: MenuChange) throws(UnknownPatchTarget) {
    if let patch = change.patch(revision: revision) { return try apply(patch) }
    switch change {
    case .create(let product):
      if self.product(product.id) == nil { products.append(product) }
    case .offer(let id, let slot):
      guard product(id) != nil else { throw UnknownPatchTarget(entity: .product, id: id) }
      try offer(id, in: slot)
    case .price, .availability, .stop, .delete: break
    }
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
    let exists = contains { $0.productID == id && $0.variantID == nil }
    if !exists { append(SlotOption(productID: id)) }
  }
}

/// The server's answer when the device is online again: its menu, and its knowledge of the edits.
struct ServerSnapshot: Hashable, Sendable {
  var menu: Menu
  /// The times of the server's own last changes, by product id, in the unit of the edits' times.
  var changed: [Int: Int] = [:]
  /// The numbers of the edits that the server has. Its menu includes their effects.
  var received: Set<Int> = []
  /// The ids that it assigned to products and variants created by the edits.
  var ids = ServerIDs()

  /// Returns the server's menu with the device's edits, and the queue with their new marks. The
  /// last writer wins, product by product, and the server wins if both times are equal. Merging the
  /// result again changes nothing.
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

  /// Returns the device's products that the server never hears of.
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
      // The server has deleted the edit's target.
      return .overruled
    }
  }
}

/// A device's edits in the order in which they were made, and the ids that it learned.
struct OfflineQueue: Codable, Hashable, Sendable {
  /// All edits, including past ones, each with its mark.
  var edits: [OfflineEdit] = []
  /// The server's ids for products created here, for code that still has a device's id.
  var ids = ServerIDs()
}

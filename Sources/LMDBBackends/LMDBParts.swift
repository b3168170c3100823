import BackendKit
import Basics
import Foundation
import MenuModel
import ProtobufBackends

extension LMDBTransaction {
  /// Returns the first entity of a kind and id by position, or nil if there is none.
  mutating func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity? {
    let prefix = LMDBKey.prefix(kind.rawValue, id)
    var found: StoredEntity?
    try entries(from: prefix) { key, value in
      guard key.starts(with: prefix) else { return false }
      found = StoredEntity(key: try Self.entity(key), body: value())
      return false
    }
    return found
  }

  /// Throws if no menu was written.
  mutating func checkWritten() throws {
    guard try first(.head, 0) != nil else { throw LMDBFailure("nothing was written") }
  }

  mutating func product(_ id: Int) throws -> Product? { try first(.product, id)?.value() }

  /// Returns a combo with its lists and products, or nil if the menu lacks it. Fetches each part once.
  mutating func combo(_ id: Int) throws -> ResolvedCombo? {
    guard let combo = try first(.combo, id)?.value(as: Combo.self) else { return nil }
    var lists: [Int: [SlotOption]] = [:]
    let options = try combo.slots.map { slot in
      if let own = slot.options { return own }
      guard let id = slot.optionListID else { return [] }
      if let known = lists[id] { return known }
      let list = try first(.optionList, id)?.value(as: OptionList.self).options ?? []
      lists[id] = list
      return list
    }
    let named = options.joined().map(\.productID).distinct
    return ResolvedCombo(
      combo: combo, options: options, products: try named.compactMap { try product($0) })
  }

  /// Filters the products of the filter's category and returns their ids.
  mutating func products(passing filter: ProductFilter) throws -> [Int] {
    let shelf = try shelf([MenuModel.Category(id: filter.categoryID, name: "")])
    let head = try first(.head, 0)?.value(as: Menu.self)
    return filter.products(among: shelf, stopList: head?.stopList ?? [])
  }

  /// Builds the first screen of an app. Decodes the products of a category and the first combos, but
  /// no shared options.
  ///
  /// - Throws: ``StoreError`` if the bytes of an entity are not a message of its kind.
  mutating func firstScreen() throws -> FirstScreen {
    // A menu of these parts alone has the same first screen as the whole menu.
    var menu = Menu(id: 0, revision: 0, locale: "", currency: "", city: "")
    menu.categories = try entities(.category, first: .max).map { try $0.value() }
    menu.products = try shelf(menu.categories)
    menu.combos = try entities(.combo, first: FirstScreen.combos).map { try $0.value() }
    return menu.firstScreen()
  }

  /// Fetches the first `count` entities of a kind in the menu's order.
  private mutating func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity] {
    var keys: [EntityKey] = []
    try entries(from: [kind.rawValue]) { key, _ in
      guard key.first == kind.rawValue else { return false }
      keys.append(try Self.entity(key))
      return true
    }
    return try keys.sorted { $0.position < $1.position }.prefix(count).compactMap { key in
      try value(LMDBKey.bytes(key)).map { StoredEntity(key: key, body: $0) }
    }
  }

  /// Fetches the products of the first category that has any, in the menu's order. The keys of their
  /// shelf places lead to them.
  private mutating func shelf(_ categories: [MenuModel.Category]) throws -> [Product] {
    for category in categories {
      let places = try shelf(category.id)
      guard !places.isEmpty else { continue }
      return try places.map { key in
        guard let body = try value(LMDBKey.bytes(key)) else {
          throw LMDBFailure("the shelf of category \(category.id) names \(key), which is not there")
        }
        return try StoredEntity(key: key, body: body).value()
      }
    }
    return []
  }

  private mutating func shelf(_ categoryID: Int) throws -> [EntityKey] {
    let prefix = LMDBKey.shelf(categoryID)
    var keys: [EntityKey] = []
    try entries(from: prefix) { key, _ in
      guard key.starts(with: prefix) else { return false }
      guard let product = LMDBKey.product(key) else {
        throw LMDBFailure("the shelf of category \(categoryID) has a key of \(key.count) bytes")
      }
      keys.append(product)
      return true
    }
    return keys
  }
}

extension LMDBTransaction {
  /// Changes the entities that a patch affects and writes them back.
  mutating func apply(_ patch: MenuPatch) throws {
    try checkWritten()
    let change = EntityPatch(patch)
    for stop in patch.stops where try !has(stop.entity, stop.entityID) {
      throw UnknownPatchTarget(entity: stop.entity, id: stop.entityID)
    }
    for entity in try targets(of: patch).sorted() {
      guard let body = try value(LMDBKey.bytes(entity)) else {
        throw LMDBFailure("the index names \(entity), which is not there")
      }
      let changed = try change.applied(to: StoredEntity(key: entity, body: body))
      try put(LMDBKey.bytes(entity), changed.body)
    }
  }

  /// Finds the entities that a patch changes. Throws `UnknownPatchTarget` if one does not exist.
  private mutating func targets(of patch: MenuPatch) throws -> Set<EntityKey> {
    var targets: Set = [EntityKey(kind: .head, id: 0, position: 0)]
    for id in patch.availability.map(\.productID) {
      let products = try keys(LMDBKey.prefix(EntityKind.product.rawValue, id), after: 0)
      guard !products.isEmpty else { throw UnknownPatchTarget(entity: .product, id: id) }
      targets.formUnion(products)
      targets.formUnion(try holders(of: .product, id))
    }
    for id in patch.prices.map(\.variantID) {
      let holders = try holders(of: .variant, id)
      guard holders.contains(where: { $0.kind == .product }) else {
        throw UnknownPatchTarget(entity: .variant, id: id)
      }
      targets.formUnion(holders)
    }
    return targets
  }

  /// Whether the menu has an entity of its own with this id.
  private mutating func has(_ entity: Entity, _ id: Int) throws -> Bool {
    if let kind = entity.kind {
      return try !keys(LMDBKey.prefix(kind.rawValue, id), after: 0).isEmpty
    }
    return entity == .variant
      ? try holders(of: .variant, id).contains { $0.kind == .product } : try hasSlot(id)
  }

  /// Whether there is a slot. It decodes every combo, because no key leads to a slot.
  private mutating func hasSlot(_ id: Int) throws -> Bool {
    try entities(.combo, first: .max)
      .contains { try $0.value(as: Combo.self).slots.contains { $0.id == id } }
  }

  private mutating func holders(of held: EntityHolder.Held, _ id: Int) throws -> [EntityKey] {
    let prefix = LMDBKey.prefix(held.rawValue, id)
    return try keys(prefix, after: prefix.count)
  }

  /// Collects the entities in the keys that begin with a prefix. Each starts at an offset in its key.
  private mutating func keys(_ prefix: [UInt8], after offset: Int) throws -> [EntityKey] {
    var keys: [EntityKey] = []
    try entries(from: prefix) { key, _ in
      guard key.starts(with: prefix) else { return false }
      keys.append(try Self.entity(UnsafeRawBufferPointer(rebasing: key.dropFirst(offset))))
      return true
    }
    return keys
  }
}

extension Entity {
  /// The matching kind of LMDB entity, or nil if it is only a part of one.
  fileprivate var kind: EntityKind? {
    switch self {
    case .category: .category
    case .product: .product
    case .ingredient: .ingredient
    case .modifierGroup: .modifierGroup
    case .combo: .combo
    case .variant, .slot: nil
    }
  }
}

/// A patch, applied to one entity after another.
private struct EntityPatch {
  private let revision: Int
  private let changes: PatchChanges
  private let stops: [MenuPatch.StopChange]

  init(_ patch: MenuPatch) {
    revision = patch.revision
    changes = PatchChanges(patch)
    stops = patch.stops
  }

  /// Applies the patch to an entity. An entity that it does not affect stays unchanged.
  func applied(to entity: StoredEntity) throws -> StoredEntity {
    switch entity.key.kind {
    case .head:
      return try change(entity, Menu.self) {
        $0.revision = revision
        $0.stopList = stops.applied(to: $0.stopList)
      }
    case .product: return try change(entity, Product.self, take)
    case .optionList: return try change(entity, OptionList.self) { take(&$0.options) }
    case .combo: return try change(entity, Combo.self, take)
    case .category, .ingredient, .modifierGroup, .translations, .storeOverrides: return entity
    }
  }

  private func change<Value: MessageCoded>(
    _ entity: StoredEntity, _ type: Value.Type, _ body: (inout Value) -> Void
  ) throws -> StoredEntity {
    var value = try entity.value(as: type)
    body(&value)
    return try StoredEntity(value, entity.key)
  }

  private func take(_ combo: inout Combo) {
    for slot in combo.slots.indices {
      guard var options = combo.slots[slot].options else { continue }
      take(&options)
      combo.slots[slot].options = options
    }
  }

  private func take(_ options: inout [SlotOption]) {
    for index in options.indices {
      guard var product = options[index].product else { continue }
      take(&product)
      options[index].product = product
    }
  }

  private func take(_ product: inout Product) { product.take(changes) }
}

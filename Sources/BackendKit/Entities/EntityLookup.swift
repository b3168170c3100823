import Basics
import MenuModel

/// Says in which entity something stands that a patch names: a variant in its product, a product or
/// variant embedded in an option list or a combo.
@usableFromInline
package struct EntityHolder: Hashable, Sendable {
  /// What is held.
  @usableFromInline
  package enum Held: UInt8, Sendable {
    /// A copy of a product within an option; the product itself is found by its key.
    case product = 0x80
    /// A variant, of a product or of a copy.
    case variant = 0x81
  }

  package var held: Held
  /// The id of what is held.
  package var id: Int
  /// The index of the entity in ``MenuEntities/entities``.
  package var entity: Int

  package init(held: Held, id: Int, entity: Int) {
    (self.held, self.id, self.entity) = (held, id, entity)
  }
}

extension EntityHolder: Comparable {
  /// By what is held, its id and the entity.
  @usableFromInline
  package static func < (a: Self, b: Self) -> Bool {
    (a.held.rawValue, a.id, a.entity) < (b.held.rawValue, b.id, b.entity)
  }
}

/// Finds entities in a store: what reading a part of a menu takes.
package protocol EntityLookup: ~Copyable {
  /// The first entity of a kind and id by position; nil where there is none.
  mutating func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity?
  /// The entities of a kind in the menu's order, the first so many.
  mutating func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity]
  /// The products of the first of the categories that has any, in the menu's order; others may stand
  /// between them.
  mutating func shelf(_ categories: [Category], _ coder: EntityCoder) throws -> [Product]
}

extension Entity {
  /// The kind of entity that things of it are; nil of what is part of one.
  package var kind: EntityKind? {
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

extension EntityLookup where Self: ~Copyable {
  /// Whether there is a slot: every combo is decoded, since nothing leads to one.
  package mutating func hasSlot(_ id: Int, _ coder: EntityCoder) throws -> Bool {
    try entities(.combo, first: .max)
      .contains { try coder.combo.decode($0).slots.contains { $0.id == id } }
  }

  /// A product; nil where the menu has none of that id.
  package mutating func product(_ id: Int, _ coder: EntityCoder) throws -> Product? {
    try value(coder.product, .product, id)
  }

  /// A combo with its lists and products, each fetched once; nil where the menu has none.
  package mutating func combo(_ id: Int, _ coder: EntityCoder) throws -> ResolvedCombo? {
    guard let combo = try value(coder.combo, .combo, id) else { return nil }
    var lists: [Int: [SlotOption]] = [:]
    let options = try combo.slots.map { slot in
      if let own = slot.options { return own }
      guard let id = slot.optionListID else { return [] }
      if let known = lists[id] { return known }
      let list = try value(coder.optionList, .optionList, id)?.options ?? []
      lists[id] = list
      return list
    }
    let named = options.joined().map(\.productID).distinct
    return ResolvedCombo(
      combo: combo, options: options, products: try named.compactMap { try product($0, coder) })
  }

  /// The ids of the products that pass a filter, of the products of its category and the stop list.
  package mutating func products(
    passing filter: ProductFilter, _ coder: EntityCoder
  ) throws -> [Int] {
    let shelf = try shelf([Category(id: filter.categoryID, name: "")], coder)
    let head = try entities(.head, first: 1).first.map { try coder.head.decode($0) }
    return filter.products(among: shelf, stopList: head?.stopList ?? [])
  }

  private mutating func value<Value>(
    _ coding: EntityCoding<Value>, _ kind: EntityKind, _ id: Int
  ) throws -> Value? {
    guard let entity = try first(kind, id) else { return nil }
    return try coding.decode(entity)
  }
}

extension EntityLookup where Self: ~Copyable {
  /// The screen; every list and product that combos share is fetched and decoded once.
  ///
  /// - Throws: ``StoreError`` where an entity's bytes are none of its kind.
  package mutating func firstScreen(_ coder: EntityCoder) throws -> FirstScreen {
    // Of a menu of these parts alone the first screen is that of the whole menu.
    var menu = Menu(id: 0, revision: 0, locale: "", currency: "", city: "")
    menu.categories = try entities(.category, first: .max)
      .map { try coder.category.decode($0) }
    menu.products = try shelf(menu.categories, coder)
    menu.combos = try entities(.combo, first: FirstScreen.combos)
      .map { try coder.combo.decode($0) }
    menu.optionLists = try optionLists(of: menu.combos, coder)
    menu.products += try products(named: menu, coder)
    return menu.firstScreen()
  }

  private mutating func optionLists(
    of combos: [Combo], _ coder: EntityCoder
  ) throws -> [OptionList] {
    try combos.flatMap(\.slots).filter { $0.options == nil }.compactMap(\.optionListID).distinct
      .compactMap { try first(.optionList, $0) }.map { try coder.optionList.decode($0) }
  }

  /// The products that a menu's options name and that it has not.
  private mutating func products(named menu: Menu, _ coder: EntityCoder) throws -> [Product] {
    let resolver = SlotResolver(menu)
    var known = Set(menu.products.map(\.id))
    return try menu.combos.flatMap(\.slots).flatMap { resolver.options(of: $0) }
      .map(\.productID).filter { known.insert($0).inserted }
      .compactMap { try product($0, coder) }
  }
}

/// A patch, as it changes one entity after another.
package struct EntityPatch {
  private let revision: Int
  private let changes: PatchChanges
  private let stops: StopChanges
  private let coder: EntityCoder

  package init(_ patch: MenuPatch, _ coder: EntityCoder) {
    revision = patch.revision
    changes = PatchChanges(patch)
    stops = StopChanges(patch.stops)
    self.coder = coder
  }

  /// The entity with what the patch says of it; others stay as they are.
  package func applied(to entity: StoredEntity) throws -> StoredEntity {
    switch entity.key.kind {
    case .head:
      return try change(entity, coder.head) {
        $0.revision = revision
        $0.stopList = stops.applied(to: $0.stopList)
      }
    case .product: return try change(entity, coder.product, take)
    case .optionList: return try change(entity, coder.optionList) { take(&$0.options) }
    case .combo: return try change(entity, coder.combo, take)
    case .category, .ingredient, .modifierGroup, .translations, .storeOverrides: return entity
    }
  }

  private func change<Value>(
    _ entity: StoredEntity, _ coding: EntityCoding<Value>, _ body: (inout Value) -> Void
  ) throws -> StoredEntity {
    var value = try coding.decode(entity)
    body(&value)
    return StoredEntity(key: entity.key, body: try coding.encode(value, entity.key))
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

  private func take(_ product: inout Product) {
    if let change = changes.availability[product.id] { product.availability = change }
    for index in product.variants.indices {
      if let price = changes.prices[product.variants[index].id] {
        product.variants[index].price = price
      }
    }
  }
}

import Foundation
import MenuModel

/// A menu as entities whose values are bytes, such as JSON, in the order of their keys.
///
/// A payload's size is that of the values.
package struct MenuEntities: Sendable {
  /// Translations are small and many: so many stand in one entity.
  package static let translationsInChunk = 64

  /// Every entity, by growing key.
  @usableFromInline package var entities: [StoredEntity]
  /// What a patch finds entities by, in order, none twice. It follows from the entities and is only
  /// written: a payload that was read has none.
  @usableFromInline package var holders: [EntityHolder] = []
  /// The products of each category in the menu's order; only written, as ``holders``.
  @usableFromInline package var shelves: [ShelfPlace] = []

  @inlinable
  package init(entities: [StoredEntity], holders: [EntityHolder] = []) {
    (self.entities, self.holders) = (entities, holders)
  }

  /// The bytes of every value.
  package var bytes: Int { entities.reduce(0) { $0 + $1.body.count } }
}

extension MenuEntities: Hashable {
  /// Whether the entities are the same; holders follow from them.
  package static func == (a: Self, b: Self) -> Bool { a.entities == b.entities }

  /// Feeds the entities.
  package func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}

/// The kinds of entities that a menu is taken apart into, in the order in which they are kept.
///
/// The numbers stand in stored keys: a change of them is a new format.
@usableFromInline
package enum EntityKind: UInt8, CaseIterable, Sendable {
  /// The menu's own fields and its stop list.
  case head = 1
  /// A shelf.
  case category
  /// An ingredient.
  case ingredient
  /// A modifier group with its options.
  case modifierGroup
  /// A product with its variants.
  case product
  /// A list of options that slots share.
  case optionList
  /// A combo with its slots and their own options.
  case combo
  /// Up to ``MenuEntities/translationsInChunk`` translations that follow each other.
  case translations
  /// What stores have otherwise, all of it.
  case storeOverrides
}

/// What names an entity: things are found by kind and id; the position keeps the menu's order and
/// tells apart things of one id, which no rule of storing forbids.
///
/// Entities and their keys are made by backends in other modules for every row: what makes them is
/// inlinable.
@usableFromInline
package struct EntityKey: Hashable, Sendable {
  @usableFromInline package var kind: EntityKind
  @usableFromInline package var id: Int
  /// Its place in the menu's list of that kind.
  @usableFromInline package var position: Int

  @inlinable
  package init(kind: EntityKind, id: Int, position: Int) {
    (self.kind, self.id, self.position) = (kind, id, position)
  }
}

extension EntityKey: Comparable {
  /// By kind, id and position: the order in which entities are kept.
  @usableFromInline
  package static func < (a: Self, b: Self) -> Bool {
    (a.kind.rawValue, a.id, a.position) < (b.kind.rawValue, b.id, b.position)
  }
}

extension EntityKey: CustomStringConvertible {
  /// `product 300`.
  @usableFromInline
  package var description: String { "\(kind) \(id)" }
}

/// An entity as a backend keeps it.
@usableFromInline
package struct StoredEntity: Hashable, Sendable {
  @usableFromInline package var key: EntityKey
  /// What the ``EntityCoder`` makes of it: JSON text in UTF-8, or a message.
  @usableFromInline package var body: Data

  @inlinable
  package init(key: EntityKey, body: Data) { (self.key, self.body) = (key, body) }
}

/// Where a product stands in a category that shows it.
@usableFromInline
package struct ShelfPlace: Hashable, Sendable {
  package var categoryID: Int
  /// The product's place in the menu's list.
  package var position: Int
  package var productID: Int
}

extension ShelfPlace: Comparable {
  /// By category and position, of which a product has one in each of its categories.
  @usableFromInline
  package static func < (a: Self, b: Self) -> Bool {
    (a.categoryID, a.position) < (b.categoryID, b.position)
  }
}

/// The menu's own fields, and its stop list, which is short and always wanted whole.
package struct MenuHead: Codable, Hashable {
  package var id: Int
  package var revision: Int
  package var locale: String
  package var currency: String
  package var city: String
  package var stopList: [StopListEntry]

  package init(
    id: Int, revision: Int, locale: String, currency: String, city: String,
    stopList: [StopListEntry]
  ) {
    self.id = id
    self.revision = revision
    self.locale = locale
    self.currency = currency
    self.city = city
    self.stopList = stopList
  }

  package init(_ menu: Menu) {
    self.init(
      id: menu.id, revision: menu.revision, locale: menu.locale, currency: menu.currency,
      city: menu.city, stopList: menu.stopList)
  }
}

extension MenuEntities {
  /// Takes a menu apart; any menu will do, ids may even repeat.
  ///
  /// - Throws: ``StoreError`` where the coder has no bytes for a value, as JSON for a NaN.
  package init(_ menu: Menu, _ coder: EntityCoder) throws {
    entities = []
    try add([MenuHead(menu)], .head, coder.head) { _ in 0 }
    try add(menu.categories, .category, coder.category, id: \.id)
    try add(menu.ingredients, .ingredient, coder.ingredient, id: \.id)
    try add(menu.modifierGroups, .modifierGroup, coder.modifierGroup, id: \.id)
    try add(menu.products, .product, coder.product, id: \.id) { $0.variants.forEach($1.variant) }
    try add(menu.optionLists, .optionList, coder.optionList, id: \.id) {
      $0.options.forEach($1.option)
    }
    try add(menu.combos, .combo, coder.combo, id: \.id) { combo, held in
      for slot in combo.slots { (slot.options ?? []).forEach(held.option) }
    }
    try add(menu.chunks, .translations, coder.translations, id: \.number)
    if !menu.storeOverrides.isEmpty {
      try add(
        [StoreOverrides(list: menu.storeOverrides)], .storeOverrides, coder.storeOverrides
      ) { _ in 0 }
    }
    shelves = menu.products.enumerated().flatMap { position, product in
      product.categoryIDs.map {
        ShelfPlace(categoryID: $0, position: position, productID: product.id)
      }
    }.sorted()
    holders.sort()
  }

  private mutating func add<Value>(
    _ values: [Value], _ kind: EntityKind, _ coding: EntityCoding<Value>, id: (Value) -> Int,
    holding: (Value, HeldThings) -> Void = { _, _ in }
  ) throws {
    let keys = values.enumerated().map {
      EntityKey(kind: kind, id: id($0.element), position: $0.offset)
    }
    for key in keys.inOrder() {
      let value = values[key.position]
      let things = HeldThings(entity: entities.count)
      holding(value, things)
      holders += things.holders
      entities.append(StoredEntity(key: key, body: try coding.encode(value, key)))
    }
  }
}

extension MenuEntities {
  /// The entities of the program on the other side of a change.
  ///
  /// - Throws: ``StoreError`` where the coder has no bytes for a value, as JSON for a NaN.
  package init(_ menu: Menu, across change: SchemaChange, _ coder: EntityCoder) throws {
    try self.init(menu, coder)
    for (place, key) in entities.map(\.key).enumerated() {
      let body: Data? =
        switch key.kind {
        case .product:
          try coder.product.encode(menu.products[key.position], across: change, key)
        case .optionList:
          try coder.optionList.encode(menu.optionLists[key.position], across: change, key)
        case .combo: try coder.combo.encode(menu.combos[key.position], across: change, key)
        case .head, .category, .ingredient, .modifierGroup, .translations, .storeOverrides: nil
        }
      if let body { entities[place].body = body }
    }
  }
}

/// Collects what one entity holds, each thing once.
private final class HeldThings {
  private(set) var holders: Set<EntityHolder> = []
  private let entity: Int

  init(entity: Int) { self.entity = entity }

  func variant(_ variant: Variant) { add(.variant, variant.id) }

  func option(_ option: SlotOption) {
    guard let product = option.product else { return }
    add(.product, product.id)
    product.variants.forEach(variant)
  }

  private func add(_ held: EntityHolder.Held, _ id: Int) {
    holders.insert(EntityHolder(held: held, id: id, entity: entity))
  }
}

/// What stores have otherwise: seldom wanted, so that the head goes without.
package struct StoreOverrides: Codable, Hashable {
  package var list: [StoreOverride]

  package init(list: [StoreOverride]) { self.list = list }
}

/// Translations that follow each other; its JSON is the list.
package struct TranslationChunk: Codable {
  package var number = 0
  package var translations: [Translation]

  package init(number: Int, _ translations: [Translation]) {
    self.number = number
    self.translations = translations
  }

  package init(from decoder: any Decoder) throws {
    translations = try [Translation](from: decoder)
  }

  package func encode(to encoder: any Encoder) throws { try translations.encode(to: encoder) }
}

extension Menu {
  fileprivate var chunks: [TranslationChunk] {
    let size = MenuEntities.translationsInChunk
    return stride(from: 0, to: translations.count, by: size).enumerated().map { number, start in
      TranslationChunk(
        number: number, Array(translations[start..<min(start + size, translations.count)]))
    }
  }
}

extension [EntityKey] {
  /// Itself where it is in order, which is the usual case.
  fileprivate func inOrder() -> [EntityKey] {
    zip(self, dropFirst()).allSatisfy { $0 < $1 } ? self : sorted()
  }
}

extension Menu {
  /// Puts a menu together again.
  ///
  /// - Throws: ``StoreError`` where an entity's bytes are none of its kind, or one is missing.
  package init(_ payload: MenuEntities, _ coder: EntityCoder) throws {
    let parts = EntityParts(payload.entities)
    guard let head = try parts.all(coder.head, .head).first else {
      throw StoreError(operation: "decode", path: "head", reason: "there is none")
    }
    self.init(
      id: head.id, revision: head.revision, locale: head.locale, currency: head.currency,
      city: head.city, categories: try parts.all(coder.category, .category),
      ingredients: try parts.all(coder.ingredient, .ingredient),
      modifierGroups: try parts.all(coder.modifierGroup, .modifierGroup),
      products: try parts.all(coder.product, .product),
      optionLists: try parts.all(coder.optionList, .optionList),
      combos: try parts.all(coder.combo, .combo), stopList: head.stopList,
      storeOverrides: try parts.all(coder.storeOverrides, .storeOverrides).flatMap(\.list),
      translations: try parts.all(coder.translations, .translations).flatMap(\.translations))
  }
}

/// Entities by their kinds.
private struct EntityParts {
  private let kinds: [EntityKind: [StoredEntity]]

  init(_ entities: [StoredEntity]) { kinds = Dictionary(grouping: entities, by: \.key.kind) }

  /// The values of one kind in the menu's order; their positions must be 0, 1, 2 and so on.
  func all<Value>(_ coding: EntityCoding<Value>, _ kind: EntityKind) throws -> [Value] {
    let entities = arranged(kinds[kind] ?? [])
    for (position, entity) in entities.enumerated() where entity.key.position != position {
      throw StoreError(
        operation: "decode", path: "\(entity.key)",
        reason: "it stands at position \(entity.key.position), where \(position) is next")
    }
    return try entities.map { try coding.decode($0) }
  }

  private func arranged(_ entities: [StoredEntity]) -> [StoredEntity] {
    let isInOrder = zip(entities, entities.dropFirst()).allSatisfy {
      $0.key.position < $1.key.position
    }
    return isInOrder ? entities : entities.sorted { $0.key.position < $1.key.position }
  }
}

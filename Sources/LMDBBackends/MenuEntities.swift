import BackendKit
import Foundation
import MenuModel
import ProtobufBackends

/// A menu as entities whose values are protobuf messages, in the order of their keys.
///
/// The size of a payload is that of the values.
package struct MenuEntities: Sendable {
  /// The number of translations in one entity, because they are small and many.
  static let translationsInChunk = 64

  /// Every entity, in ascending order of keys.
  var entities: [StoredEntity]
  /// The keys by which a patch finds entities, sorted and without duplicates. They follow from the
  /// entities and are only written: a payload that was read has none.
  var holders: [EntityHolder] = []
  /// The products of each category in the menu's order. Like ``holders``, they are only written.
  var shelves: [ShelfPlace] = []

  var bytes: Int { entities.reduce(0) { $0 + $1.body.count } }
}

extension MenuEntities: Hashable {
  /// Compares only the entities, because holders and shelves follow from them.
  package static func == (a: Self, b: Self) -> Bool { a.entities == b.entities }
  package func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}

/// The kinds of entities that a menu is split into, in the order in which they are stored.
///
/// The numbers are part of stored keys: changing one makes a new format.
enum EntityKind: UInt8, CaseIterable, Sendable {
  /// The menu's own fields and its stop list, which is short and always read as a whole.
  case head = 1
  case category
  case ingredient
  /// A modifier group with its options.
  case modifierGroup
  /// A product with its variants.
  case product
  /// An option list that slots share.
  case optionList
  /// A combo with its slots and their own options.
  case combo
  /// Up to ``MenuEntities/translationsInChunk`` consecutive translations.
  case translations
  /// All store overrides.
  case storeOverrides
}

/// Identifies an entity by kind and id. The position keeps the menu's order and distinguishes entities
/// with the same id, which the store allows.
struct EntityKey: Hashable, Sendable {
  var kind: EntityKind
  var id: Int
  /// Its position in the menu's list of that kind.
  var position: Int
}

extension EntityKey: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.kind.rawValue, a.id, a.position) < (b.kind.rawValue, b.id, b.position)
  }
}

extension EntityKey: CustomStringConvertible {
  /// For example `product 300`.
  var description: String { "\(kind) \(id)" }
}

/// An entity as it is stored.
struct StoredEntity: Hashable, Sendable {
  var key: EntityKey
  var body: Data

}

extension StoredEntity {
  /// - Throws: ``StoreError`` if the value cannot be encoded.
  init(_ value: some MessageCoded, _ key: EntityKey) throws {
    self.init(key: key, body: try key.coding("encode") { try value.message() })
  }

  /// Decodes the message. Throws ``StoreError`` if it is not one of this type.
  func value<Value: MessageCoded>(as type: Value.Type = Value.self) throws -> Value {
    try key.coding("decode") { try Value(message: body) }
  }
}

extension EntityKey {
  /// Encodes or decodes the entity's message and turns an error into a ``StoreError``.
  fileprivate func coding<Result>(
    _ operation: String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch { throw placed(error, operation, "\(self)") }
  }
}

/// Records which entity contains a part that a patch refers to: the product of a variant, or the option
/// list or combo that embeds a product or variant.
struct EntityHolder: Hashable, Sendable {
  enum Held: UInt8, Sendable {
    /// A product embedded in an option. The product itself is found by its key.
    case product = 0x80
    /// A variant of a product or of an embedded product.
    case variant = 0x81
  }

  var held: Held
  var id: Int
  /// The index of the entity in ``MenuEntities/entities``.
  var entity: Int
}

extension EntityHolder: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.held.rawValue, a.id, a.entity) < (b.held.rawValue, b.id, b.entity)
  }
}

/// The position of a product in a category that shows it.
struct ShelfPlace: Hashable, Sendable {
  var categoryID: Int
  /// The product's position in the menu's list.
  var position: Int
  var productID: Int
}

extension ShelfPlace: Comparable {
  /// Orders by category and position. A product has one place in each of its categories.
  static func < (a: Self, b: Self) -> Bool {
    (a.categoryID, a.position) < (b.categoryID, b.position)
  }
}

extension MenuEntities {
  /// Splits a menu into entities. It accepts any menu, even one with repeated ids.
  ///
  /// - Throws: ``StoreError`` if a value cannot be encoded.
  init(_ menu: Menu) throws {
    entities = []
    try add([menu.head], .head) { _ in 0 }
    try add(menu.categories, .category, id: \.id)
    try add(menu.ingredients, .ingredient, id: \.id)
    try add(menu.modifierGroups, .modifierGroup, id: \.id)
    try add(menu.products, .product, id: \.id) { $0.variants.forEach($1.variant) }
    try add(menu.optionLists, .optionList, id: \.id) { $0.options.forEach($1.option) }
    try add(menu.combos, .combo, id: \.id) { combo, held in
      for slot in combo.slots { (slot.options ?? []).forEach(held.option) }
    }
    try add(menu.chunks, .translations, id: \.number)
    if !menu.storeOverrides.isEmpty {
      try add([StoreOverrides(list: menu.storeOverrides)], .storeOverrides) { _ in 0 }
    }
    shelves = menu.products.enumerated().flatMap { position, product in
      product.categoryIDs.map {
        ShelfPlace(categoryID: $0, position: position, productID: product.id)
      }
    }.sorted()
    holders.sort()
  }

  private mutating func add<Value: MessageCoded>(
    _ values: [Value], _ kind: EntityKind, id: (Value) -> Int,
    holding: (Value, HeldThings) -> Void = { _, _ in }
  ) throws {
    let keys = values.enumerated().map {
      EntityKey(kind: kind, id: id($0.element), position: $0.offset)
    }
    for key in keys.inOrder(<) {
      let value = values[key.position]
      let things = HeldThings(entity: entities.count)
      holding(value, things)
      holders += things.holders
      entities.append(try StoredEntity(value, key))
    }
  }
}

extension MenuEntities {
  /// Makes the entities of the program on the other side of a change.
  ///
  /// - Throws: ``StoreError`` if a value cannot be encoded.
  init(_ menu: Menu, across change: SchemaChange) throws {
    try self.init(menu)
    for (place, key) in entities.map(\.key).enumerated() {
      let value: (any MessageCoded)? =
        switch key.kind {
        case .product: menu.products[key.position]
        case .optionList: menu.optionLists[key.position]
        case .combo: menu.combos[key.position]
        case .head, .category, .ingredient, .modifierGroup, .translations, .storeOverrides: nil
        }
      guard let value else { continue }
      if let body = try key.coding("encode", { try value.message(across: change) }) {
        entities[place].body = body
      }
    }
  }
}

/// Collects the products and variants in one entity, without duplicates.
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

extension Menu {
  /// The menu's own fields and its stop list.
  fileprivate var head: Menu {
    Menu(
      id: id, revision: revision, locale: locale, currency: currency, city: city,
      stopList: stopList)
  }

  fileprivate var chunks: [TranslationChunk] {
    let size = MenuEntities.translationsInChunk
    return stride(from: 0, to: translations.count, by: size).enumerated().map { number, start in
      TranslationChunk(
        number: number, list: Array(translations[start..<min(start + size, translations.count)]))
    }
  }
}

extension Array {
  /// Returns itself if it is in order, as usual. Inlined, so that no comparison is a call.
  @inline(__always)
  fileprivate func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    zip(self, dropFirst()).allSatisfy { precedes($0, $1) } ? self : sorted(by: precedes)
  }
}

extension Menu {
  /// Builds the menu from its entities.
  ///
  /// - Throws: ``StoreError`` if the bytes of one are not a message of its kind, or one is missing.
  init(_ payload: MenuEntities) throws {
    let parts = EntityParts(payload.entities)
    guard let head = try parts.all(.head, as: Menu.self).first else {
      throw StoreError(operation: "decode", path: "head", reason: "there is none")
    }
    self.init(
      id: head.id, revision: head.revision, locale: head.locale, currency: head.currency,
      city: head.city, categories: try parts.all(.category),
      ingredients: try parts.all(.ingredient), modifierGroups: try parts.all(.modifierGroup),
      products: try parts.all(.product), optionLists: try parts.all(.optionList),
      combos: try parts.all(.combo), stopList: head.stopList,
      storeOverrides: try parts.all(.storeOverrides, as: StoreOverrides.self).flatMap(\.list),
      translations: try parts.all(.translations, as: TranslationChunk.self).flatMap(\.list))
  }
}

/// Entities grouped by kind.
private struct EntityParts {
  private let kinds: [EntityKind: [StoredEntity]]

  init(_ entities: [StoredEntity]) { kinds = Dictionary(grouping: entities, by: \.key.kind) }

  /// Decodes the values of a kind in the menu's order. Their positions must be 0, 1, 2 and so on.
  func all<Value: MessageCoded>(
    _ kind: EntityKind, as type: Value.Type = Value.self
  ) throws -> [Value] {
    let entities = (kinds[kind] ?? []).inOrder { $0.key.position < $1.key.position }
    for (position, entity) in entities.enumerated() where entity.key.position != position {
      throw StoreError(
        operation: "decode", path: "\(entity.key)",
        reason: "it is at position \(entity.key.position), but \(position) is next")
    }
    return try entities.map { try $0.value() }
  }
}

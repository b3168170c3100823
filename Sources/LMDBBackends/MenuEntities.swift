import BackendKit
import Foundation
import MenuModel
import ProtobufBackends

/// A menu as entities whose values are protobuf messages, in the order of their keys.
///
/// A payload's size is that of the values.
package struct MenuEntities: Sendable {
  /// Translations are small and many: so many stand in one entity.
  static let translationsInChunk = 64

  /// Every entity, by growing key.
  var entities: [StoredEntity]
  /// What a patch finds entities by, in order, none twice. It follows from the entities and is only
  /// written: a payload that was read has none.
  var holders: [EntityHolder] = []
  /// The products of each category in the menu's order; only written, as ``holders``.
  var shelves: [ShelfPlace] = []

  var bytes: Int { entities.reduce(0) { $0 + $1.body.count } }
}

extension MenuEntities: Hashable {
  /// Whether the entities are the same; holders follow from them.
  package static func == (a: Self, b: Self) -> Bool { a.entities == b.entities }
  package func hash(into hasher: inout Hasher) { hasher.combine(entities) }
}

/// The kinds of entities that a menu is taken apart into, in the order in which they are kept.
///
/// The numbers stand in stored keys: a change of them is a new format.
enum EntityKind: UInt8, CaseIterable, Sendable {
  /// The menu's own fields and its stop list, which is short and always wanted whole.
  case head = 1
  case category
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
struct EntityKey: Hashable, Sendable {
  var kind: EntityKind
  var id: Int
  /// Its place in the menu's list of that kind.
  var position: Int
}

extension EntityKey: Comparable {
  static func < (a: Self, b: Self) -> Bool {
    (a.kind.rawValue, a.id, a.position) < (b.kind.rawValue, b.id, b.position)
  }
}

extension EntityKey: CustomStringConvertible {
  /// `product 300`.
  var description: String { "\(kind) \(id)" }
}

/// An entity as it is kept.
struct StoredEntity: Hashable, Sendable {
  var key: EntityKey
  var body: Data

}

extension StoredEntity {
  /// - Throws: ``StoreError`` where there is no message of a value.
  init(_ value: some MessageCoded, _ key: EntityKey) throws {
    self.init(key: key, body: try key.coding("encode") { try value.message() })
  }

  /// The value that the message holds; throws ``StoreError`` where it is none of its kind.
  func value<Value: MessageCoded>(as type: Value.Type = Value.self) throws -> Value {
    try key.coding("decode") { try Value(message: body) }
  }
}

extension EntityKey {
  /// Makes or reads the entity's message; a fault becomes a ``StoreError``.
  fileprivate func coding<Result>(
    _ operation: String, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch { throw placed(error, operation, "\(self)") }
  }
}

/// Says in which entity something stands that a patch names: a variant in its product, a product or
/// variant embedded in an option list or a combo.
struct EntityHolder: Hashable, Sendable {
  enum Held: UInt8, Sendable {
    /// A copy of a product within an option; the product itself is found by its key.
    case product = 0x80
    /// A variant, of a product or of a copy.
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

/// Where a product stands in a category that shows it.
struct ShelfPlace: Hashable, Sendable {
  var categoryID: Int
  /// The product's place in the menu's list.
  var position: Int
  var productID: Int
}

extension ShelfPlace: Comparable {
  /// By category and position, of which a product has one in each of its categories.
  static func < (a: Self, b: Self) -> Bool {
    (a.categoryID, a.position) < (b.categoryID, b.position)
  }
}

extension MenuEntities {
  /// Takes a menu apart; any menu will do, ids may even repeat.
  ///
  /// - Throws: ``StoreError`` where there is no message of a value.
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
  /// The entities of the program on the other side of a change.
  ///
  /// - Throws: ``StoreError`` where there is no message of a value.
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
  /// Itself where it is in order, which is the usual case. Inlined, so that no comparison is a call.
  @inline(__always)
  fileprivate func inOrder(_ precedes: (Element, Element) -> Bool) -> [Element] {
    zip(self, dropFirst()).allSatisfy { precedes($0, $1) } ? self : sorted(by: precedes)
  }
}

extension Menu {
  /// Puts a menu together again.
  ///
  /// - Throws: ``StoreError`` where an entity's bytes are none of its kind, or one is missing.
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

/// Entities by their kinds.
private struct EntityParts {
  private let kinds: [EntityKind: [StoredEntity]]

  init(_ entities: [StoredEntity]) { kinds = Dictionary(grouping: entities, by: \.key.kind) }

  /// The values of one kind in the menu's order; their positions must be 0, 1, 2 and so on.
  func all<Value: MessageCoded>(
    _ kind: EntityKind, as type: Value.Type = Value.self
  ) throws -> [Value] {
    let entities = (kinds[kind] ?? []).inOrder { $0.key.position < $1.key.position }
    for (position, entity) in entities.enumerated() where entity.key.position != position {
      throw StoreError(
        operation: "decode", path: "\(entity.key)",
        reason: "it stands at position \(entity.key.position), where \(position) is next")
    }
    return try entities.map { try $0.value() }
  }
}

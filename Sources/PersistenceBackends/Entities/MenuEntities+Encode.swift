import MenuModel

extension MenuEntities {
  /// Takes a menu apart; any menu will do, ids may even repeat.
  ///
  /// - Throws: ``StorageError`` where a value has no JSON.
  init(_ menu: Menu, _ coder: EntityCoder) throws {
    entities = []
    try add([MenuHead(menu)], .head, coder) { _ in 0 }
    try add(menu.categories, .category, coder, id: \.id)
    try add(menu.ingredients, .ingredient, coder, id: \.id)
    try add(menu.modifierGroups, .modifierGroup, coder, id: \.id)
    try add(menu.products, .product, coder, id: \.id) { $0.variants.forEach($1.variant) }
    try add(menu.optionLists, .optionList, coder, id: \.id) { $0.options.forEach($1.option) }
    try add(menu.combos, .combo, coder, id: \.id) { combo, held in
      for slot in combo.slots { (slot.options ?? []).forEach(held.option) }
    }
    try add(menu.chunks, .translations, coder, id: \.number)
    holders.sort()
  }

  private mutating func add<Value: Encodable>(
    _ values: [Value], _ kind: EntityKind, _ coder: EntityCoder, id: (Value) -> Int,
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
      entities.append(StoredEntity(key: key, body: try coder.encode(value, key)))
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

/// Translations that follow each other; its JSON is the list.
struct TranslationChunk: Codable {
  var number = 0
  var translations: [Translation]

  init(number: Int, _ translations: [Translation]) {
    self.number = number
    self.translations = translations
  }

  init(from decoder: any Decoder) throws {
    translations = try [Translation](from: decoder)
  }

  func encode(to encoder: any Encoder) throws { try translations.encode(to: encoder) }
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

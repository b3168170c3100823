import MenuModel

extension Menu {
  /// Puts a menu together again.
  ///
  /// - Throws: ``StorageError`` where an entity is no JSON of its kind, or one is missing.
  init(_ payload: MenuEntities, _ coder: EntityCoder) throws {
    let parts = EntityParts(payload.entities, coder)
    guard let head = try parts.all(MenuHead.self, .head).first else {
      throw StorageError(operation: "decode", path: "head", reason: "there is none")
    }
    self.init(
      id: head.id, revision: head.revision, locale: head.locale, currency: head.currency,
      city: head.city, categories: try parts.all(Category.self, .category),
      ingredients: try parts.all(Ingredient.self, .ingredient),
      modifierGroups: try parts.all(ModifierGroup.self, .modifierGroup),
      products: try parts.all(Product.self, .product),
      optionLists: try parts.all(OptionList.self, .optionList),
      combos: try parts.all(Combo.self, .combo), stopList: head.stopList,
      translations: try parts.all(TranslationChunk.self, .translations).flatMap(\.translations))
  }
}

/// Entities by their kinds.
private struct EntityParts {
  private let kinds: [EntityKind: [StoredEntity]]
  private let coder: EntityCoder

  init(_ entities: [StoredEntity], _ coder: EntityCoder) {
    kinds = Dictionary(grouping: entities, by: \.key.kind)
    self.coder = coder
  }

  /// The values of one kind in the menu's order; their positions must be 0, 1, 2 and so on.
  func all<Value: Decodable>(_ type: Value.Type, _ kind: EntityKind) throws -> [Value] {
    let entities = arranged(kinds[kind] ?? [])
    for (position, entity) in entities.enumerated() where entity.key.position != position {
      throw StorageError(
        operation: "decode", path: "\(entity.key)",
        reason: "it stands at position \(entity.key.position), where \(position) is next")
    }
    return try entities.map { try coder.decode(type, $0) }
  }

  private func arranged(_ entities: [StoredEntity]) -> [StoredEntity] {
    let isInOrder = zip(entities, entities.dropFirst()).allSatisfy {
      $0.key.position < $1.key.position
    }
    return isInOrder ? entities : entities.sorted { $0.key.position < $1.key.position }
  }
}

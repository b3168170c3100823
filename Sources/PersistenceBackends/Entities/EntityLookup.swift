import MenuModel

/// Finds single entities in a store: what reading a part of a menu takes.
protocol EntityLookup {
  /// The first entity of a kind and id by position; nil where there is none.
  func first(_ kind: EntityKind, _ id: Int) throws -> StoredEntity?
}

extension EntityLookup {
  /// A product; nil where the menu has none of that id.
  func product(_ id: Int, _ coder: EntityCoder) throws -> Product? {
    try value(Product.self, .product, id, coder)
  }

  /// A combo with its lists and products, each fetched once; nil where the menu has none.
  func combo(_ id: Int, _ coder: EntityCoder) throws -> ResolvedCombo? {
    guard let combo = try value(Combo.self, .combo, id, coder) else { return nil }
    var lists: [Int: [SlotOption]] = [:]
    let options = try combo.slots.map { slot in
      if let own = slot.options { return own }
      guard let id = slot.optionListID else { return [] }
      if let known = lists[id] { return known }
      let list = try value(OptionList.self, .optionList, id, coder)?.options ?? []
      lists[id] = list
      return list
    }
    var seen: Set<Int> = []
    let named = options.joined().map(\.productID).filter { seen.insert($0).inserted }
    return ResolvedCombo(
      combo: combo, options: options, products: try named.compactMap { try product($0, coder) })
  }

  private func value<Value: Decodable>(
    _ type: Value.Type, _ kind: EntityKind, _ id: Int, _ coder: EntityCoder
  ) throws -> Value? {
    guard let entity = try first(kind, id) else { return nil }
    return try coder.decode(type, entity)
  }
}

import MenuModel

/// A patch, as it changes one entity after another.
struct EntityPatch {
  private let revision: Int
  private let prices: [Int: Int]
  private let availability: [Int: Product.Availability]
  private let coder: EntityCoder

  init(_ patch: MenuPatch, _ coder: EntityCoder) {
    revision = patch.revision
    prices = Dictionary(patch.prices.map { ($0.variantID, $0.price) }, uniquingKeysWith: { $1 })
    availability = Dictionary(
      patch.availability.map { ($0.productID, $0.availability) }, uniquingKeysWith: { $1 })
    self.coder = coder
  }

  /// The entity with what the patch says of it; others stay as they are.
  func applied(to entity: StoredEntity) throws -> StoredEntity {
    switch entity.key.kind {
    case .head: return try change(entity, MenuHead.self) { $0.revision = revision }
    case .product: return try change(entity, Product.self, take)
    case .optionList: return try change(entity, OptionList.self) { take(&$0.options) }
    case .combo: return try change(entity, Combo.self, take)
    case .category, .ingredient, .modifierGroup, .translations: return entity
    }
  }

  private func change<Value: Codable>(
    _ entity: StoredEntity, _ type: Value.Type, _ body: (inout Value) -> Void
  ) throws -> StoredEntity {
    var value = try coder.decode(type, entity)
    body(&value)
    return StoredEntity(key: entity.key, body: try coder.encode(value, entity.key))
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
    if let change = availability[product.id] { product.availability = change }
    for index in product.variants.indices {
      if let price = prices[product.variants[index].id] { product.variants[index].price = price }
    }
  }
}

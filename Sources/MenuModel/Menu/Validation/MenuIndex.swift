/// Where everything that has an id stands; of several things with one id the first counts.
struct MenuIndex {
  /// A variant's place.
  struct VariantPlace {
    let product: Int
    let variant: Int
  }

  /// A slot's place.
  struct SlotPlace {
    let combo: Int
    let slot: Int
  }

  let categories: [Int: Int]
  let ingredients: [Int: Int]
  let modifierGroups: [Int: Int]
  let products: [Int: Int]
  let optionLists: [Int: Int]
  let combos: [Int: Int]
  private(set) var variants: [Int: VariantPlace] = [:]
  private(set) var slots: [Int: SlotPlace] = [:]

  init(_ menu: Menu) {
    categories = Self.positions(menu.categories, \.id)
    ingredients = Self.positions(menu.ingredients, \.id)
    modifierGroups = Self.positions(menu.modifierGroups, \.id)
    products = Self.positions(menu.products, \.id)
    optionLists = Self.positions(menu.optionLists, \.id)
    combos = Self.positions(menu.combos, \.id)
    for (product, element) in menu.products.enumerated() {
      for (variant, element) in element.variants.enumerated() where variants[element.id] == nil {
        variants[element.id] = VariantPlace(product: product, variant: variant)
      }
    }
    for (combo, element) in menu.combos.enumerated() {
      for (slot, element) in element.slots.enumerated() where slots[element.id] == nil {
        slots[element.id] = SlotPlace(combo: combo, slot: slot)
      }
    }
  }

  /// Whether there is a thing of that kind and id.
  func contains(_ entity: Entity, _ id: Int) -> Bool {
    switch entity {
    case .category: categories[id] != nil
    case .product: products[id] != nil
    case .variant: variants[id] != nil
    case .ingredient: ingredients[id] != nil
    case .modifierGroup: modifierGroups[id] != nil
    case .combo: combos[id] != nil
    case .slot: slots[id] != nil
    }
  }

  private static func positions<Element>(
    _ elements: [Element], _ id: KeyPath<Element, Int>
  ) -> [Int: Int] {
    var positions = [Int: Int](minimumCapacity: elements.count)
    for (position, element) in elements.enumerated() where positions[element[keyPath: id]] == nil {
      positions[element[keyPath: id]] = position
    }
    return positions
  }
}

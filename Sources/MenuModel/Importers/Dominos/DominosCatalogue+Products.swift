extension DominosCatalogue {
  /// The products that have a variant, in the order of their categories.
  mutating func products() -> [Product] {
    notes.add(leftoversOf: file.products.values, .product)
    notes.add(leftoversOf: file.variants.values, .variant)
    let products = shelved.reduce(into: [Product]()) { products, shelf in
      guard let row = file.products[shelf.code] else { return }
      let id = products.count + 1
      let variants = variants(of: row, productID: id)
      guard !variants.isEmpty else {
        notes.add(.productWithoutVariants, named: shelf.code)
        return
      }
      products.append(product(row, id, shelf, variants))
    }
    let unlisted = Set(file.variants.keys).subtracting(listedVariants).sorted()
    for code in unlisted { notes.add(.unlistedVariant, named: code) }
    noteNames()
    return products
  }

  private mutating func product(
    _ row: Row<DominosFile.Product>, _ id: Int, _ shelf: (code: String, categoryID: Int),
    _ variants: [Variant]
  ) -> Product {
    checkCode(row.code, shelf.code)
    let toppings = Family(section: .toppings, name: row.productType)
    let sides = Family(section: .sides, name: row.productType)
    return Product(
      id: id, code: shelf.code, categoryID: shelf.categoryID, kind: kind(row.productType),
      name: row.name, details: row.details ?? "", variants: variants,
      ingredients: content(row.defaultToppings, from: row.availableToppings, of: toppings)
        + content(row.defaultSides, from: row.availableSides, of: sides),
      modifierGroupIDs: [
        modifierGroupID(for: row.availableToppings, of: toppings),
        modifierGroupID(for: row.availableSides, of: sides),
      ].compactMap(\.self))
  }

  /// What a product comes with; removable where its list of choices has it and allows none of it.
  private mutating func content(
    _ list: DominosOptions?, from choices: DominosOptions?, of family: Family
  ) -> [ProductIngredient] {
    let removable = Set((choices?.options ?? []).filter(\.mayBeLeftOut).map(\.code))
    return known(list, of: family).map { _, id, option in
      if !option.quantities.isEmpty, option.quantities != ["1"] { notes.add(.defaultQuantity) }
      return ProductIngredient(ingredientID: id, isRemovable: removable.contains(option.code))
    }
  }

  private mutating func kind(_ productType: String) -> Product.Kind {
    switch productType {
    case "Pizza": return .pizza
    case "Bread", "Chips", "GSalad", "Pasta", "Sandwich", "Wings": return .snack
    case "Drinks": return .drink
    case "Dessert": return .dessert
    case "Sides": return .other
    default:
      notes.add(.unknownProductType, named: productType)
      return .other
    }
  }
}

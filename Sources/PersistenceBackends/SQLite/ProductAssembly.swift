import MenuModel

/// Puts products together from their rows.
struct ProductAssembly {
  /// In the order of the menu.
  let products: [Product]

  init(_ rows: MenuRows) throws {
    var variants = Children(try Self.variants(rows).grouped())
    var tags = Children(rows.productTags)
    var ingredients = Children(rows.productIngredients)
    var groups = Children(rows.productModifierGroups)
    products = try rows.products.map { row in
      Product(
        id: row.id, code: row.code, categoryID: row.categoryID, kind: try value(row.kind),
        name: row.name, details: row.details, tags: tags.next(of: row.id).map(\.tag),
        availability: try value(row.availability),
        variants: variants.next(of: row.id).map(\.value),
        ingredients: ingredients.next(of: row.id).map {
          ProductIngredient(ingredientID: $0.ingredientID, isRemovable: $0.isRemovable)
        },
        modifierGroupIDs: groups.next(of: row.id).map(\.groupID))
    }.arranged(by: rows.products)
    try variants.finish()
    try tags.finish()
    try ingredients.finish()
    try groups.finish()
  }

  /// Variants in the order of their ids.
  private static func variants(_ rows: MenuRows) throws -> [Placed<Variant>] {
    var tiers = Children(rows.priceTiers)
    var nutrition = Children(rows.nutrition)
    let variants = rows.variants.map { row in
      Placed(
        parent: row.productID, position: row.position,
        value: Variant(
          id: row.id, code: row.code, size: row.size, dough: row.dough, weight: row.weight,
          price: row.price,
          priceTiers: tiers.next(of: row.id).map { PriceTier(name: $0.name, price: $0.price) },
          image: row.image,
          nutrition: nutrition.next(of: row.id).first.map {
            Nutrition(per100g: $0.per100g, whole: $0.whole)
          }))
    }
    try tiers.finish()
    try nutrition.finish()
    return variants
  }
}

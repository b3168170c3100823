import BackendKit
import MenuModel

/// The rows of products and of everything that belongs to them.
struct ProductRows: Hashable, Sendable {
  var rows: [ProductRow] = []
  var categories: [ProductCategoryRow] = []
  var hours: [ProductHoursRow] = []
  var allergens: [ProductAllergenRow] = []
  var tags: [ProductTagRow] = []
  var ingredients: [ProductIngredientRow] = []
  var modifierGroups: [ProductModifierGroupRow] = []
  var variants: [VariantRow] = []
  var priceTiers: [PriceTierRow] = []
  var nutrition: [NutritionRow] = []
}

extension ProductRows {
  init(_ all: [Product]) {
    for index in all.indices(by: \.id) { add(all[index], at: index) }
    // The table of variants is in the order of the variants' own ids.
    let placed = all.flatMap { product in
      product.variants.enumerated().map {
        Placed(parent: product.id, position: $0.offset, value: $0.element)
      }
    }
    for index in placed.indices(by: \.value.id) {
      add(placed[index].value, of: placed[index].parent, at: placed[index].position)
    }
  }

  private mutating func add(_ product: Product, at index: Int) {
    rows.append(
      ProductRow(
        id: product.id, position: index, code: product.code, categoryID: product.categoryID,
        kind: product.kind.rawValue, name: product.name, details: product.details,
        availability: product.availability.rawValue))
    for (position, category) in product.otherCategoryIDs.enumerated() {
      categories.append(
        ProductCategoryRow(parent: product.id, position: position, categoryID: category))
    }
    for (position, hours) in product.hours.enumerated() {
      self.hours.append(
        ProductHoursRow(
          parent: product.id, position: position, days: hours.days, from: hours.from,
          until: hours.until))
    }
    for (position, allergen) in product.allergens.enumerated() {
      allergens.append(
        ProductAllergenRow(
          parent: product.id, position: position, allergen: allergen.rawValue))
    }
    for (position, tag) in product.tags.enumerated() {
      tags.append(ProductTagRow(parent: product.id, position: position, tag: tag))
    }
    for (position, ingredient) in product.ingredients.enumerated() {
      ingredients.append(
        ProductIngredientRow(
          parent: product.id, position: position, ingredientID: ingredient.ingredientID,
          isRemovable: ingredient.isRemovable))
    }
    for (position, group) in product.modifierGroupIDs.enumerated() {
      modifierGroups.append(
        ProductModifierGroupRow(parent: product.id, position: position, groupID: group))
    }
  }

  private mutating func add(_ variant: Variant, of product: Int, at position: Int) {
    variants.append(
      VariantRow(
        id: variant.id, productID: product, position: position, code: variant.code,
        size: variant.size, dough: variant.dough, weight: variant.weight, price: variant.price,
        image: variant.image))
    for (position, tier) in variant.priceTiers.enumerated() {
      priceTiers.append(
        PriceTierRow(
          parent: variant.id, position: position, name: tier.name, price: tier.price,
          orderType: tier.orderType?.rawValue))
    }
    if let facts = variant.nutrition {
      nutrition.append(
        NutritionRow(parent: variant.id, per100g: facts.per100g, whole: facts.whole))
    }
  }

  /// Builds the products in the order of the menu. Throws ``StoreError`` if rows contradict each other.
  func products() throws -> [Product] {
    var variants = Children(try placedVariants().grouped())
    var categories = Children(categories)
    var hours = Children(hours)
    var allergens = Children(allergens)
    var tags = Children(tags)
    var ingredients = Children(ingredients)
    var groups = Children(modifierGroups)
    let products = try rows.map { row in
      Product(
        id: row.id, code: row.code, categoryID: row.categoryID,
        otherCategoryIDs: categories.next(of: row.id).map(\.categoryID),
        kind: try value(row.kind), name: row.name, details: row.details,
        tags: tags.next(of: row.id).map(\.tag), availability: try value(row.availability),
        hours: hours.next(of: row.id).map {
          ServingHours(days: $0.days, from: $0.from, until: $0.until)
        },
        allergens: try allergens.next(of: row.id).map { try value($0.allergen) },
        variants: variants.next(of: row.id).map(\.value),
        ingredients: ingredients.next(of: row.id).map {
          ProductIngredient(ingredientID: $0.ingredientID, isRemovable: $0.isRemovable)
        },
        modifierGroupIDs: groups.next(of: row.id).map(\.groupID))
    }.arranged(by: rows)
    try variants.finish()
    try categories.finish()
    try hours.finish()
    try allergens.finish()
    try tags.finish()
    try ingredients.finish()
    try groups.finish()
    return products
  }

  /// Builds the variants in the order of their ids.
  private func placedVariants() throws -> [Placed<Variant>] {
    var tiers = Children(priceTiers)
    var nutrition = Children(nutrition)
    let placed = try variants.map { row in
      Placed(
        parent: row.productID, position: row.position,
        value: Variant(
          id: row.id, code: row.code, size: row.size, dough: row.dough, weight: row.weight,
          price: row.price,
          priceTiers: try tiers.next(of: row.id).map {
            PriceTier(
              name: $0.name, price: $0.price, orderType: try $0.orderType.map { try value($0) })
          },
          image: row.image,
          nutrition: nutrition.next(of: row.id).first.map {
            Nutrition(per100g: $0.per100g, whole: $0.whole)
          }))
    }
    try tiers.finish()
    try nutrition.finish()
    return placed
  }
}

/// A product without its lists.
///
/// One index finds the products of a category in the menu's order. The other contains the name keys
/// in the order of results, so a search reads only the index.
struct ProductRow: TableRow, Positioned {
  static let table = Table(
    "product", columns: columns, key: ["id"],
    indexes: ["category_id, position", "name_key(name), id"])

  var id = 0
  var position = 0
  var code: String?
  var categoryID = 0
  var kind = ""
  var name = ""
  var details = ""
  var availability = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.reference("category_id", &categoryID, to: "category")
    try visitor.field("kind", &kind)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("availability", &availability)
  }
}

/// A further category of a product. The index finds the products of such a category.
struct ProductCategoryRow: TableRow, ChildRow {
  static let table = Table(
    "product_category", columns: columns, key: ["product_id", "position"],
    indexes: ["category_id"])

  var parent = 0
  var position = 0
  var categoryID = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("category_id", &categoryID, to: "category")
  }
}

/// Hours at which a product can be ordered.
struct ProductHoursRow: TableRow, ChildRow {
  static let table = Table("product_hours", columns: columns, key: ["product_id", "position"])

  var parent = 0
  var position = 0
  var days = 0
  var from = 0
  var until = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.field("days", &days)
    try visitor.field("from_minute", &from)
    try visitor.field("until_minute", &until)
  }
}

struct ProductAllergenRow: TableRow, ChildRow {
  static let table = Table("product_allergen", columns: columns, key: ["product_id", "position"])

  var parent = 0
  var position = 0
  var allergen = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.field("allergen", &allergen)
  }
}

struct ProductTagRow: TableRow, ChildRow {
  static let table = Table("product_tag", columns: columns, key: ["product_id", "position"])

  var parent = 0
  var position = 0
  var tag = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.field("tag", &tag)
  }
}

struct ProductIngredientRow: TableRow, ChildRow {
  static let table = Table("product_ingredient", columns: columns, key: ["product_id", "position"])

  var parent = 0
  var position = 0
  var ingredientID = 0
  var isRemovable = false

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("ingredient_id", &ingredientID, to: "ingredient")
    try visitor.field("is_removable", &isRemovable)
  }
}

struct ProductModifierGroupRow: TableRow, ChildRow {
  static let table = Table(
    "product_modifier_group", columns: columns, key: ["product_id", "position"])

  var parent = 0
  var position = 0
  var groupID = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("product_id", &parent, to: "product")
    try visitor.field("position", &position)
    try visitor.reference("group_id", &groupID, to: "modifier_group")
  }
}

/// A variant of a product without its price tiers and nutrition.
///
/// The index finds the variants of one product, which the key cannot. Each write adds one entry per
/// variant. Reading the whole menu costs nothing more. With the index of ``SlotRow`` it takes 30 of
/// the 1,215 pages of the preset `huge` and 5 % of the time of its INSERTs.
struct VariantRow: TableRow {
  static let table = Table("variant", columns: columns, key: ["id"], indexes: ["product_id"])

  var id = 0
  var productID = 0
  var position = 0
  var code: String?
  var size = ""
  var dough: String?
  var weight: Int?
  var price = 0
  var image = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.field("size", &size)
    try visitor.field("dough", &dough)
    try visitor.field("weight", &weight)
    try visitor.field("price", &price)
    try visitor.field("image", &image)
  }
}

struct PriceTierRow: TableRow, ChildRow {
  static let table = Table("price_tier", columns: columns, key: ["variant_id", "position"])

  var parent = 0
  var position = 0
  var name = ""
  var price = 0
  var orderType: String?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("variant_id", &parent, to: "variant")
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("price", &price)
    try visitor.field("order_type", &orderType)
  }
}

/// The nutrition of a variant, if it is known.
struct NutritionRow: TableRow, ChildRow {
  static let table = Table("nutrition", columns: columns, key: ["variant_id"])

  var parent = 0
  var per100g = NutritionFacts.zero
  var whole = NutritionFacts.zero

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference("variant_id", &parent, to: "variant")
    try visitor.field("energy_per_100g", &per100g.energy)
    try visitor.field("proteins_per_100g", &per100g.proteins)
    try visitor.field("fats_per_100g", &per100g.fats)
    try visitor.field("carbohydrates_per_100g", &per100g.carbohydrates)
    try visitor.field("energy", &whole.energy)
    try visitor.field("proteins", &whole.proteins)
    try visitor.field("fats", &whole.fats)
    try visitor.field("carbohydrates", &whole.carbohydrates)
  }
}

extension NutritionFacts {
  fileprivate static var zero: Self {
    Self(energy: 0, proteins: 0, fats: 0, carbohydrates: 0)
  }
}

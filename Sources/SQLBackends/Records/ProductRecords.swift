import BackendKit
import GRDB
import MenuModel

/// A product without its lists and variants.
struct ProductRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "product"
  static let categories = hasMany(ProductCategoryRecord.self, key: "categories").ordered()
  static let hours = hasMany(ProductHoursRecord.self, key: "hours").ordered()
  static let allergens = hasMany(ProductAllergenRecord.self, key: "allergens").ordered()
  static let tags = hasMany(ProductTagRecord.self, key: "tags").ordered()
  static let ingredients = hasMany(ProductIngredientRecord.self, key: "ingredients").ordered()
  static let modifierGroups =
    hasMany(ProductModifierGroupRecord.self, key: "modifierGroups").ordered()
  static let variants = hasMany(VariantRecord.self, key: "variants").ordered()

  var id: Int
  var position: Int
  var code: String?
  var categoryId: Int
  var kind: Product.Kind
  var name: String
  var details: String
  var availability: Product.Availability

  /// Defines the columns of the first migration. Later migrations add others.
  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.required(.integer, "position")
    t.belongsTo("category", indexed: false).notNull()
    t.required(.text, "availability")
    t.column("label", .text).notNull().defaults(to: "")
  }

  /// Requests the products of a category, which may be their first category or a further one.
  static func shown(by category: Int) -> QueryInterfaceRequest<ProductRecord> {
    let further = ProductCategoryRecord.filter(GRDB.Column("categoryId") == category)
      .select(GRDB.Column("productId"))
    return filter(
      GRDB.Column("categoryId") == category || further.contains(GRDB.Column(CodingKeys.id)))
  }
}

/// A further category of a product.
struct ProductCategoryRecord: ListRecord {
  static let databaseTableName = "productCategory"
  static let owner = "product"

  var productId: Int
  var position: Int
  var categoryId: Int

  static func define(_ t: TableDefinition) { t.belongsTo("category").notNull() }
}

/// Hours at which a product can be ordered.
struct ProductHoursRecord: ListRecord {
  static let databaseTableName = "productHours"
  static let owner = "product"

  var productId: Int
  var position: Int
  var days: Int
  var fromMinute: Int
  var untilMinute: Int

  static func define(_ t: TableDefinition) {
    t.required(.integer, "days", "fromMinute", "untilMinute")
  }
}

struct ProductAllergenRecord: ListRecord {
  static let databaseTableName = "productAllergen"
  static let owner = "product"

  var productId: Int
  var position: Int
  var allergen: Allergen

  static func define(_ t: TableDefinition) { t.required(.text, "allergen") }
}

struct ProductTagRecord: ListRecord {
  static let databaseTableName = "productTag"
  static let owner = "product"

  var productId: Int
  var position: Int
  var tag: String

  static func define(_ t: TableDefinition) { t.required(.text, "tag") }
}

struct ProductIngredientRecord: ListRecord {
  static let databaseTableName = "productIngredient"
  static let owner = "product"

  var productId: Int
  var position: Int
  var ingredientId: Int
  var isRemovable: Bool

  static func define(_ t: TableDefinition) {
    t.belongsTo("ingredient", indexed: false).notNull()
    t.required(.integer, "isRemovable")
  }
}

struct ProductModifierGroupRecord: ListRecord {
  static let databaseTableName = "productModifierGroup"
  static let owner = "product"

  var productId: Int
  var position: Int
  var modifierGroupId: Int

  static func define(_ t: TableDefinition) {
    t.belongsTo("modifierGroup", indexed: false).notNull()
  }
}

/// A variant of a product without its price tiers and nutrition.
struct VariantRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "variant"
  static let priceTiers = hasMany(PriceTierRecord.self, key: "priceTiers").ordered()
  static let nutrition = hasOne(NutritionRecord.self, key: "nutrition")

  var id: Int
  var productId: Int
  var position: Int
  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String

  static func define(_ t: TableDefinition) {
    t.primaryKey("id", .integer)
    t.belongsTo("product").notNull()
    t.required(.integer, "position")
    t.column("code", .text)
    t.required(.text, "size")
    t.column("dough", .text)
    t.column("weight", .integer)
    t.required(.text, "image")
    t.column("amount", .real).notNull().defaults(to: 0)
  }
}

/// A further price of a variant.
struct PriceTierRecord: ListRecord {
  static let databaseTableName = "priceTier"
  static let owner = "variant"

  var variantId: Int
  var position: Int
  var name: String
  var price: Int
  var orderType: OrderType?

  static func define(_ t: TableDefinition) {
    t.required(.text, "name")
    t.required(.integer, "price")
  }
}

/// The nutrition of a variant, per 100 g and as a whole.
struct NutritionRecord: StoredRecord {
  static let databaseTableName = "nutrition"

  var variantId: Int
  var partEnergy: Double
  var partProteins: Double
  var partFats: Double
  var partCarbohydrates: Double
  var wholeEnergy: Double
  var wholeProteins: Double
  var wholeFats: Double
  var wholeCarbohydrates: Double

  static func define(_ t: TableDefinition) {
    t.primaryKey { t.belongsTo("variant") }
    for fact in ["Energy", "Proteins", "Fats", "Carbohydrates"] {
      t.required(.any, "part" + fact, "whole" + fact)
    }
  }
}

extension NutritionRecord {
  init(_ nutrition: Nutrition, of variant: Int) {
    let (part, whole) = (nutrition.per100g, nutrition.whole)
    self.init(
      variantId: variant, partEnergy: part.energy, partProteins: part.proteins,
      partFats: part.fats, partCarbohydrates: part.carbohydrates, wholeEnergy: whole.energy,
      wholeProteins: whole.proteins, wholeFats: whole.fats,
      wholeCarbohydrates: whole.carbohydrates)
  }

  var nutrition: Nutrition {
    Nutrition(
      per100g: NutritionFacts(
        energy: partEnergy, proteins: partProteins, fats: partFats,
        carbohydrates: partCarbohydrates),
      whole: NutritionFacts(
        energy: wholeEnergy, proteins: wholeProteins, fats: wholeFats,
        carbohydrates: wholeCarbohydrates))
  }
}

/// A product with everything that belongs to it, fetched by one request.
struct ProductInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var product: ProductRecord
  var categories: [ProductCategoryRecord]
  var hours: [ProductHoursRecord]
  var allergens: [ProductAllergenRecord]
  var tags: [ProductTagRecord]
  var ingredients: [ProductIngredientRecord]
  var modifierGroups: [ProductModifierGroupRecord]
  var variants: [VariantInfo]

  /// Requests products in the order of the menu.
  static func request(
    _ products: QueryInterfaceRequest<ProductRecord> = ProductRecord.all()
  ) -> QueryInterfaceRequest<ProductInfo> {
    products.ordered()
      .including(all: ProductRecord.categories)
      .including(all: ProductRecord.hours)
      .including(all: ProductRecord.allergens)
      .including(all: ProductRecord.tags)
      .including(all: ProductRecord.ingredients)
      .including(all: ProductRecord.modifierGroups)
      .including(
        all: ProductRecord.variants
          .including(all: VariantRecord.priceTiers)
          .including(optional: VariantRecord.nutrition)
      )
      .asRequest(of: ProductInfo.self)
  }
}

extension ProductInfo {
  init(_ product: Product, at position: Int) {
    let id = product.id
    self.product = ProductRecord(
      id: id, position: position, code: product.code?.stored, categoryId: product.categoryID,
      kind: product.kind, name: product.name.stored, details: product.details.stored,
      availability: product.availability)
    categories = product.otherCategoryIDs.enumerated().map {
      ProductCategoryRecord(productId: id, position: $0, categoryId: $1)
    }
    hours = product.hours.enumerated().map {
      ProductHoursRecord(
        productId: id, position: $0, days: $1.days, fromMinute: $1.from, untilMinute: $1.until)
    }
    allergens = product.allergens.enumerated().map {
      ProductAllergenRecord(productId: id, position: $0, allergen: $1)
    }
    tags = product.tags.enumerated().map {
      ProductTagRecord(productId: id, position: $0, tag: $1.stored)
    }
    ingredients = product.ingredients.enumerated().map {
      ProductIngredientRecord(
        productId: id, position: $0, ingredientId: $1.ingredientID, isRemovable: $1.isRemovable)
    }
    modifierGroups = product.modifierGroupIDs.enumerated().map {
      ProductModifierGroupRecord(productId: id, position: $0, modifierGroupId: $1)
    }
    variants = product.variants.enumerated().map { VariantInfo($1, of: id, at: $0) }
  }

  func whole() throws -> Product {
    Product(
      id: product.id, code: try product.code?.restored(), categoryID: product.categoryId,
      otherCategoryIDs: categories.map(\.categoryId), kind: product.kind,
      name: try product.name.restored(),
      details: try product.details.restored(), tags: try tags.map { try $0.tag.restored() },
      availability: product.availability,
      hours: hours.map { ServingHours(days: $0.days, from: $0.fromMinute, until: $0.untilMinute) },
      allergens: allergens.map(\.allergen), variants: try variants.map { try $0.whole() },
      ingredients: ingredients.map {
        ProductIngredient(ingredientID: $0.ingredientId, isRemovable: $0.isRemovable)
      },
      modifierGroupIDs: modifierGroups.map(\.modifierGroupId))
  }

  func put(into sink: inout some RecordSink) throws {
    try sink.take(product)
    for category in categories { try sink.take(category) }
    for hours in hours { try sink.take(hours) }
    for allergen in allergens { try sink.take(allergen) }
    for tag in tags { try sink.take(tag) }
    for ingredient in ingredients { try sink.take(ingredient) }
    for group in modifierGroups { try sink.take(group) }
    for variant in variants { try variant.put(into: &sink) }
  }
}

/// The columns of a product that a list shows, with those of its variants.
struct ProductCard: Decodable, FetchableRecord {
  var id: Int
  var name: String
  var details: String
  var variants: [VariantCard]

  struct VariantCard: Decodable, FetchableRecord {
    var price: Int
    var image: String
  }

  /// Requests products in the order of the menu.
  static func request(
    _ products: QueryInterfaceRequest<ProductRecord>
  ) -> QueryInterfaceRequest<ProductCard> {
    products.ordered()
      .select(GRDB.Column("id"), GRDB.Column("name"), GRDB.Column("details"))
      .including(
        all: ProductRecord.variants.select(GRDB.Column("price"), GRDB.Column("image"))
      )
      .asRequest(of: ProductCard.self)
  }

  func card() throws -> FirstScreen.Card {
    FirstScreen.Card(
      id: id, name: try name.restored(), details: try details.restored(),
      price: variants.map(\.price).min(), image: try variants.first?.image.restored())
  }
}

/// A variant with its price tiers and nutrition.
struct VariantInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var variant: VariantRecord
  var priceTiers: [PriceTierRecord]
  var nutrition: NutritionRecord?
}

extension VariantInfo {
  init(_ variant: Variant, of product: Int, at position: Int) {
    self.variant = VariantRecord(
      id: variant.id, productId: product, position: position, code: variant.code?.stored,
      size: variant.size.stored, dough: variant.dough?.stored, weight: variant.weight,
      price: variant.price, image: variant.image.stored)
    priceTiers = variant.priceTiers.enumerated().map {
      PriceTierRecord(
        variantId: variant.id, position: $0, name: $1.name.stored, price: $1.price,
        orderType: $1.orderType)
    }
    nutrition = variant.nutrition.map { NutritionRecord($0, of: variant.id) }
  }

  func whole() throws -> Variant {
    Variant(
      id: variant.id, code: try variant.code?.restored(), size: try variant.size.restored(),
      dough: try variant.dough?.restored(), weight: variant.weight, price: variant.price,
      priceTiers: try priceTiers.map {
        PriceTier(name: try $0.name.restored(), price: $0.price, orderType: $0.orderType)
      },
      image: try variant.image.restored(), nutrition: nutrition?.nutrition)
  }

  func put(into sink: inout some RecordSink) throws {
    try sink.take(variant)
    for tier in priceTiers { try sink.take(tier) }
    if let nutrition { try sink.take(nutrition) }
  }
}

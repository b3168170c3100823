/// The root of the graph: the menu without what it lists.
struct MenuObject: StoredObject {
  typealias Owner = Self

  var revision: Int
  var locale: String
  var currency: String
  var city: String

  static let entity = "menu"
  static let columns: [Column] = [
    .integer("revision"), .text("locale"), .text("currency"), .text("city"),
  ]
  static let relations = [
    ToMany(MenuCategories.self), ToMany(MenuIngredients.self), ToMany(MenuModifierGroups.self),
    ToMany(MenuProducts.self), ToMany(MenuOptionLists.self), ToMany(MenuCombos.self),
    ToMany(MenuStopList.self), ToMany(MenuTranslations.self),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.menus }
}

extension MenuObject {
  func put(into sink: inout some ValueSink) {
    sink.put(revision)
    sink.put(locale)
    sink.put(currency)
    sink.put(city)
  }

  init(from row: inout RowReader) throws {
    revision = row.int()
    locale = try row.text()
    currency = try row.text()
    city = try row.text()
  }
}

/// A shelf, with a link to the one that it stands in.
struct CategoryObject: StoredObject {
  typealias Owner = MenuObject

  var parent: Key<CategoryObject>?
  var name: String

  static let entity = "category"
  static let columns: [Column] = [.optionalInteger("parent"), .text("name")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.categories }
}

extension CategoryObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&parent) }

  func put(into sink: inout some ValueSink) {
    sink.put(parent)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    parent = Key(row.optionalInt())
    name = try row.text()
  }
}

/// What products are made of.
struct IngredientObject: StoredObject {
  typealias Owner = MenuObject

  var code: String?
  var name: String

  static let entity = "ingredient"
  static let columns: [Column] = [.optionalText("code"), .text("name")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.ingredients }
}

extension IngredientObject {
  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    name = try row.text()
  }
}

/// A product of the menu, or a copy of one that an option embeds.
struct ProductObject: StoredObject {
  /// None where it is the menu's own.
  typealias Owner = SlotOptionObject

  var code: String?
  var category: Key<CategoryObject>
  var kind: String
  var name: String
  var details: String
  var availability: String

  static let entity = "product"
  static let columns: [Column] = [
    .optionalText("code"), .integer("category"), .text("kind"), .text("name"), .text("details"),
    .text("availability"),
  ]
  static let relations = [
    ToMany(ProductTags.self), ToMany(ProductVariants.self), ToMany(ProductParts.self),
    ToMany(ProductModifierGroups.self),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.products }
}

extension ProductObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&category) }

  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(category)
    sink.put(kind)
    sink.put(name)
    sink.put(details)
    sink.put(availability)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    category = Key(row.int())
    kind = try row.text()
    name = try row.text()
    details = try row.text()
    availability = try row.text()
  }
}

/// A label of a product.
struct TagObject: StoredObject {
  typealias Owner = ProductObject

  var text: String

  static let entity = "tag"
  static let columns: [Column] = [.text("text")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.tags }
}

extension TagObject {
  func put(into sink: inout some ValueSink) { sink.put(text) }

  init(from row: inout RowReader) throws { text = try row.text() }
}

/// An ingredient of a product.
struct ProductIngredientObject: StoredObject {
  typealias Owner = ProductObject

  var ingredient: Key<IngredientObject>
  var isRemovable: Bool

  static let entity = "product_ingredient"
  static let columns: [Column] = [.integer("ingredient"), .integer("is_removable")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> {
    \.productIngredients
  }
}

extension ProductIngredientObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&ingredient) }

  func put(into sink: inout some ValueSink) {
    sink.put(ingredient)
    sink.put(isRemovable)
  }

  init(from row: inout RowReader) throws {
    ingredient = Key(row.int())
    isRemovable = try row.bool()
  }
}

/// One size and dough of a product.
struct VariantObject: StoredObject {
  typealias Owner = ProductObject

  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String
  var nutrition: Key<NutritionObject>?

  static let entity = "variant"
  static let columns: [Column] = [
    .optionalText("code"), .text("size"), .optionalText("dough"), .optionalInteger("weight"),
    .integer("price"), .text("image"), .optionalInteger("nutrition"),
  ]
  static let relations = [ToMany(VariantPriceTiers.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.variants }
}

extension VariantObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.owned(&nutrition) }

  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(size)
    sink.put(dough)
    sink.put(weight)
    sink.put(price)
    sink.put(image)
    sink.put(nutrition)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    size = try row.text()
    dough = try row.optionalText()
    weight = row.optionalInt()
    price = row.int()
    image = try row.text()
    nutrition = Key(row.optionalInt())
  }
}

/// A named price beside a variant's usual one.
struct PriceTierObject: StoredObject {
  typealias Owner = VariantObject

  var name: String
  var price: Int

  static let entity = "price_tier"
  static let columns: [Column] = [.text("name"), .integer("price")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.priceTiers }
}

extension PriceTierObject {
  func put(into sink: inout some ValueSink) {
    sink.put(name)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    name = try row.text()
    price = row.int()
  }
}

/// The nutrition of a variant.
struct NutritionObject: StoredObject {
  typealias Owner = VariantObject

  var per100g: Key<NutritionFactsObject>
  var whole: Key<NutritionFactsObject>

  static let entity = "nutrition"
  static let columns: [Column] = [.integer("per_100g"), .integer("whole")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.nutrition }
}

extension NutritionObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {
    visitor.owned(&per100g)
    visitor.owned(&whole)
  }

  func put(into sink: inout some ValueSink) {
    sink.put(per100g)
    sink.put(whole)
  }

  init(from row: inout RowReader) throws {
    per100g = Key(row.int())
    whole = Key(row.int())
  }
}

/// Energy and the rest.
struct NutritionFactsObject: StoredObject {
  typealias Owner = NutritionObject

  var energy: Double
  var proteins: Double
  var fats: Double
  var carbohydrates: Double

  static let entity = "nutrition_facts"
  static let columns: [Column] = [
    .real("energy"), .real("proteins"), .real("fats"), .real("carbohydrates"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.nutritionFacts }
}

extension NutritionFactsObject {
  func put(into sink: inout some ValueSink) {
    sink.put(energy)
    sink.put(proteins)
    sink.put(fats)
    sink.put(carbohydrates)
  }

  init(from row: inout RowReader) throws {
    energy = try row.double()
    proteins = try row.double()
    fats = try row.double()
    carbohydrates = try row.double()
  }
}

import MenuModel

/// A product without its lists.
struct ProductRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var categoryID: Int
  var kind: String
  var name: String
  var details: String
  var availability: String

  static let table = Table(
    "product",
    columns: [
      .integer("id"), .integer("position"), .optionalText("code"),
      .integer("category_id").references("category"), .text("kind"), .text("name"),
      .text("details"), .text("availability"),
    ], key: ["id"])
}

extension ProductRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(categoryID)
    sink.put(kind)
    sink.put(name)
    sink.put(details)
    sink.put(availability)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    categoryID = row.int()
    kind = try row.text()
    name = try row.text()
    details = try row.text()
    availability = try row.text()
  }
}

/// A tag of a product.
struct ProductTagRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var tag: String

  var parent: Int { productID }

  static let table = Table(
    "product_tag",
    columns: [
      .integer("product_id").references("product"), .integer("position"), .text("tag"),
    ], key: ["product_id", "position"])
}

extension ProductTagRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(tag)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    tag = try row.text()
  }
}

/// An ingredient of a product.
struct ProductIngredientRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var ingredientID: Int
  var isRemovable: Bool

  var parent: Int { productID }

  static let table = Table(
    "product_ingredient",
    columns: [
      .integer("product_id").references("product"), .integer("position"),
      .integer("ingredient_id").references("ingredient"), .integer("is_removable"),
    ], key: ["product_id", "position"])
}

extension ProductIngredientRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(ingredientID)
    sink.put(isRemovable)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    ingredientID = row.int()
    isRemovable = try row.bool()
  }
}

/// A modifier group that applies to a product.
struct ProductModifierGroupRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var groupID: Int

  var parent: Int { productID }

  static let table = Table(
    "product_modifier_group",
    columns: [
      .integer("product_id").references("product"), .integer("position"),
      .integer("group_id").references("modifier_group"),
    ], key: ["product_id", "position"])
}

extension ProductModifierGroupRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(groupID)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    groupID = row.int()
  }
}

/// A variant of a product without its price tiers and nutrition.
///
/// The index finds the variants of one product, which the key can't. It costs every write an entry a
/// variant, and a read of the whole menu nothing: with that of ``SlotRow``, 30 of the 1,215 pages of
/// the preset `huge` and a twentieth of the time of its INSERTs.
struct VariantRow: TableRow {
  var id: Int
  var productID: Int
  var position: Int
  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String

  static let table = Table(
    "variant",
    columns: [
      .integer("id"), .integer("product_id").references("product"), .integer("position"),
      .optionalText("code"), .text("size"), .optionalText("dough"), .optionalInteger("weight"),
      .integer("price"), .text("image"),
    ], key: ["id"], indexes: ["product_id"])
}

extension VariantRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(productID)
    sink.put(position)
    sink.put(code)
    sink.put(size)
    sink.put(dough)
    sink.put(weight)
    sink.put(price)
    sink.put(image)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    productID = row.int()
    position = row.int()
    code = try row.optionalText()
    size = try row.text()
    dough = try row.optionalText()
    weight = row.optionalInt()
    price = row.int()
    image = try row.text()
  }
}

/// A price tier of a variant.
struct PriceTierRow: TableRow, ChildRow {
  var variantID: Int
  var position: Int
  var name: String
  var price: Int

  var parent: Int { variantID }

  static let table = Table(
    "price_tier",
    columns: [
      .integer("variant_id").references("variant"), .integer("position"), .text("name"),
      .integer("price"),
    ], key: ["variant_id", "position"])
}

extension PriceTierRow {
  func put(into sink: inout some ValueSink) {
    sink.put(variantID)
    sink.put(position)
    sink.put(name)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    variantID = row.int()
    position = row.int()
    name = try row.text()
    price = row.int()
  }
}

/// The nutrition of a variant, where it is known.
struct NutritionRow: TableRow, ChildRow {
  var variantID: Int
  var per100g: NutritionFacts
  var whole: NutritionFacts

  var parent: Int { variantID }

  static let table = Table(
    "nutrition",
    columns: [
      .integer("variant_id").references("variant"),
      .real("energy_per_100g"), .real("proteins_per_100g"), .real("fats_per_100g"),
      .real("carbohydrates_per_100g"),
      .real("energy"), .real("proteins"), .real("fats"), .real("carbohydrates"),
    ], key: ["variant_id"])
}

extension NutritionRow {
  func put(into sink: inout some ValueSink) {
    sink.put(variantID)
    per100g.put(into: &sink)
    whole.put(into: &sink)
  }

  init(from row: inout RowReader) throws {
    variantID = row.int()
    per100g = try NutritionFacts(from: &row)
    whole = try NutritionFacts(from: &row)
  }
}

extension NutritionFacts {
  fileprivate func put(into sink: inout some ValueSink) {
    sink.put(energy)
    sink.put(proteins)
    sink.put(fats)
    sink.put(carbohydrates)
  }

  fileprivate init(from row: inout RowReader) throws {
    self.init(
      energy: try row.double(), proteins: try row.double(), fats: try row.double(),
      carbohydrates: try row.double())
  }
}

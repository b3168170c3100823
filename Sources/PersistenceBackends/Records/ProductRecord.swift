import GRDB
import MenuModel

/// A product without what belongs to it.
struct ProductRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "product"
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

  /// The columns that requests name.
  enum Columns {
    static let id = GRDB.Column(CodingKeys.id)
    static let name = GRDB.Column(CodingKeys.name)
  }
}

/// A label of a product.
struct ProductTagRecord: OrderedRecord {
  static let databaseTableName = "productTag"

  var productId: Int
  var position: Int
  var tag: String
}

/// An ingredient of a product.
struct ProductIngredientRecord: OrderedRecord {
  static let databaseTableName = "productIngredient"

  var productId: Int
  var position: Int
  var ingredientId: Int
  var isRemovable: Bool
}

/// A modifier group that applies to a product.
struct ProductModifierGroupRecord: OrderedRecord {
  static let databaseTableName = "productModifierGroup"

  var productId: Int
  var position: Int
  var modifierGroupId: Int
}

extension ProductRecord {
  init(_ product: Product, at position: Int) {
    self.init(
      id: product.id, position: position, code: product.code?.stored,
      categoryId: product.categoryID, kind: product.kind, name: product.name.stored,
      details: product.details.stored, availability: product.availability)
  }
}

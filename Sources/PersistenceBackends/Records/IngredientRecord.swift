import GRDB
import MenuModel

/// An ingredient.
struct IngredientRecord: OrderedRecord {
  static let databaseTableName = "ingredient"

  var id: Int
  var position: Int
  var code: String?
  var name: String
}

extension IngredientRecord {
  init(_ ingredient: Ingredient, at position: Int) {
    self.init(
      id: ingredient.id, position: position, code: ingredient.code?.stored,
      name: ingredient.name.stored)
  }

  /// The ingredient.
  func ingredient() throws -> Ingredient {
    Ingredient(id: id, code: try code?.restored(), name: try name.restored())
  }
}

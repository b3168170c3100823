import GRDB

/// A modifier group without its options.
struct ModifierGroupRecord: OrderedRecord {
  static let databaseTableName = "modifierGroup"
  static let options = hasMany(ModifierOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool
}

/// An option of a modifier group without its prices.
struct ModifierOptionRecord: OrderedRecord {
  static let databaseTableName = "modifierOption"
  static let prices = hasMany(ModifierPriceRecord.self, key: "prices").ordered()

  var modifierGroupId: Int
  var position: Int
  var ingredientId: Int
}

/// The price of a modifier option for one size.
struct ModifierPriceRecord: OrderedRecord {
  static let databaseTableName = "modifierPrice"

  var modifierGroupId: Int
  var optionPosition: Int
  var position: Int
  var size: String
  var price: Int
}

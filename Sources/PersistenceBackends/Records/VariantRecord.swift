import GRDB
import MenuModel

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
}

/// A further price of a variant.
struct PriceTierRecord: OrderedRecord {
  static let databaseTableName = "priceTier"

  var variantId: Int
  var position: Int
  var name: String
  var price: Int
}

/// Nutrition of a variant, in 100 g and as a whole.
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
}

extension VariantRecord {
  init(_ variant: Variant, of product: Int, at position: Int) {
    self.init(
      id: variant.id, productId: product, position: position, code: variant.code?.stored,
      size: variant.size.stored, dough: variant.dough?.stored, weight: variant.weight,
      price: variant.price, image: variant.image.stored)
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

  /// The facts.
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

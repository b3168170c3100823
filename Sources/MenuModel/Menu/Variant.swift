/// One size and dough of a product, with its price.
public struct Variant: Codable, Hashable, Sendable {
  /// Unique among the variants of the whole menu.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The size shown: `30 cm`, `0.5 l`.
  public var size: String
  /// The dough, where there is a choice.
  public var dough: String?
  /// Weight in grams, where known.
  public var weight: Int?
  /// Price in minor units.
  public var price: Int
  /// Further prices: by number of toppings, by kind of delivery.
  public var priceTiers: [PriceTier]
  /// The picture's address or code.
  public var image: String
  /// Nutrition, where known.
  public var nutrition: Nutrition?

  /// Makes a variant.
  public init(
    id: Int, code: String? = nil, size: String, dough: String? = nil, weight: Int? = nil,
    price: Int, priceTiers: [PriceTier] = [], image: String, nutrition: Nutrition? = nil
  ) {
    self.id = id
    self.code = code
    self.size = size
    self.dough = dough
    self.weight = weight
    self.price = price
    self.priceTiers = priceTiers
    self.image = image
    self.nutrition = nutrition
  }
}

/// A named price beside a variant's usual one.
public struct PriceTier: Codable, Hashable, Sendable {
  /// When it applies: `Price1-3`.
  public var name: String
  /// Price in minor units.
  public var price: Int

  /// Makes a tier.
  public init(name: String, price: Int) {
    self.name = name
    self.price = price
  }
}

/// Nutrition of a variant.
public struct Nutrition: Codable, Hashable, Sendable {
  /// In 100 g.
  public var per100g: NutritionFacts
  /// In the whole variant.
  public var whole: NutritionFacts

  /// Makes a pair of facts.
  public init(per100g: NutritionFacts, whole: NutritionFacts) {
    self.per100g = per100g
    self.whole = whole
  }
}

/// Energy in kilocalories and the rest in grams.
public struct NutritionFacts: Codable, Hashable, Sendable {
  /// Kilocalories.
  public var energy: Double
  /// Grams of protein.
  public var proteins: Double
  /// Grams of fat.
  public var fats: Double
  /// Grams of carbohydrates.
  public var carbohydrates: Double

  /// Makes facts.
  public init(energy: Double, proteins: Double, fats: Double, carbohydrates: Double) {
    self.energy = energy
    self.proteins = proteins
    self.fats = fats
    self.carbohydrates = carbohydrates
  }
}

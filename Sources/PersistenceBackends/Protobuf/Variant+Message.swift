import MenuModel

extension PBVariant {
  init(_ variant: Variant) {
    self.init()
    id = Int64(variant.id)
    if let code = variant.code { self.code = code }
    size = variant.size
    if let dough = variant.dough { self.dough = dough }
    if let weight = variant.weight { self.weight = Int64(weight) }
    price = Int64(variant.price)
    priceTiers = variant.priceTiers.map { PBPriceTier($0) }
    image = variant.image
    if let nutrition = variant.nutrition { self.nutrition = PBNutrition(nutrition) }
  }
}

extension Variant {
  init(_ message: PBVariant) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, size: message.size,
      dough: message.hasDough ? message.dough : nil,
      weight: message.hasWeight ? Int(message.weight) : nil, price: Int(message.price),
      priceTiers: try message.priceTiers.map { try PriceTier($0) }, image: message.image,
      nutrition: message.hasNutrition ? try Nutrition(message.nutrition, of: message.id) : nil)
  }
}

extension PBPriceTier {
  init(_ tier: PriceTier) {
    self.init()
    name = tier.name
    price = Int64(tier.price)
  }
}

extension PriceTier {
  init(_ message: PBPriceTier) throws {
    try message.refuseUnknownFields()
    self.init(name: message.name, price: Int(message.price))
  }
}

extension PBNutrition {
  init(_ nutrition: Nutrition) {
    self.init()
    per100G = PBNutritionFacts(nutrition.per100g)
    whole = PBNutritionFacts(nutrition.whole)
  }
}

extension Nutrition {
  init(_ message: PBNutrition, of variantID: Int64) throws {
    try message.refuseUnknownFields()
    guard message.hasPer100G, message.hasWhole else {
      throw ProtobufFailure("the nutrition of variant \(variantID) lacks facts")
    }
    self.init(
      per100g: try NutritionFacts(message.per100G), whole: try NutritionFacts(message.whole))
  }
}

extension PBNutritionFacts {
  init(_ facts: NutritionFacts) {
    self.init()
    energy = facts.energy
    proteins = facts.proteins
    fats = facts.fats
    carbohydrates = facts.carbohydrates
  }
}

extension NutritionFacts {
  init(_ message: PBNutritionFacts) throws {
    try message.refuseUnknownFields()
    self.init(
      energy: message.energy, proteins: message.proteins, fats: message.fats,
      carbohydrates: message.carbohydrates)
  }
}

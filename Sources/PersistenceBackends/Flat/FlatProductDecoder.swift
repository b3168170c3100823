import MenuModel

/// Builds the products of a file, the menu's own and the copies that differ.
struct FlatProductDecoder {
  private let image: FlatImage
  private let texts: [String]
  private var tags: FlatLists<UInt32, String>
  private var parts: FlatLists<FlatPart, ProductIngredient>
  private var groupIDs: FlatLists<Int, Int>
  private var priceTiers: FlatLists<FlatPrice, PriceTier>

  /// Every product of a file.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  static func products(of image: FlatImage, _ texts: [String]) throws -> [Product] {
    var decoder = FlatProductDecoder(image, texts)
    let records = image.products.all
    return try array(records) { try decoder.product($0, records) }
  }

  private init(_ image: FlatImage, _ texts: [String]) {
    self.image = image
    self.texts = texts
    tags = FlatLists(image.tags)
    parts = FlatLists(image.parts)
    groupIDs = FlatLists(image.groupIDs)
    priceTiers = FlatLists(image.priceTiers)
  }

  private mutating func product(
    _ record: FlatProduct, _ records: FlatRun<FlatProduct>
  ) throws -> Product {
    guard let kind = Product.Kind(code: record.kind),
      let availability = Product.Availability(code: record.availability)
    else { throw record.fault(records.offset) }
    let (image, texts) = (image, texts)
    return Product(
      id: record.id, code: try texts.optional(record.code, image), categoryID: record.categoryID,
      kind: kind, name: try texts.text(record.name, image),
      details: try texts.text(record.details, image),
      tags: try tags.list(record.tags) { try texts.text($0, image) }, availability: availability,
      variants: try array(image.variants.run(record.variants)) { try variant($0) },
      ingredients: try parts.list(record.ingredients) { part in
        ProductIngredient(ingredientID: part.ingredientID, isRemovable: part.isRemovable)
      }, modifierGroupIDs: try groupIDs.list(record.modifierGroups) { $0 })
  }

  private mutating func variant(_ record: FlatVariant) throws -> Variant {
    let (image, texts) = (image, texts)
    return Variant(
      id: record.id, code: try texts.optional(record.code, image),
      size: try texts.text(record.size, image), dough: try texts.optional(record.dough, image),
      weight: record.weight, price: record.price,
      priceTiers: try priceTiers.list(record.priceTiers) { tier in
        PriceTier(name: try texts.text(tier.text, image), price: tier.price)
      }, image: try texts.text(record.image, image), nutrition: try nutrition(record.nutrition))
  }

  private func nutrition(_ number: UInt32) throws -> Nutrition? {
    guard number != FlatFormat.none else { return nil }
    let record = try image.nutrition.record(number)
    return Nutrition(
      per100g: NutritionFacts(record.per100g), whole: NutritionFacts(record.whole))
  }
}

extension FlatProduct {
  /// What is wrong with a record whose kind or availability there is not.
  @inline(never)
  func fault(_ offset: Int) -> FlatFault {
    FlatFault(
      reason: "product \(id) is of kind \(kind) and availability \(availability)", offset: offset)
  }
}

extension NutritionFacts {
  @inline(__always)
  fileprivate init(_ facts: FlatFacts) {
    self.init(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}

import BackendKit
import MenuModel

extension PBMenu {
  /// The number of the schema that this program writes. It is also the newest that it reads.
  static let currentSchema: UInt32 = 2

  init(_ menu: Menu) {
    self.init()
    id = Int64(menu.id)
    revision = Int64(menu.revision)
    locale = menu.locale
    currency = menu.currency
    city = menu.city
    categories = menu.categories.map { PBCategory($0) }
    ingredients = menu.ingredients.map { PBIngredient($0) }
    modifierGroups = menu.modifierGroups.map { PBModifierGroup($0) }
    products = menu.products.map { PBProduct($0) }
    optionLists = menu.optionLists.map { PBOptionList($0) }
    combos = menu.combos.map { PBCombo($0) }
    stopList = menu.stopList.map { PBStopListEntry($0) }
    storeOverrides = menu.storeOverrides.map { PBStoreOverride($0) }
    translations = menu.translations.map { PBTranslation($0) }
    schema = Self.currentSchema
  }

  /// Throws unless the message has a known schema number, the last field of a complete message.
  func checkSchema() throws {
    guard schema != 0 else {
      throw ProtobufFailure(reason: "it has no schema number: it is empty, cut short or not a menu")
    }
    guard schema <= Self.currentSchema else {
      throw ProtobufFailure(
        reason:
          "its schema is \(schema), newer than \(Self.currentSchema), which this program knows")
    }
  }
}

extension Menu {
  /// Builds the menu of a message. Throws ``ProtobufFailure`` if its schema is not known.
  init(_ message: PBMenu) throws {
    try message.checkSchema()
    self.init(
      id: Int(message.id), revision: Int(message.revision), locale: message.locale,
      currency: message.currency, city: message.city,
      categories: try message.categories.map { try Category($0) },
      ingredients: try message.ingredients.map { try Ingredient($0) },
      modifierGroups: try message.modifierGroups.map { try ModifierGroup($0) },
      products: try message.products.map { try Product($0) },
      optionLists: try message.optionLists.map { try OptionList($0) },
      combos: try message.combos.map { try Combo($0) },
      stopList: try message.stopList.map { try StopListEntry($0) },
      storeOverrides: try message.storeOverrides.map { try StoreOverride($0) },
      translations: try message.translations.map { try Translation($0) })
  }
}

extension PBCategory {
  init(_ category: Category) {
    self.init()
    id = Int64(category.id)
    if let parent = category.parentID { parentID = Int64(parent) }
    name = category.name
  }
}

extension Category {
  init(_ message: PBCategory) throws {
    self.init(
      id: Int(message.id), parentID: message.hasParentID ? Int(message.parentID) : nil,
      name: message.name)
  }
}

extension PBProduct {
  init(_ product: Product) {
    self.init()
    id = Int64(product.id)
    if let code = product.code { self.code = code }
    categoryID = Int64(product.categoryID)
    otherCategoryIds = product.otherCategoryIDs.map { Int64($0) }
    kind = Kind(product.kind)
    name = product.name
    details = product.details
    tags = product.tags
    availability = Availability(product.availability)
    hours = product.hours.map { PBServingHours($0) }
    allergens = product.allergens.map { PBAllergen($0) }
    variants = product.variants.map { PBVariant($0) }
    ingredients = product.ingredients.map { PBProductIngredient($0) }
    modifierGroupIds = product.modifierGroupIDs.map { Int64($0) }
  }
}

extension Product {
  init(_ message: PBProduct) throws {
    let variants = try message.variants.map { try Variant($0) }
    let older = try message.unknown(as: PBOlderProduct.self)
    let texts =
      older.hasLabel ? Self.texts(ofLabel: older.label) : (message.name, message.details)
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil,
      categoryID: Int(message.categoryID),
      otherCategoryIDs: message.otherCategoryIds.map { Int($0) },
      kind: try message.kind == .unspecified
        ? .formerly(of: variants)
        : known(Kind(message.kind), "product \(message.id) is of kind \(message.kind.rawValue)"),
      name: texts.0, details: texts.1, tags: message.tags,
      availability: try known(
        Availability(message.availability),
        "product \(message.id) is of availability \(message.availability.rawValue)"),
      hours: message.hours.map { ServingHours($0) },
      allergens: try message.allergens.map {
        try known(Allergen($0), "product \(message.id) has an allergen \($0.rawValue)")
      },
      variants: variants,
      ingredients: try message.ingredients.map { try ProductIngredient($0) },
      modifierGroupIDs: message.modifierGroupIds.map { Int($0) })
  }
}

extension PBServingHours {
  init(_ hours: ServingHours) {
    self.init()
    days = Int64(hours.days)
    from = Int64(hours.from)
    until = Int64(hours.until)
  }
}

extension ServingHours {
  init(_ message: PBServingHours) {
    self.init(days: Int(message.days), from: Int(message.from), until: Int(message.until))
  }
}

extension PBProductIngredient {
  init(_ ingredient: ProductIngredient) {
    self.init()
    ingredientID = Int64(ingredient.ingredientID)
    isRemovable = ingredient.isRemovable
  }
}

extension ProductIngredient {
  init(_ message: PBProductIngredient) throws {
    self.init(ingredientID: Int(message.ingredientID), isRemovable: message.isRemovable)
  }
}

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
    let older = try message.unknown(as: PBOlderVariant.self)
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, size: message.size,
      dough: message.hasDough ? message.dough : nil,
      weight: message.hasWeight ? Int(message.weight) : nil,
      price: try older.hasAmount
        ? known(
          Self.price(ofAmount: older.amount), "variant \(message.id) costs \(older.amount)")
        : Int(message.price),
      priceTiers: try message.priceTiers.map { try PriceTier($0) }, image: message.image,
      nutrition: message.hasNutrition ? try Nutrition(message.nutrition, of: message.id) : nil)
  }
}

extension PBPriceTier {
  init(_ tier: PriceTier) {
    self.init()
    name = tier.name
    price = Int64(tier.price)
    if let orderType = tier.orderType { self.orderType = PBOrderType(orderType) }
  }
}

extension PriceTier {
  init(_ message: PBPriceTier) throws {
    self.init(
      name: message.name, price: Int(message.price),
      orderType: message.hasOrderType
        ? try known(
          OrderType(message.orderType), "a price is of order type \(message.orderType.rawValue)")
        : nil)
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
    guard message.hasPer100G, message.hasWhole else {
      throw ProtobufFailure(reason: "the nutrition of variant \(variantID) lacks facts")
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
    self.init(
      energy: message.energy, proteins: message.proteins, fats: message.fats,
      carbohydrates: message.carbohydrates)
  }
}

extension PBIngredient {
  init(_ ingredient: Ingredient) {
    self.init()
    id = Int64(ingredient.id)
    if let code = ingredient.code { self.code = code }
    name = ingredient.name
  }
}

extension Ingredient {
  init(_ message: PBIngredient) throws {
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, name: message.name)
  }
}

extension PBModifierGroup {
  init(_ group: ModifierGroup) {
    self.init()
    id = Int64(group.id)
    name = group.name
    min = Int64(group.min)
    max = Int64(group.max)
    free = Int64(group.free)
    isRequired = group.isRequired
    options = group.options.map { PBModifierOption($0) }
  }
}

extension ModifierGroup {
  init(_ message: PBModifierGroup) throws {
    self.init(
      id: Int(message.id), name: message.name, min: Int(message.min), max: Int(message.max),
      free: Int(message.free), isRequired: message.isRequired,
      options: try message.options.map { try ModifierOption($0) })
  }
}

extension PBModifierOption {
  init(_ option: ModifierOption) {
    self.init()
    ingredientID = Int64(option.ingredientID)
    prices = option.prices.map { PBSizePrice($0) }
    modifierGroupIds = option.modifierGroupIDs.map { Int64($0) }
  }
}

extension ModifierOption {
  init(_ message: PBModifierOption) throws {
    self.init(
      ingredientID: Int(message.ingredientID), prices: try message.prices.map { try SizePrice($0) },
      modifierGroupIDs: message.modifierGroupIds.map { Int($0) })
  }
}

extension PBSizePrice {
  init(_ price: SizePrice) {
    self.init()
    size = price.size
    self.price = Int64(price.price)
  }
}

extension SizePrice {
  init(_ message: PBSizePrice) throws {
    self.init(size: message.size, price: Int(message.price))
  }
}

extension PBCombo {
  init(_ combo: Combo) {
    self.init()
    id = Int64(combo.id)
    if let code = combo.code { self.code = code }
    name = combo.name
    details = combo.details
    if let price = combo.price { self.price = Int64(price) }
    if let oldPrice = combo.oldPrice { self.oldPrice = Int64(oldPrice) }
    image = combo.image
    slots = combo.slots.map { PBSlot($0) }
  }
}

extension Combo {
  init(_ message: PBCombo) throws {
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, name: message.name,
      details: message.details, price: message.hasPrice ? Int(message.price) : nil,
      oldPrice: message.hasOldPrice ? Int(message.oldPrice) : nil, image: message.image,
      slots: try message.slots.map { try Slot($0) })
  }
}

extension PBSlot {
  init(_ slot: Slot) {
    self.init()
    id = Int64(slot.id)
    name = slot.name
    min = Int64(slot.min)
    max = Int64(slot.max)
    if let list = slot.optionListID { optionListID = Int64(list) }
    if let options = slot.options { own.options = options.map { PBSlotOption($0) } }
    if let product = slot.defaultProductID { defaultProductID = Int64(product) }
  }
}

extension Slot {
  init(_ message: PBSlot) throws {
    self.init(
      id: Int(message.id), name: message.name, min: Int(message.min), max: Int(message.max),
      optionListID: message.hasOptionListID ? Int(message.optionListID) : nil,
      options: message.hasOwn ? try message.own.options.map { try SlotOption($0) } : nil,
      defaultProductID: message.hasDefaultProductID ? Int(message.defaultProductID) : nil)
  }
}

extension PBOptionList {
  init(_ list: OptionList) {
    self.init()
    id = Int64(list.id)
    options = list.options.map { PBSlotOption($0) }
  }
}

extension OptionList {
  init(_ message: PBOptionList) throws {
    self.init(id: Int(message.id), options: try message.options.map { try SlotOption($0) })
  }
}

extension PBSlotOption {
  init(_ option: SlotOption) {
    self.init()
    productID = Int64(option.productID)
    if let variant = option.variantID { variantID = Int64(variant) }
    surcharge = Int64(option.surcharge)
    if let product = option.product { self.product = PBProduct(product) }
  }
}

extension SlotOption {
  init(_ message: PBSlotOption) throws {
    self.init(
      productID: Int(message.productID),
      variantID: message.hasVariantID ? Int(message.variantID) : nil,
      surcharge: Int(message.surcharge),
      product: message.hasProduct ? try Product(message.product) : nil)
  }
}

extension PBStopListEntry {
  init(_ entry: StopListEntry) {
    self.init()
    entity = PBEntity(entry.entity)
    entityID = Int64(entry.entityID)
    if let until = entry.until { self.until = until }
  }
}

extension StopListEntry {
  init(_ message: PBStopListEntry) throws {
    self.init(
      entity: try known(
        Entity(message.entity), "the stop list names an entity of kind \(message.entity.rawValue)"),
      entityID: Int(message.entityID), until: message.hasUntil ? message.until : nil)
  }
}

extension PBStoreOverride {
  init(_ override: StoreOverride) {
    self.init()
    storeID = Int64(override.storeID)
    entity = PBEntity(override.entity)
    entityID = Int64(override.entityID)
    if let price = override.price { self.price = Int64(price) }
    if let availability = override.availability {
      self.availability = PBProduct.Availability(availability)
    }
  }
}

extension StoreOverride {
  init(_ message: PBStoreOverride) throws {
    self.init(
      storeID: Int(message.storeID),
      entity: try known(
        Entity(message.entity), "an override names an entity of kind \(message.entity.rawValue)"),
      entityID: Int(message.entityID), price: message.hasPrice ? Int(message.price) : nil,
      availability: message.hasAvailability
        ? try known(
          Product.Availability(message.availability),
          "an override is of availability \(message.availability.rawValue)")
        : nil)
  }
}

extension PBTranslation {
  init(_ translation: Translation) {
    self.init()
    locale = translation.locale
    entity = PBEntity(translation.entity)
    entityID = Int64(translation.entityID)
    name = translation.name
    if let details = translation.details { self.details = details }
  }
}

extension Translation {
  init(_ message: PBTranslation) throws {
    self.init(
      locale: message.locale,
      entity: try known(
        Entity(message.entity), "a translation names an entity of kind \(message.entity.rawValue)"),
      entityID: Int(message.entityID), name: message.name,
      details: message.hasDetails ? message.details : nil)
  }
}

extension PBProduct.Kind {
  init(_ kind: Product.Kind) {
    switch kind {
    case .pizza: self = .pizza
    case .snack: self = .snack
    case .drink: self = .drink
    case .dessert: self = .dessert
    case .sauce: self = .sauce
    case .other: self = .other
    }
  }
}

extension Product.Kind {
  init?(_ kind: PBProduct.Kind) {
    switch kind {
    case .pizza: self = .pizza
    case .snack: self = .snack
    case .drink: self = .drink
    case .dessert: self = .dessert
    case .sauce: self = .sauce
    case .other: self = .other
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension PBProduct.Availability {
  init(_ availability: Product.Availability) {
    switch availability {
    case .available: self = .available
    case .comboOnly: self = .comboOnly
    case .hidden: self = .hidden
    }
  }
}

extension Product.Availability {
  init?(_ availability: PBProduct.Availability) {
    switch availability {
    case .available: self = .available
    case .comboOnly: self = .comboOnly
    case .hidden: self = .hidden
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension PBAllergen {
  init(_ allergen: Allergen) {
    switch allergen {
    case .gluten: self = .gluten
    case .crustaceans: self = .crustaceans
    case .eggs: self = .eggs
    case .fish: self = .fish
    case .peanuts: self = .peanuts
    case .soybeans: self = .soybeans
    case .milk: self = .milk
    case .nuts: self = .nuts
    case .celery: self = .celery
    case .mustard: self = .mustard
    case .sesame: self = .sesame
    case .sulphites: self = .sulphites
    case .lupin: self = .lupin
    case .molluscs: self = .molluscs
    }
  }
}

extension Allergen {
  init?(_ allergen: PBAllergen) {
    guard let same = Self.allCases.first(where: { PBAllergen($0) == allergen }) else { return nil }
    self = same
  }
}

extension PBOrderType {
  init(_ type: OrderType) {
    switch type {
    case .delivery: self = .delivery
    case .pickup: self = .pickup
    case .dineIn: self = .dineIn
    }
  }
}

extension OrderType {
  init?(_ type: PBOrderType) {
    guard let same = Self.allCases.first(where: { PBOrderType($0) == type }) else { return nil }
    self = same
  }
}

extension PBEntity {
  init(_ entity: Entity) {
    switch entity {
    case .category: self = .category
    case .product: self = .product
    case .variant: self = .variant
    case .ingredient: self = .ingredient
    case .modifierGroup: self = .modifierGroup
    case .combo: self = .combo
    case .slot: self = .slot
    }
  }
}

extension Entity {
  init?(_ entity: PBEntity) {
    switch entity {
    case .category: self = .category
    case .product: self = .product
    case .variant: self = .variant
    case .ingredient: self = .ingredient
    case .modifierGroup: self = .modifierGroup
    case .combo: self = .combo
    case .slot: self = .slot
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

import BackendKit
import MenuModel

/// Builds a menu, or a part of one, from a file's bytes. For a whole menu every text is made once and
/// shared, and so is every list that the file keeps once.
struct FlatDecoder<Texts: FlatTextSource> {
  let image: FlatImage
  private let texts: Texts
  private var products: FlatProductDecoder<Texts>
  private var slotLists: FlatLists<FlatSlot, Slot>
  private var optionLists: FlatLists<FlatOption, SlotOption>
  /// Every product by its record, for a whole menu.
  private var all: [Product] = []
  /// The products made so far by their records, for a part.
  private var few: [UInt32: Product] = [:]

  private init(_ image: FlatImage, _ texts: Texts, isWhole: Bool) throws {
    self.image = image
    self.texts = texts
    products = FlatProductDecoder(image, texts, isShared: isWhole)
    slotLists = FlatLists(image.slots, isShared: isWhole)
    optionLists = FlatLists(image.options, isShared: isWhole)
    if isWhole { all = try array(image.products.all) { try products.product($0) } }
  }

  /// The product of a record, made once.
  private mutating func product(at record: UInt32) throws -> Product {
    if Int(record) < all.count { return all[Int(record)] }
    if let known = few[record] { return known }
    let product = try products.product(image.products.record(record))
    few[record] = product
    return product
  }

  private mutating func combo(_ record: FlatCombo) throws -> Combo {
    Combo(
      id: record.id, code: try optional(record.code), name: try text(record.name),
      details: try text(record.details), price: record.price, oldPrice: record.oldPrice,
      image: try text(record.image),
      slots: try slots(record.slots))
  }

  private mutating func slots(_ range: FlatRange) throws -> [Slot] {
    if let known = slotLists.known(range) { return known }
    let slots = try array(image.slots.run(range)) { try slot($0) }
    try slotLists.keep(slots, of: range)
    return slots
  }

  private mutating func slot(_ record: FlatSlot) throws -> Slot {
    Slot(
      id: record.id, name: try text(record.name), min: record.min, max: record.max,
      optionListID: record.optionListID,
      options: record.ownsOptions ? try options(record.options) : nil,
      defaultProductID: record.defaultProductID)
  }

  private mutating func options(_ range: FlatRange) throws -> [SlotOption] {
    if let known = optionLists.known(range) { return known }
    let options = try array(image.options.run(range)) { try option($0) }
    try optionLists.keep(options, of: range)
    return options
  }

  @inline(__always)
  private mutating func option(_ record: FlatOption) throws -> SlotOption {
    SlotOption(
      productID: record.productID, variantID: record.variantID, surcharge: record.surcharge,
      product: record.embedded == FlatFormat.none ? nil : try product(at: record.embedded))
  }
}

extension FlatDecoder<FlatTextTable> {
  /// Decodes a menu.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  static func menu(of image: FlatImage) throws -> Menu {
    var decoder = try FlatDecoder(image, FlatTextTable(image), isWhole: true)
    return try decoder.menu()
  }

  private mutating func menu() throws -> Menu {
    let fields = try image.menu()
    let own = try image.ownProducts().count
    return Menu(
      id: fields.id, revision: fields.revision, locale: try text(fields.locale),
      currency: try text(fields.currency), city: try text(fields.city),
      categories: try array(image.categories.all) { try category($0) },
      ingredients: try array(image.ingredients.all) { try ingredient($0) },
      modifierGroups: try modifierGroups(),
      products: own == all.count ? all : Array(all[..<own]),
      optionLists: try array(image.optionLists.all) { try list($0) },
      combos: try array(image.combos.all) { try combo($0) },
      stopList: try array(image.stopList.all) { try stop($0) },
      storeOverrides: try array(image.overrides.all) { try storeOverride($0) },
      translations: try array(image.translations.all) { try translation($0) })
  }

  private mutating func list(_ record: FlatOptionList) throws -> OptionList {
    OptionList(id: record.id, options: try options(record.options))
  }
}

extension FlatDecoder<FlatImage> {
  /// Decodes parts of a menu.
  init(partsOf image: FlatImage) throws { try self.init(image, image, isWhole: false) }

  /// The product of an id; nil where there is none.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  mutating func product(_ id: Int) throws -> Product? {
    let reader = FlatReader(image)
    guard let record = try reader.find(id, in: image.productIndex) else { return nil }
    return try products.product(reader.product(record, id: id))
  }

  /// The combo of an id, resolved; nil where there is none.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  mutating func resolvedCombo(_ id: Int) throws -> ResolvedCombo? {
    let reader = FlatReader(image)
    guard let record = try reader.find(id, in: image.comboIndex) else { return nil }
    return try resolved(reader.combo(record, id: id))
  }

  /// What an app shows first.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  mutating func firstScreen() throws -> FirstScreen {
    let combos = image.combos.all
    return FirstScreen(
      categories: try array(image.categories.all) { try category($0) },
      products: try FlatReader(image).shelf().map { try product(at: $0) },
      combos: try (0..<min(combos.count, FirstScreen.combos)).map { try resolved(combos[$0]) })
  }

  /// The ids of the products that pass a filter.
  mutating func products(passing filter: ProductFilter) throws -> [Int] {
    let shelf = try FlatReader(image).shelf(filter.categoryID).map { try product(at: $0) }
    return filter.products(
      among: shelf, stopList: try array(image.stopList.all) { try stop($0) })
  }

  private mutating func resolved(_ record: FlatCombo) throws -> ResolvedCombo {
    let combo = try combo(record)
    let slots = try image.slots.run(record.slots)
    let reader = FlatReader(image)
    return ResolvedCombo(
      combo: combo,
      options: try combo.slots.indices.map { index in
        try combo.slots[index].options ?? options(slots[index].options)
      },
      products: try reader.products(namedBy: record.slots).map { named in
        _ = try reader.product(named.record, id: named.id)
        return try product(at: named.record)
      })
  }
}

extension FlatDecoder {
  /// A text by its number.
  @inline(__always)
  func text(_ number: UInt32) throws -> String { try texts.text(number) }

  /// A text that may be absent.
  @inline(__always)
  func optional(_ number: UInt32) throws -> String? { try texts.optional(number) }

  /// A category.
  func category(_ record: FlatCategory) throws -> MenuModel.Category {
    Category(id: record.id, parentID: record.parentID, name: try text(record.name))
  }

  /// An ingredient.
  func ingredient(_ record: FlatIngredient) throws -> Ingredient {
    Ingredient(id: record.id, code: try optional(record.code), name: try text(record.name))
  }

  /// An entry of the stop list.
  func stop(_ record: FlatStop) throws -> StopListEntry {
    StopListEntry(
      entity: try entity(record.entity, image.stopList.offset), entityID: record.entityID,
      until: try optional(record.until))
  }

  /// A store's override.
  func storeOverride(_ record: FlatOverride) throws -> StoreOverride {
    StoreOverride(
      storeID: record.storeID, entity: try entity(record.entity, image.overrides.offset),
      entityID: record.entityID, price: record.price,
      availability: try optionalCase(
        record.availability, "availability", image.overrides.offset))
  }

  /// A translation.
  func translation(_ record: FlatTranslation) throws -> Translation {
    Translation(
      locale: try text(record.locale),
      entity: try entity(record.entity, image.translations.offset), entityID: record.entityID,
      name: try text(record.name), details: try optional(record.details))
  }

  /// Every modifier group.
  func modifierGroups() throws -> [ModifierGroup] {
    var prices = FlatLists<FlatPrice, SizePrice>(image.sizePrices, isShared: true)
    var groups = FlatLists<Int, Int>(image.linkedIDs, isShared: true)
    var modifiers = FlatLists<FlatModifier, ModifierOption>(image.modifiers, isShared: true)
    return try array(image.modifierGroups.all) { record in
      ModifierGroup(
        id: record.id, name: try text(record.name), min: record.min, max: record.max,
        free: record.free, isRequired: record.isRequired,
        options: try modifiers.list(record.options) { modifier in
          ModifierOption(
            ingredientID: modifier.ingredientID,
            prices: try prices.list(modifier.prices) { price in
              SizePrice(size: try text(price.text), price: price.price)
            }, modifierGroupIDs: try groups.list(modifier.groups) { $0 })
        })
    }
  }

  @inline(__always)
  private func entity(_ code: UInt32, _ offset: @autoclosure () -> Int) throws -> Entity {
    guard let code = UInt8(exactly: code), let entity = Entity(code: code) else {
      throw FlatFault(reason: "there is no entity \(code)", offset: offset())
    }
    return entity
  }
}

/// The case of a number that may be none.
@inline(__always)
private func optionalCase<Value: FlatCoded>(
  _ number: UInt32, _ name: String, _ offset: @autoclosure () -> Int
) throws -> Value? {
  guard number != FlatFormat.none else { return nil }
  guard let value = UInt8(exactly: number).flatMap(Value.init(code:)) else {
    throw FlatFault(reason: "there is no \(name) \(number)", offset: offset())
  }
  return value
}

/// Builds products of a file, the menu's own and the copies that differ.
struct FlatProductDecoder<Texts: FlatTextSource> {
  private let image: FlatImage
  private let texts: Texts
  private var tags: FlatLists<UInt32, String>
  private var parts: FlatLists<FlatPart, ProductIngredient>
  private var linkedIDs: FlatLists<Int, Int>
  private var hours: FlatLists<FlatHours, ServingHours>
  private var allergens: FlatLists<UInt8, Allergen>
  private var variants: FlatLists<FlatVariant, Variant>
  private var priceTiers: FlatLists<FlatTier, PriceTier>

  /// - Parameter isShared: whether lists that products have in common are made once.
  init(_ image: FlatImage, _ texts: Texts, isShared: Bool) {
    self.image = image
    self.texts = texts
    tags = FlatLists(image.tags, isShared: isShared)
    parts = FlatLists(image.parts, isShared: isShared)
    linkedIDs = FlatLists(image.linkedIDs, isShared: isShared)
    hours = FlatLists(image.hours, isShared: isShared)
    allergens = FlatLists(image.allergens, isShared: isShared)
    variants = FlatLists(image.variants, isShared: isShared)
    priceTiers = FlatLists(image.priceTiers, isShared: isShared)
  }

  /// The product of a record.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  mutating func product(_ record: FlatProduct) throws -> Product {
    guard let kind = Product.Kind(code: record.kind),
      let availability = Product.Availability(code: record.availability)
    else { throw record.fault(image.products.offset) }
    let (texts, allergensOffset) = (texts, image.allergens.offset)
    return Product(
      id: record.id, code: try texts.optional(record.code), categoryID: record.categoryID,
      otherCategoryIDs: try linkedIDs.list(record.otherCategories) { $0 }, kind: kind,
      name: try texts.text(record.name),
      details: try texts.text(record.details),
      tags: try tags.list(record.tags) { try texts.text($0) }, availability: availability,
      hours: try hours.list(record.hours) {
        ServingHours(days: $0.days, from: $0.from, until: $0.until)
      },
      allergens: try allergens.list(record.allergens) {
        guard let allergen = Allergen(code: $0) else {
          throw FlatFault(reason: "there is no allergen \($0)", offset: allergensOffset)
        }
        return allergen
      },
      variants: try list(record.variants),
      ingredients: try parts.list(record.ingredients) { part in
        ProductIngredient(ingredientID: part.ingredientID, isRemovable: part.isRemovable)
      }, modifierGroupIDs: try linkedIDs.list(record.modifierGroups) { $0 })
  }

  private mutating func list(_ range: FlatRange) throws -> [Variant] {
    if let known = variants.known(range) { return known }
    let list = try array(image.variants.run(range)) { try variant($0) }
    try variants.keep(list, of: range)
    return list
  }

  private mutating func variant(_ record: FlatVariant) throws -> Variant {
    let (texts, offset) = (texts, image.priceTiers.offset)
    return Variant(
      id: record.id, code: try texts.optional(record.code),
      size: try texts.text(record.size), dough: try texts.optional(record.dough),
      weight: record.weight, price: record.price,
      priceTiers: try priceTiers.list(record.priceTiers) { tier in
        PriceTier(
          name: try texts.text(tier.name), price: tier.price,
          orderType: try optionalCase(tier.orderType, "order type", offset))
      }, image: try texts.text(record.image), nutrition: try nutrition(record.nutrition))
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

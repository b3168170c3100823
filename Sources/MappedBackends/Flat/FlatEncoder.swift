import BackendKit
import Foundation
import MenuModel

/// Makes a menu into the bytes of a file. Equal texts and equal lists are kept once, whatever the
/// menu repeats; the order in which things are met decides every number, so equal menus give equal
/// bytes.
struct FlatEncoder: ~Copyable {
  var texts: FlatTexts
  var categories = FlatWriter<FlatCategory>()
  var ingredients = FlatWriter<FlatIngredient>()
  var modifierGroups = FlatWriter<FlatModifierGroup>()
  var modifiers = FlatWriter<FlatModifier>()
  var sizePrices = FlatWriter<FlatPrice>()
  var stopList = FlatWriter<FlatStop>()
  var overrides = FlatWriter<FlatOverride>()
  var translations: FlatWriter<FlatTranslation>
  var productIndex = FlatIndexWriter()
  var comboIndex = FlatIndexWriter()
  var combos: FlatWriter<FlatCombo>
  var slots = FlatWriter<FlatSlot>()
  var optionLists = FlatWriter<FlatOptionList>()
  var options = FlatWriter<FlatOption>()
  var products: FlatWriter<FlatProduct>
  var variants: FlatWriter<FlatVariant>
  var nutrition = FlatWriter<FlatNutrition>()
  var priceTiers = FlatWriter<FlatTier>()
  var hours = FlatWriter<FlatHours>()
  var allergens = FlatWriter<UInt8>()
  var parts = FlatWriter<FlatPart>()
  var tags = FlatWriter<UInt32>()
  var linkedIDs = FlatWriter<Int>()
  var sharedOptions: [Int: FlatRange] = [:]

  /// Prepares for a menu; sizes are first guesses.
  private init(_ menu: Menu) {
    texts = FlatTexts(capacity: 4 * menu.products.count + menu.translations.count + 64)
    translations = FlatWriter(capacity: menu.translations.count)
    combos = FlatWriter(capacity: menu.combos.count)
    products = FlatWriter(capacity: menu.products.count)
    variants = FlatWriter(capacity: 2 * menu.products.count)
  }

  /// The bytes of a file with a menu.
  ///
  /// - Throws: ``FlatLimit`` where the menu has more of something than the format can count.
  static func encode(_ menu: Menu) throws -> Data {
    var encoder = FlatEncoder(menu)
    let fields = encoder.add(menu)
    return try encoder.file(fields)
  }

  /// Products first, so that what a combo touches stands together; translations last.
  private mutating func add(_ menu: Menu) -> FlatMenu {
    var fields = FlatMenu(
      id: menu.id, revision: menu.revision, locale: texts.number(of: menu.locale),
      currency: texts.number(of: menu.currency), city: texts.number(of: menu.city))
    // By their places: an iterator copies each, and so retains each of its fields.
    for index in menu.products.indices { addOwn(menu.products[index]) }
    fields.products = UInt32(truncatingIfNeeded: products.count)
    fields.variants = UInt32(truncatingIfNeeded: variants.count)
    for list in menu.optionLists { add(list) }
    for combo in menu.combos { add(combo) }
    for category in menu.categories { add(category) }
    for ingredient in menu.ingredients { add(ingredient) }
    for group in menu.modifierGroups { add(group) }
    for entry in menu.stopList { add(entry) }
    for override in menu.storeOverrides { add(override) }
    for index in menu.translations.indices { add(menu.translations[index]) }
    return fields
  }
}

extension FlatEncoder {
  /// The sections in their order behind the header, with the checksum.
  mutating func file(_ fields: FlatMenu) throws -> Data {
    var file = FlatAssembly(capacity: length)
    try file.add("menus", Self.section(of: fields))
    try file.add("categories", categories)
    try file.add("ingredients", ingredients)
    try file.add("modifier groups", modifierGroups)
    try file.add("modifiers", modifiers)
    try file.add("size prices", sizePrices)
    try file.add("stop list entries", stopList)
    try file.add("translations", translations)
    try file.add("product ids", productIndex.sorted())
    try file.add("combo ids", comboIndex.sorted())
    try file.add("combos", combos)
    try file.add("slots", slots)
    try file.add("option lists", optionLists)
    try file.add("options", options)
    try file.add("products", products)
    try file.add("variants", variants)
    try file.add("nutrition records", nutrition)
    try file.add("price tiers", priceTiers)
    try file.add("product ingredients", parts)
    try file.add("tags", tags)
    try file.add("linked ids", linkedIDs)
    try file.add("hours", hours)
    try file.add("allergens", allergens)
    try file.add("store overrides", overrides)
    try file.add("text starts", texts.starts)
    try file.add("bytes of text", texts.bytes, count: texts.bytes.count)
    return file.finish()
  }

  private static func section(of fields: FlatMenu) -> FlatWriter<FlatMenu> {
    var section = FlatWriter<FlatMenu>(capacity: 1)
    section.append(fields)
    return section
  }

  /// About how long the file will be, and no less: what all sections hold, with room for the header and
  /// the alignment of each.
  private var length: Int {
    let menu =
      categories.bytes.count + ingredients.bytes.count + modifierGroups.bytes.count
      + modifiers.bytes.count + sizePrices.bytes.count + stopList.bytes.count
      + overrides.bytes.count + translations.bytes.count + texts.starts.bytes.count
      + texts.bytes.count
    let products =
      products.count * FlatIndexEntry.size + products.bytes.count + variants.bytes.count
      + nutrition.bytes.count + priceTiers.bytes.count + parts.bytes.count + tags.bytes.count
      + linkedIDs.bytes.count + hours.bytes.count + allergens.bytes.count
    let combos =
      combos.count * FlatIndexEntry.size + combos.bytes.count + slots.bytes.count
      + optionLists.bytes.count + options.bytes.count
    return 2_048 + menu + products + combos
  }
}

extension FlatEncoder {
  /// A product of the menu; two equal ones stay two.
  mutating func addOwn(_ product: Product) {
    productIndex.add(product.id, products.count)
    products.append(record(of: product))
    products.keepLast()
  }

  /// The record of a copy that an option embeds: the menu's own where it is bit by bit the same.
  mutating func embed(_ product: Product?) -> UInt32 {
    guard let product else { return FlatFormat.none }
    let first = products.count
    products.append(record(of: product))
    return products.list(from: first).start
  }

  private mutating func record(of product: Product) -> FlatProduct {
    FlatProduct(
      id: product.id, categoryID: product.categoryID, name: texts.number(of: product.name),
      details: texts.number(of: product.details), code: texts.number(of: product.code),
      kind: product.kind.code, availability: product.availability.code,
      tags: list(product.tags), variants: list(product.variants),
      ingredients: list(product.ingredients), modifierGroups: list(product.modifierGroupIDs),
      otherCategories: list(product.otherCategoryIDs), hours: list(product.hours),
      allergens: list(product.allergens))
  }

  private mutating func list(_ hours: [ServingHours]) -> FlatRange {
    let first = self.hours.count
    for hours in hours {
      self.hours.append(FlatHours(days: hours.days, from: hours.from, until: hours.until))
    }
    return self.hours.list(from: first)
  }

  private mutating func list(_ allergens: [Allergen]) -> FlatRange {
    let first = self.allergens.count
    for allergen in allergens { self.allergens.append(allergen.code) }
    return self.allergens.list(from: first)
  }

  private mutating func list(_ texts: [String]) -> FlatRange {
    let first = tags.count
    for text in texts { tags.append(self.texts.number(of: text)) }
    return tags.list(from: first)
  }

  private mutating func list(_ ingredients: [ProductIngredient]) -> FlatRange {
    let first = parts.count
    for ingredient in ingredients {
      parts.append(
        FlatPart(ingredientID: ingredient.ingredientID, flags: FlatFlags(ingredient.isRemovable)))
    }
    return parts.list(from: first)
  }

  private mutating func list(_ ids: [Int]) -> FlatRange {
    let first = linkedIDs.count
    for id in ids { linkedIDs.append(id) }
    return linkedIDs.list(from: first)
  }

  private mutating func list(_ variants: [Variant]) -> FlatRange {
    let first = self.variants.count
    for variant in variants { self.variants.append(record(of: variant)) }
    return self.variants.list(from: first)
  }

  private mutating func record(of variant: Variant) -> FlatVariant {
    FlatVariant(
      id: variant.id, price: variant.price, weightOrZero: variant.weight ?? 0,
      code: texts.number(of: variant.code), size: texts.number(of: variant.size),
      dough: texts.number(of: variant.dough), image: texts.number(of: variant.image),
      priceTiers: list(variant.priceTiers), nutrition: number(of: variant.nutrition),
      flags: FlatFlags(variant.weight != nil))
  }

  private mutating func list(_ tiers: [PriceTier]) -> FlatRange {
    let first = priceTiers.count
    for tier in tiers {
      priceTiers.append(
        FlatTier(
          price: tier.price, name: texts.number(of: tier.name),
          orderType: tier.orderType.map { UInt32($0.code) } ?? FlatFormat.none))
    }
    return priceTiers.list(from: first)
  }

  private mutating func number(of nutrition: Nutrition?) -> UInt32 {
    guard let nutrition else { return FlatFormat.none }
    let first = self.nutrition.count
    self.nutrition.append(
      FlatNutrition(per100g: FlatFacts(nutrition.per100g), whole: FlatFacts(nutrition.whole)))
    return self.nutrition.list(from: first).start
  }
}

extension FlatFacts {
  fileprivate init(_ facts: NutritionFacts) {
    self.init(
      energy: facts.energy, proteins: facts.proteins, fats: facts.fats,
      carbohydrates: facts.carbohydrates)
  }
}

extension FlatEncoder {
  /// A shared list; of two of one id slots show the first.
  mutating func add(_ list: OptionList) {
    let range = self.list(list.options)
    if sharedOptions[list.id] == nil { sharedOptions[list.id] = range }
    optionLists.append(FlatOptionList(id: list.id, options: range))
  }

  /// A combo with its slots.
  mutating func add(_ combo: Combo) {
    comboIndex.add(combo.id, combos.count)
    let first = slots.count
    for slot in combo.slots { slots.append(record(of: slot)) }
    combos.append(
      FlatCombo(
        id: combo.id, priceOrZero: combo.price ?? 0, oldPriceOrZero: combo.oldPrice ?? 0,
        code: texts.number(of: combo.code), name: texts.number(of: combo.name),
        details: texts.number(of: combo.details), image: texts.number(of: combo.image),
        slots: slots.range(from: first),
        flags: FlatFlags(combo.price != nil, combo.oldPrice != nil)))
  }

  private mutating func record(of slot: Slot) -> FlatSlot {
    FlatSlot(
      id: slot.id, min: slot.min, max: slot.max, optionListIDOrZero: slot.optionListID ?? 0,
      defaultProductIDOrZero: slot.defaultProductID ?? 0, name: texts.number(of: slot.name),
      options: shown(by: slot),
      flags: FlatFlags(
        slot.optionListID != nil, slot.defaultProductID != nil, slot.options != nil))
  }

  private mutating func shown(by slot: Slot) -> FlatRange {
    if let own = slot.options { return list(own) }
    return slot.optionListID.flatMap { sharedOptions[$0] } ?? FlatRange()
  }

  private mutating func list(_ options: [SlotOption]) -> FlatRange {
    let first = self.options.count
    for option in options {
      self.options.append(
        FlatOption(
          productID: option.productID, variantIDOrZero: option.variantID ?? 0,
          surcharge: option.surcharge,
          product: productIndex.record(of: option.productID), embedded: embed(option.product),
          flags: FlatFlags(option.variantID != nil)))
    }
    return self.options.list(from: first)
  }
}

extension FlatEncoder {
  /// A category.
  mutating func add(_ category: MenuModel.Category) {
    categories.append(
      FlatCategory(
        id: category.id, parentIDOrZero: category.parentID ?? 0,
        name: texts.number(of: category.name), flags: FlatFlags(category.parentID != nil)))
  }

  /// An ingredient.
  mutating func add(_ ingredient: Ingredient) {
    ingredients.append(
      FlatIngredient(
        id: ingredient.id, code: texts.number(of: ingredient.code),
        name: texts.number(of: ingredient.name)))
  }

  /// A modifier group with its options.
  mutating func add(_ group: ModifierGroup) {
    let first = modifiers.count
    for option in group.options {
      modifiers.append(
        FlatModifier(
          ingredientID: option.ingredientID, prices: list(option.prices),
          groups: list(option.modifierGroupIDs)))
    }
    modifierGroups.append(
      FlatModifierGroup(
        id: group.id, min: group.min, max: group.max, free: group.free,
        name: texts.number(of: group.name), flags: FlatFlags(group.isRequired),
        options: modifiers.list(from: first)))
  }

  /// An entry of the stop list.
  mutating func add(_ entry: StopListEntry) {
    stopList.append(
      FlatStop(
        entityID: entry.entityID, entity: UInt32(entry.entity.code),
        until: texts.number(of: entry.until)))
  }

  /// A store's override.
  mutating func add(_ override: StoreOverride) {
    overrides.append(
      FlatOverride(
        storeID: override.storeID, entityID: override.entityID, priceOrZero: override.price ?? 0,
        entity: UInt32(override.entity.code),
        availability: override.availability.map { UInt32($0.code) } ?? FlatFormat.none,
        flags: FlatFlags(override.price != nil)))
  }

  /// A translation.
  mutating func add(_ translation: Translation) {
    translations.append(
      FlatTranslation(
        entityID: translation.entityID, entity: UInt32(translation.entity.code),
        locale: texts.number(of: translation.locale), name: texts.number(of: translation.name),
        details: texts.number(of: translation.details)))
  }

  private mutating func list(_ prices: [SizePrice]) -> FlatRange {
    let first = sizePrices.count
    for price in prices {
      sizePrices.append(FlatPrice(price: price.price, text: texts.number(of: price.size)))
    }
    return sizePrices.list(from: first)
  }
}

/// A file while its sections are put behind the header.
struct FlatAssembly: ~Copyable {
  private var file: FlatBuffer
  private var countOffset = FlatFormat.countsOffset

  /// Begins with a header of zeros.
  init(capacity: Int) {
    file = FlatBuffer(capacity: capacity)
    file.appendZeros(FlatFormat.headerLength)
  }

  /// Appends a section.
  ///
  /// - Throws: ``FlatLimit`` where it holds too much.
  mutating func add<Record: FlatRecord>(
    _ name: String, _ section: borrowing FlatWriter<Record>
  ) throws {
    try add(name, section.bytes, count: section.count)
  }

  /// Appends a section.
  ///
  /// - Throws: ``FlatLimit`` where it holds too much.
  mutating func add(_ name: String, _ section: borrowing FlatBuffer, count: Int) throws {
    try FlatLimit.checked(count, of: name).store(at: file.start + countOffset)
    countOffset += 4
    file.append(section.bytes(from: 0, count: section.count))
    file.appendZeros(FlatFormat.aligned(file.count) - file.count)
  }

  /// Fills in the header.
  consuming func finish() -> Data {
    file.start.storeBytes(of: FlatFormat.magic, as: UInt64.self)
    file.start.storeBytes(of: FlatFormat.version, toByteOffset: 8, as: UInt32.self)
    file.start.storeBytes(of: UInt32(FlatFormat.sections), toByteOffset: 12, as: UInt32.self)
    file.start.storeBytes(of: file.count, toByteOffset: 16, as: Int.self)
    FlatFormat.seal(UnsafeMutableRawBufferPointer(start: file.start, count: file.count))
    return file.data()
  }
}

extension FlatFormat {
  /// Puts the checksum of what a file holds into its header.
  static func seal(_ file: UnsafeMutableRawBufferPointer) {
    let covered = UnsafeRawBufferPointer(rebasing: file[(checksumOffset + 8)...])
    let hash = FlatHash.hash(covered)
    file.storeBytes(of: hash, toByteOffset: checksumOffset, as: UInt64.self)
  }
}

/// A menu has more of something than a file can count.
struct FlatLimit: StoreFault, Equatable {
  let name: String
  let count: Int

  /// The count as a file has it.
  ///
  /// - Throws: ``FlatLimit`` where it takes more than 32 bits.
  static func checked(_ count: Int, of name: String) throws -> UInt32 {
    guard let word = UInt32(exactly: count) else { throw FlatLimit(name: name, count: count) }
    return word
  }

  var reason: String {
    "the menu has \(count) \(name), the format counts to \(UInt32.max)"
  }
}

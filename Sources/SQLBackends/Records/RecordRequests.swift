import BackendKit
import Basics
import GRDB
import MenuModel

/// A product with everything that belongs to it, as one request fetches it.
struct ProductInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var product: ProductRecord
  var categories: [ProductCategoryRecord]
  var hours: [ProductHoursRecord]
  var allergens: [ProductAllergenRecord]
  var tags: [ProductTagRecord]
  var ingredients: [ProductIngredientRecord]
  var modifierGroups: [ProductModifierGroupRecord]
  var variants: [VariantInfo]

  /// Products of a request, in the order of the menu.
  static func request(
    _ products: QueryInterfaceRequest<ProductRecord> = ProductRecord.all()
  ) -> QueryInterfaceRequest<ProductInfo> {
    products.ordered()
      .including(all: ProductRecord.categories)
      .including(all: ProductRecord.hours)
      .including(all: ProductRecord.allergens)
      .including(all: ProductRecord.tags)
      .including(all: ProductRecord.ingredients)
      .including(all: ProductRecord.modifierGroups)
      .including(
        all: ProductRecord.variants
          .including(all: VariantRecord.priceTiers)
          .including(optional: VariantRecord.nutrition)
      )
      .asRequest(of: ProductInfo.self)
  }
}

extension ProductInfo {
  init(_ product: Product, at position: Int) {
    self.product = ProductRecord(product, at: position)
    categories = product.otherCategoryIDs.enumerated().map {
      ProductCategoryRecord(
        productId: product.id, position: $0.offset, categoryId: $0.element)
    }
    hours = product.hours.enumerated().map {
      ProductHoursRecord(
        productId: product.id, position: $0.offset, days: $0.element.days,
        fromMinute: $0.element.from, untilMinute: $0.element.until)
    }
    allergens = product.allergens.enumerated().map {
      ProductAllergenRecord(productId: product.id, position: $0.offset, allergen: $0.element)
    }
    tags = product.tags.enumerated().map {
      ProductTagRecord(productId: product.id, position: $0.offset, tag: $0.element.stored)
    }
    ingredients = product.ingredients.enumerated().map {
      ProductIngredientRecord(
        productId: product.id, position: $0.offset, ingredientId: $0.element.ingredientID,
        isRemovable: $0.element.isRemovable)
    }
    modifierGroups = product.modifierGroupIDs.enumerated().map {
      ProductModifierGroupRecord(
        productId: product.id, position: $0.offset, modifierGroupId: $0.element)
    }
    variants = product.variants.enumerated().map {
      VariantInfo($0.element, of: product.id, at: $0.offset)
    }
  }

  /// The product.
  func whole() throws -> Product {
    Product(
      id: product.id, code: try product.code?.restored(), categoryID: product.categoryId,
      otherCategoryIDs: categories.map(\.categoryId), kind: product.kind,
      name: try product.name.restored(),
      details: try product.details.restored(), tags: try tags.map { try $0.tag.restored() },
      availability: product.availability,
      hours: hours.map { ServingHours(days: $0.days, from: $0.fromMinute, until: $0.untilMinute) },
      allergens: allergens.map(\.allergen), variants: try variants.map { try $0.whole() },
      ingredients: ingredients.map {
        ProductIngredient(ingredientID: $0.ingredientId, isRemovable: $0.isRemovable)
      },
      modifierGroupIDs: modifierGroups.map(\.modifierGroupId))
  }

  /// Gives the product, then what belongs to it.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(product)
    for category in categories { try sink.take(category) }
    for hours in hours { try sink.take(hours) }
    for allergen in allergens { try sink.take(allergen) }
    for tag in tags { try sink.take(tag) }
    for ingredient in ingredients { try sink.take(ingredient) }
    for group in modifierGroups { try sink.take(group) }
    for variant in variants { try variant.put(into: &sink) }
  }
}

/// A variant with its price tiers and nutrition.
struct VariantInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var variant: VariantRecord
  var priceTiers: [PriceTierRecord]
  var nutrition: NutritionRecord?
}

extension VariantInfo {
  init(_ variant: Variant, of product: Int, at position: Int) {
    self.variant = VariantRecord(variant, of: product, at: position)
    priceTiers = variant.priceTiers.enumerated().map {
      PriceTierRecord(
        variantId: variant.id, position: $0.offset, name: $0.element.name.stored,
        price: $0.element.price, orderType: $0.element.orderType)
    }
    nutrition = variant.nutrition.map { NutritionRecord($0, of: variant.id) }
  }

  /// The variant.
  func whole() throws -> Variant {
    Variant(
      id: variant.id, code: try variant.code?.restored(), size: try variant.size.restored(),
      dough: try variant.dough?.restored(), weight: variant.weight, price: variant.price,
      priceTiers: try priceTiers.map {
        PriceTier(name: try $0.name.restored(), price: $0.price, orderType: $0.orderType)
      },
      image: try variant.image.restored(), nutrition: nutrition?.nutrition)
  }

  /// Gives the variant, then its price tiers and nutrition.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(variant)
    for tier in priceTiers { try sink.take(tier) }
    if let nutrition { try sink.take(nutrition) }
  }
}

/// A modifier group with its options and their prices.
struct ModifierGroupInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var modifierGroup: ModifierGroupRecord
  var options: [ModifierOptionInfo]

  /// Every group, in the order of the menu.
  static var all: QueryInterfaceRequest<ModifierGroupInfo> {
    ModifierGroupRecord.all().ordered()
      .including(
        all: ModifierGroupRecord.options.including(all: ModifierOptionRecord.prices)
          .including(all: ModifierOptionRecord.nextGroups)
      )
      .asRequest(of: ModifierGroupInfo.self)
  }
}

/// A modifier option with its prices.
struct ModifierOptionInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var option: ModifierOptionRecord
  var prices: [ModifierPriceRecord]
  var nextGroups: [ModifierNextGroupRecord]
}

extension ModifierGroupInfo {
  init(_ group: ModifierGroup, at position: Int) {
    modifierGroup = ModifierGroupRecord(
      id: group.id, position: position, name: group.name.stored, min: group.min, max: group.max,
      free: group.free, isRequired: group.isRequired)
    options = group.options.enumerated().map {
      ModifierOptionInfo($0.element, of: group.id, at: $0.offset)
    }
  }

  /// The group.
  func group() throws -> ModifierGroup {
    ModifierGroup(
      id: modifierGroup.id, name: try modifierGroup.name.restored(), min: modifierGroup.min,
      max: modifierGroup.max, free: modifierGroup.free, isRequired: modifierGroup.isRequired,
      options: try options.map { option in
        ModifierOption(
          ingredientID: option.option.ingredientId,
          prices: try option.prices.map {
            SizePrice(size: try $0.size.restored(), price: $0.price)
          },
          modifierGroupIDs: option.nextGroups.map(\.nextGroupId))
      })
  }

  /// Gives the group, then its options, each with its prices; to what groups they lead comes once all
  /// groups are there (``putNext(into:)``).
  func put(into sink: inout some RecordSink) throws {
    try sink.take(modifierGroup)
    for option in options {
      try sink.take(option.option)
      for price in option.prices { try sink.take(price) }
    }
  }
}

extension ModifierGroupInfo {
  /// Gives what groups the options lead to.
  func putNext(into sink: inout some RecordSink) throws {
    for option in options {
      for next in option.nextGroups { try sink.take(next) }
    }
  }
}

extension ModifierOptionInfo {
  fileprivate init(_ option: ModifierOption, of group: Int, at position: Int) {
    self.option = ModifierOptionRecord(
      modifierGroupId: group, position: position, ingredientId: option.ingredientID)
    prices = option.prices.enumerated().map {
      ModifierPriceRecord(
        modifierGroupId: group, optionPosition: position, position: $0.offset,
        size: $0.element.size.stored, price: $0.element.price)
    }
    nextGroups = option.modifierGroupIDs.enumerated().map {
      ModifierNextGroupRecord(
        modifierGroupId: group, optionPosition: position, position: $0.offset,
        nextGroupId: $0.element)
    }
  }
}

/// A shared list with its options.
struct OptionListInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var optionList: OptionListRecord
  var options: [ListOptionRecord]

  /// Every list, in the order of the menu.
  static var all: QueryInterfaceRequest<OptionListInfo> {
    OptionListRecord.all().ordered()
      .including(all: OptionListRecord.options)
      .asRequest(of: OptionListInfo.self)
  }
}

extension OptionListInfo {
  /// Throws ``StoreError`` where an embedded product is not the menu's own.
  init(_ list: OptionList, at position: Int, _ catalogue: Catalogue) throws {
    optionList = OptionListRecord(id: list.id, position: position)
    options = try list.options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return ListOptionRecord(
        optionListId: list.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }

  /// The list.
  func list(_ catalogue: Catalogue) throws -> OptionList {
    OptionList(id: optionList.id, options: try options.map { try $0.option(catalogue) })
  }

  /// Gives the list, then its options.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(optionList)
    for option in options { try sink.take(option) }
  }
}

/// A combo with its slots and the options of their own.
struct ComboInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var combo: ComboRecord
  var slots: [SlotInfo]

  /// Every combo, in the order of the menu.
  static var all: QueryInterfaceRequest<ComboInfo> {
    ComboRecord.all().ordered()
      .including(all: ComboRecord.slots.including(all: SlotRecord.options))
      .asRequest(of: ComboInfo.self)
  }
}

/// A slot with the options of its own.
struct SlotInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
}

extension ComboInfo {
  /// Throws ``StoreError`` where an embedded product is not the menu's own.
  init(_ combo: Combo, at position: Int, _ catalogue: Catalogue) throws {
    self.combo = ComboRecord(combo, at: position)
    slots = try combo.slots.enumerated().map {
      try SlotInfo($0.element, of: combo.id, at: $0.offset, catalogue)
    }
  }

  /// The combo.
  func whole(_ catalogue: Catalogue) throws -> Combo {
    try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) })
  }

  /// Gives the combo, then its slots, each with its options.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(combo)
    for slot in slots {
      try sink.take(slot.slot)
      for option in slot.options { try sink.take(option) }
    }
  }
}

extension SlotInfo {
  fileprivate init(
    _ slot: Slot, of combo: Int, at position: Int, _ catalogue: Catalogue
  ) throws {
    self.slot = SlotRecord(slot, of: combo, at: position)
    options = try (slot.options ?? []).enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRecord(
        slotId: slot.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }
}

/// A combo whose slots have their options with them, whether shared or their own.
struct ResolvedComboInfo: Decodable, FetchableRecord {
  var combo: ComboRecord
  var slots: [ResolvedSlotInfo]

  /// The combos of a request.
  static func request(
    _ combos: QueryInterfaceRequest<ComboRecord>
  ) -> QueryInterfaceRequest<ResolvedComboInfo> {
    combos
      .including(
        all: ComboRecord.slots
          .including(all: SlotRecord.options)
          .including(
            optional: SlotRecord.optionList.including(all: OptionListRecord.options))
      )
      .asRequest(of: ResolvedComboInfo.self)
  }

  /// The products that the options name, each once, in the order in which they are first named.
  var productIds: [Int] {
    slots.flatMap { slot in slot.shown.map(\.productId) }.distinct
  }

  /// The combo, given at least the products that ``productIds`` names.
  func resolved(_ products: [Product]) throws -> ResolvedCombo {
    let catalogue = Catalogue(products)
    return ResolvedCombo(
      combo: try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) }),
      options: try slots.map { try $0.shown.map { try $0.option(catalogue) } },
      products: try productIds.map { try catalogue.product($0) })
  }
}

/// A slot with its own options and the list that it shares, as far as they are there.
struct ResolvedSlotInfo: Decodable, FetchableRecord {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
  var optionList: OptionListInfo?

  /// What a customer is shown.
  var shown: [any OptionRecord] {
    slot.hasOwnOptions ? options : optionList?.options ?? []
  }
}

/// What an app shows first, as requests fetch it.
struct ScreenInfo {
  let categories: [CategoryRecord]
  let products: [ProductInfo]
  let combos: [ResolvedComboInfo]
  /// The products that the combos' options name.
  let named: [ProductInfo]

  /// Fetches it in a transaction.
  init(_ db: Database) throws {
    categories = try CategoryRecord.all().ordered().fetchAll(db)
    products = try Self.shelf(categories, db)
    combos = try ResolvedComboInfo.request(
      ComboRecord.all().ordered().limit(FirstScreen.combos)
    ).fetchAll(db)
    let ids = Set(combos.flatMap(\.productIds))
    named = try ProductInfo.request(ProductRecord.filter(ids: ids)).fetchAll(db)
  }

  /// The products of the first category that has any.
  private static func shelf(
    _ categories: [CategoryRecord], _ db: Database
  ) throws -> [ProductInfo] {
    for category in categories {
      let products = try ProductInfo.request(ProductRecord.shown(by: category.id)).fetchAll(db)
      if !products.isEmpty { return products }
    }
    return []
  }

  /// The screen.
  func whole() throws -> FirstScreen {
    let named = try named.map { try $0.whole() }
    return FirstScreen(
      categories: try categories.map { try $0.category() },
      products: try products.map { try $0.whole() },
      combos: try combos.map { try $0.resolved(named) })
  }
}

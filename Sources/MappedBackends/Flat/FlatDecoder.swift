import BackendKit
import MenuModel

/// Builds a menu from a file's bytes. Every text is made once and shared, and so is every list that
/// the file keeps once.
struct FlatDecoder {
  let image: FlatImage
  let texts: [String]
  let products: [Product]
  private var optionLists: FlatLists<FlatOption, SlotOption>

  /// Decodes a menu.
  ///
  /// - Throws: ``FlatFault`` where the bytes contradict the format.
  static func menu(of image: FlatImage) throws -> Menu {
    var decoder = try FlatDecoder(image)
    return try decoder.menu()
  }

  private init(_ image: FlatImage) throws {
    self.image = image
    texts = try image.texts()
    products = try FlatProductDecoder.products(of: image, texts)
    optionLists = FlatLists(image.options)
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
      products: own == products.count ? products : Array(products[..<own]),
      optionLists: try array(image.optionLists.all) { try list($0) },
      combos: try array(image.combos.all) { try combo($0) },
      stopList: try array(image.stopList.all) { try stop($0) },
      translations: try array(image.translations.all) { try translation($0) })
  }

  private mutating func list(_ record: FlatOptionList) throws -> OptionList {
    OptionList(id: record.id, options: try options(record.options))
  }

  private mutating func combo(_ record: FlatCombo) throws -> Combo {
    Combo(
      id: record.id, code: try optional(record.code), name: try text(record.name),
      details: try text(record.details), price: record.price, oldPrice: record.oldPrice,
      image: try text(record.image),
      slots: try array(image.slots.run(record.slots)) { try slot($0) })
  }

  private mutating func slot(_ record: FlatSlot) throws -> Slot {
    Slot(
      id: record.id, name: try text(record.name), min: record.min, max: record.max,
      optionListID: record.optionListID,
      options: record.ownsOptions ? try options(record.options) : nil,
      defaultProductID: record.defaultProductID)
  }

  private mutating func options(_ range: FlatRange) throws -> [SlotOption] {
    let (image, products) = (image, products)
    return try optionLists.list(range) { record in
      SlotOption(
        productID: record.productID, variantID: record.variantID, surcharge: record.surcharge,
        product: try products.embedded(record.embedded, image))
    }
  }
}

extension [Product] {
  /// The copy that an option embeds, by its record; nil where it embeds none.
  @inline(__always)
  fileprivate func embedded(_ record: UInt32, _ image: FlatImage) throws -> Product? {
    guard record != FlatFormat.none else { return nil }
    guard Int(record) < count else { throw image.products.missing(record) }
    return self[Int(record)]
  }
}

extension FlatDecoder {
  /// A text by its number.
  @inline(__always)
  func text(_ number: UInt32) throws -> String { try texts.text(number, image) }

  /// A text that may be absent.
  @inline(__always)
  func optional(_ number: UInt32) throws -> String? { try texts.optional(number, image) }

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

  /// A translation.
  func translation(_ record: FlatTranslation) throws -> Translation {
    Translation(
      locale: try text(record.locale),
      entity: try entity(record.entity, image.translations.offset), entityID: record.entityID,
      name: try text(record.name), details: try optional(record.details))
  }

  /// Every modifier group.
  func modifierGroups() throws -> [ModifierGroup] {
    var prices = FlatLists<FlatPrice, SizePrice>(image.sizePrices)
    var modifiers = FlatLists<FlatModifier, ModifierOption>(image.modifiers)
    return try array(image.modifierGroups.all) { record in
      ModifierGroup(
        id: record.id, name: try text(record.name), min: record.min, max: record.max,
        free: record.free, isRequired: record.isRequired,
        options: try modifiers.list(record.options) { modifier in
          ModifierOption(
            ingredientID: modifier.ingredientID,
            prices: try prices.list(modifier.prices) { price in
              SizePrice(size: try text(price.text), price: price.price)
            })
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

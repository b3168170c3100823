/// A set of products at one price.
struct ComboObject: StoredObject {
  typealias Owner = MenuObject

  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String

  static let entity = "combo"
  static let columns: [Column] = [
    .optionalText("code"), .text("name"), .text("details"), .optionalInteger("price"),
    .optionalInteger("old_price"), .text("image"),
  ]
  static let relations = [ToMany(ComboSlots.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.combos }
}

extension ComboObject {
  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(name)
    sink.put(details)
    sink.put(price)
    sink.put(oldPrice)
    sink.put(image)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    name = try row.text()
    details = try row.text()
    price = row.optionalInt()
    oldPrice = row.optionalInt()
    image = try row.text()
  }
}

/// One choice within a combo.
struct SlotObject: StoredObject {
  typealias Owner = ComboObject

  var name: String
  var min: Int
  var max: Int
  var sharedList: Key<OptionListObject>?
  var ownList: Key<OptionListObject>?
  var defaultProduct: Key<ProductObject>?

  static let entity = "slot"
  static let columns: [Column] = [
    .text("name"), .integer("min"), .integer("max"), .optionalInteger("shared_list"),
    .optionalInteger("own_list"), .optionalInteger("default_product"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.slots }
}

extension SlotObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {
    visitor.referenced(&sharedList)
    visitor.owned(&ownList)
    visitor.referenced(&defaultProduct)
  }

  func put(into sink: inout some ValueSink) {
    sink.put(name)
    sink.put(min)
    sink.put(max)
    sink.put(sharedList)
    sink.put(ownList)
    sink.put(defaultProduct)
  }

  init(from row: inout RowReader) throws {
    name = try row.text()
    min = row.int()
    max = row.int()
    sharedList = Key(row.optionalInt())
    ownList = Key(row.optionalInt())
    defaultProduct = Key(row.optionalInt())
  }
}

/// The options of a slot, or of several that share them.
struct OptionListObject: StoredObject {
  /// None where slots share it.
  typealias Owner = SlotObject

  static let entity = "option_list"
  static let columns: [Column] = []
  static let relations = [ToMany(OptionListOptions.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.optionLists }
}

extension OptionListObject {
  func put(into sink: inout some ValueSink) {}

  init(from row: inout RowReader) {}
}

/// A product, or one variant of it, that may fill a slot.
struct SlotOptionObject: StoredObject {
  typealias Owner = OptionListObject

  /// The menu's own product.
  var product: Key<ProductObject>
  var variant: Key<VariantObject>?
  var surcharge: Int
  /// The copy that it embeds.
  var copy: Key<ProductObject>?

  static let entity = "slot_option"
  static let columns: [Column] = [
    .integer("product"), .optionalInteger("variant"), .integer("surcharge"),
    .optionalInteger("copy"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.slotOptions }
}

extension SlotOptionObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) {
    visitor.referenced(&product)
    visitor.referenced(&variant)
    visitor.owned(&copy)
  }

  func put(into sink: inout some ValueSink) {
    sink.put(product)
    sink.put(variant)
    sink.put(surcharge)
    sink.put(copy)
  }

  init(from row: inout RowReader) throws {
    product = Key(row.int())
    variant = Key(row.optionalInt())
    surcharge = row.int()
    copy = Key(row.optionalInt())
  }
}

/// A set of things that may be added to a product.
struct ModifierGroupObject: StoredObject {
  typealias Owner = MenuObject

  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool

  static let entity = "modifier_group"
  static let columns: [Column] = [
    .text("name"), .integer("min"), .integer("max"), .integer("free"), .integer("is_required"),
  ]
  static let relations = [ToMany(ModifierGroupOptions.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.modifierGroups }
}

extension ModifierGroupObject {
  func put(into sink: inout some ValueSink) {
    sink.put(name)
    sink.put(min)
    sink.put(max)
    sink.put(free)
    sink.put(isRequired)
  }

  init(from row: inout RowReader) throws {
    name = try row.text()
    min = row.int()
    max = row.int()
    free = row.int()
    isRequired = try row.bool()
  }
}

/// One choice of a modifier group.
struct ModifierOptionObject: StoredObject {
  typealias Owner = ModifierGroupObject

  var ingredient: Key<IngredientObject>

  static let entity = "modifier_option"
  static let columns: [Column] = [.integer("ingredient")]
  static let relations = [ToMany(ModifierOptionPrices.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.modifierOptions }
}

extension ModifierOptionObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&ingredient) }

  func put(into sink: inout some ValueSink) { sink.put(ingredient) }

  init(from row: inout RowReader) throws { ingredient = Key(row.int()) }
}

/// A modifier's price for one size.
struct SizePriceObject: StoredObject {
  typealias Owner = ModifierOptionObject

  var size: String
  var price: Int

  static let entity = "size_price"
  static let columns: [Column] = [.text("size"), .integer("price")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.sizePrices }
}

extension SizePriceObject {
  func put(into sink: inout some ValueSink) {
    sink.put(size)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    size = try row.text()
    price = row.int()
  }
}

/// Something that is out of stock.
struct StopListEntryObject: StoredObject {
  typealias Owner = MenuObject

  var entity: String
  var entityID: Int
  var until: String?

  static let entity = "stop_list_entry"
  static let columns: [Column] = [
    .text("entity"), .integer("entity_id"), .optionalText("until"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.stopList }
}

extension StopListEntryObject {
  func put(into sink: inout some ValueSink) {
    sink.put(entity)
    sink.put(entityID)
    sink.put(until)
  }

  init(from row: inout RowReader) throws {
    entity = try row.text()
    entityID = row.int()
    until = try row.optionalText()
  }
}

/// The texts of one thing in a further language.
struct TranslationObject: StoredObject {
  typealias Owner = MenuObject

  var locale: String
  var entity: String
  var entityID: Int
  var name: String
  var details: String?

  static let entity = "translation"
  static let columns: [Column] = [
    .text("locale"), .text("entity"), .integer("entity_id"), .text("name"),
    .optionalText("details"),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.translations }
}

extension TranslationObject {
  func put(into sink: inout some ValueSink) {
    sink.put(locale)
    sink.put(entity)
    sink.put(entityID)
    sink.put(name)
    sink.put(details)
  }

  init(from row: inout RowReader) throws {
    locale = try row.text()
    entity = try row.text()
    entityID = row.int()
    name = try row.text()
    details = try row.optionalText()
  }
}

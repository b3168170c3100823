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

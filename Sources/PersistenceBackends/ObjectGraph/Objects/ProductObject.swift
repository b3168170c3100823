/// A product of the menu, or a copy of one that an option embeds.
struct ProductObject: StoredObject {
  /// None where it is the menu's own.
  typealias Owner = SlotOptionObject

  var code: String?
  var category: Key<CategoryObject>
  var kind: String
  var name: String
  var details: String
  var availability: String

  static let entity = "product"
  static let columns: [Column] = [
    .optionalText("code"), .integer("category"), .text("kind"), .text("name"), .text("details"),
    .text("availability"),
  ]
  static let relations = [
    ToMany(ProductTags.self), ToMany(ProductVariants.self), ToMany(ProductParts.self),
    ToMany(ProductModifierGroups.self),
  ]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.products }
}

extension ProductObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&category) }

  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(category)
    sink.put(kind)
    sink.put(name)
    sink.put(details)
    sink.put(availability)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    category = Key(row.int())
    kind = try row.text()
    name = try row.text()
    details = try row.text()
    availability = try row.text()
  }
}

/// A label of a product.
struct TagObject: StoredObject {
  typealias Owner = ProductObject

  var text: String

  static let entity = "tag"
  static let columns: [Column] = [.text("text")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.tags }
}

extension TagObject {
  func put(into sink: inout some ValueSink) { sink.put(text) }

  init(from row: inout RowReader) throws { text = try row.text() }
}

/// An ingredient of a product.
struct ProductIngredientObject: StoredObject {
  typealias Owner = ProductObject

  var ingredient: Key<IngredientObject>
  var isRemovable: Bool

  static let entity = "product_ingredient"
  static let columns: [Column] = [.integer("ingredient"), .integer("is_removable")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> {
    \.productIngredients
  }
}

extension ProductIngredientObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.referenced(&ingredient) }

  func put(into sink: inout some ValueSink) {
    sink.put(ingredient)
    sink.put(isRemovable)
  }

  init(from row: inout RowReader) throws {
    ingredient = Key(row.int())
    isRemovable = try row.bool()
  }
}

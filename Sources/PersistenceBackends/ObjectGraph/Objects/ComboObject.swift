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

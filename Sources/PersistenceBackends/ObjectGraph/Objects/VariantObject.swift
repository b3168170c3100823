/// One size and dough of a product.
struct VariantObject: StoredObject {
  typealias Owner = ProductObject

  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String
  var nutrition: Key<NutritionObject>?

  static let entity = "variant"
  static let columns: [Column] = [
    .optionalText("code"), .text("size"), .optionalText("dough"), .optionalInteger("weight"),
    .integer("price"), .text("image"), .optionalInteger("nutrition"),
  ]
  static let relations = [ToMany(VariantPriceTiers.self)]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.variants }
}

extension VariantObject {
  mutating func visitLinks(_ visitor: inout some LinkVisitor) { visitor.owned(&nutrition) }

  func put(into sink: inout some ValueSink) {
    sink.put(code)
    sink.put(size)
    sink.put(dough)
    sink.put(weight)
    sink.put(price)
    sink.put(image)
    sink.put(nutrition)
  }

  init(from row: inout RowReader) throws {
    code = try row.optionalText()
    size = try row.text()
    dough = try row.optionalText()
    weight = row.optionalInt()
    price = row.int()
    image = try row.text()
    nutrition = Key(row.optionalInt())
  }
}

/// A named price beside a variant's usual one.
struct PriceTierObject: StoredObject {
  typealias Owner = VariantObject

  var name: String
  var price: Int

  static let entity = "price_tier"
  static let columns: [Column] = [.text("name"), .integer("price")]
  static var place: WritableKeyPath<ObjectGraph, OrderedRows<Stored<Self>>> { \.priceTiers }
}

extension PriceTierObject {
  func put(into sink: inout some ValueSink) {
    sink.put(name)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    name = try row.text()
    price = row.int()
  }
}

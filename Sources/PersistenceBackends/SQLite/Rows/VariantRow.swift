/// A variant of a product without its price tiers and nutrition.
///
/// The index finds the variants of one product, which the key can't. It costs every write an entry a
/// variant, and a read of the whole menu nothing: with that of ``SlotRow``, 30 of the 1,215 pages of
/// the preset `huge` and a twentieth of the time of its INSERTs.
struct VariantRow: TableRow {
  var id: Int
  var productID: Int
  var position: Int
  var code: String?
  var size: String
  var dough: String?
  var weight: Int?
  var price: Int
  var image: String

  static let table = Table(
    "variant",
    columns: [
      .integer("id"), .integer("product_id").references("product"), .integer("position"),
      .optionalText("code"), .text("size"), .optionalText("dough"), .optionalInteger("weight"),
      .integer("price"), .text("image"),
    ], key: ["id"], indexes: ["product_id"])
}

extension VariantRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(productID)
    sink.put(position)
    sink.put(code)
    sink.put(size)
    sink.put(dough)
    sink.put(weight)
    sink.put(price)
    sink.put(image)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    productID = row.int()
    position = row.int()
    code = try row.optionalText()
    size = try row.text()
    dough = try row.optionalText()
    weight = row.optionalInt()
    price = row.int()
    image = try row.text()
  }
}

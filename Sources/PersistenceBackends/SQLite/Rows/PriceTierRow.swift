/// A price tier of a variant.
struct PriceTierRow: TableRow, ChildRow {
  var variantID: Int
  var position: Int
  var name: String
  var price: Int

  var parent: Int { variantID }

  static let table = Table(
    "price_tier",
    columns: [
      .integer("variant_id").references("variant"), .integer("position"), .text("name"),
      .integer("price"),
    ], key: ["variant_id", "position"])
}

extension PriceTierRow {
  func put(into sink: inout some ValueSink) {
    sink.put(variantID)
    sink.put(position)
    sink.put(name)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    variantID = row.int()
    position = row.int()
    name = try row.text()
    price = row.int()
  }
}

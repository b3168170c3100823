/// A tag of a product.
struct ProductTagRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var tag: String

  var parent: Int { productID }

  static let table = Table(
    "product_tag",
    columns: [
      .integer("product_id").references("product"), .integer("position"), .text("tag"),
    ], key: ["product_id", "position"])
}

extension ProductTagRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(tag)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    tag = try row.text()
  }
}

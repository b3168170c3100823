/// A modifier group that applies to a product.
struct ProductModifierGroupRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var groupID: Int

  var parent: Int { productID }

  static let table = Table(
    "product_modifier_group",
    columns: [
      .integer("product_id").references("product"), .integer("position"),
      .integer("group_id").references("modifier_group"),
    ], key: ["product_id", "position"])
}

extension ProductModifierGroupRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(groupID)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    groupID = row.int()
  }
}

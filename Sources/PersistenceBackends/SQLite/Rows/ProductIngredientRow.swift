/// An ingredient of a product.
struct ProductIngredientRow: TableRow, ChildRow {
  var productID: Int
  var position: Int
  var ingredientID: Int
  var isRemovable: Bool

  var parent: Int { productID }

  static let table = Table(
    "product_ingredient",
    columns: [
      .integer("product_id").references("product"), .integer("position"),
      .integer("ingredient_id").references("ingredient"), .integer("is_removable"),
    ], key: ["product_id", "position"])
}

extension ProductIngredientRow {
  func put(into sink: inout some ValueSink) {
    sink.put(productID)
    sink.put(position)
    sink.put(ingredientID)
    sink.put(isRemovable)
  }

  init(from row: inout RowReader) throws {
    productID = row.int()
    position = row.int()
    ingredientID = row.int()
    isRemovable = try row.bool()
  }
}

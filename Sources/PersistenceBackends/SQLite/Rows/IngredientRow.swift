/// An ingredient.
struct IngredientRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var name: String

  static let table = Table(
    "ingredient",
    columns: [.integer("id"), .integer("position"), .optionalText("code"), .text("name")],
    key: ["id"])
}

extension IngredientRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    name = try row.text()
  }
}

/// A product without its lists.
struct ProductRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var categoryID: Int
  var kind: String
  var name: String
  var details: String
  var availability: String

  static let table = Table(
    "product",
    columns: [
      .integer("id"), .integer("position"), .optionalText("code"),
      .integer("category_id").references("category"), .text("kind"), .text("name"),
      .text("details"), .text("availability"),
    ], key: ["id"])
}

extension ProductRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(categoryID)
    sink.put(kind)
    sink.put(name)
    sink.put(details)
    sink.put(availability)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    categoryID = row.int()
    kind = try row.text()
    name = try row.text()
    details = try row.text()
    availability = try row.text()
  }
}

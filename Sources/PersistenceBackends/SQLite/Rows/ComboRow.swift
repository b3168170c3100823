/// A combo without its slots.
struct ComboRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String

  static let table = Table(
    "combo",
    columns: [
      .integer("id"), .integer("position"), .optionalText("code"), .text("name"),
      .text("details"), .optionalInteger("price"), .optionalInteger("old_price"), .text("image"),
    ], key: ["id"])
}

extension ComboRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(name)
    sink.put(details)
    sink.put(price)
    sink.put(oldPrice)
    sink.put(image)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    name = try row.text()
    details = try row.text()
    price = row.optionalInt()
    oldPrice = row.optionalInt()
    image = try row.text()
  }
}

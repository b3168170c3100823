/// The menu itself: one row, its own fields only.
struct MenuRow: TableRow {
  var id: Int
  var revision: Int
  var locale: String
  var currency: String
  var city: String

  static let table = Table(
    "menu",
    columns: [
      .integer("id"), .integer("revision"), .text("locale"), .text("currency"), .text("city"),
    ], key: ["id"])
}

extension MenuRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(revision)
    sink.put(locale)
    sink.put(currency)
    sink.put(city)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    revision = row.int()
    locale = try row.text()
    currency = try row.text()
    city = try row.text()
  }
}

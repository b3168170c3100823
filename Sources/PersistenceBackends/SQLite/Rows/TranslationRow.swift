/// The texts of one thing in a further language. It names things of any kind, as ``StopListRow``.
struct TranslationRow: TableRow {
  var position: Int
  var locale: String
  var entity: String
  var entityID: Int
  var name: String
  var details: String?

  static let table = Table(
    "translation",
    columns: [
      .integer("position"), .text("locale"), .text("entity"), .integer("entity_id"),
      .text("name"), .optionalText("details"),
    ], key: ["position"])
}

extension TranslationRow {
  func put(into sink: inout some ValueSink) {
    sink.put(position)
    sink.put(locale)
    sink.put(entity)
    sink.put(entityID)
    sink.put(name)
    sink.put(details)
  }

  init(from row: inout RowReader) throws {
    position = row.int()
    locale = try row.text()
    entity = try row.text()
    entityID = row.int()
    name = try row.text()
    details = try row.optionalText()
  }
}

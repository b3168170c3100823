/// An entry of the stop list. It names things of any kind, which no foreign key can say.
struct StopListRow: TableRow {
  var position: Int
  var entity: String
  var entityID: Int
  var until: String?

  static let table = Table(
    "stop_list",
    columns: [
      .integer("position"), .text("entity"), .integer("entity_id"), .optionalText("until"),
    ], key: ["position"])
}

extension StopListRow {
  func put(into sink: inout some ValueSink) {
    sink.put(position)
    sink.put(entity)
    sink.put(entityID)
    sink.put(until)
  }

  init(from row: inout RowReader) throws {
    position = row.int()
    entity = try row.text()
    entityID = row.int()
    until = try row.optionalText()
  }
}

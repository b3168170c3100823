/// A category. Its parent may stand anywhere in the menu, so the reference is checked at the commit.
struct CategoryRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var parentID: Int?
  var name: String

  static let table = Table(
    "category",
    columns: [
      .integer("id"), .integer("position"),
      .optionalInteger("parent_id").references("category", deferred: true), .text("name"),
    ], key: ["id"], indexes: ["parent_id"])
}

extension CategoryRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(parentID)
    sink.put(name)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    parentID = row.optionalInt()
    name = try row.text()
  }
}

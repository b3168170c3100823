/// A modifier group without its options.
struct ModifierGroupRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var free: Int
  var isRequired: Bool

  static let table = Table(
    "modifier_group",
    columns: [
      .integer("id"), .integer("position"), .text("name"), .integer("min"), .integer("max"),
      .integer("free"), .integer("is_required"),
    ], key: ["id"])
}

extension ModifierGroupRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(name)
    sink.put(min)
    sink.put(max)
    sink.put(free)
    sink.put(isRequired)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    name = try row.text()
    min = row.int()
    max = row.int()
    free = row.int()
    isRequired = try row.bool()
  }
}

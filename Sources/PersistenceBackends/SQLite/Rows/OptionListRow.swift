/// A shared option list without its options.
struct OptionListRow: TableRow, Positioned {
  var id: Int
  var position: Int

  static let table = Table(
    "option_list", columns: [.integer("id"), .integer("position")], key: ["id"])
}

extension OptionListRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
  }
}

/// The price of a modifier option for one size.
struct ModifierPriceRow: TableRow, ChildRow {
  var groupID: Int
  var optionPosition: Int
  var position: Int
  var size: String
  var price: Int

  var parent: Option { Option(groupID: groupID, position: optionPosition) }

  /// What names an option: it has no id of its own.
  struct Option: Hashable, Sendable {
    var groupID: Int
    var position: Int
  }

  static let table = Table(
    "modifier_price",
    columns: [
      .integer("group_id"), .integer("option_position"), .integer("position"), .text("size"),
      .integer("price"),
    ], key: ["group_id", "option_position", "position"],
    constraints: [
      """
      FOREIGN KEY (group_id, option_position) REFERENCES modifier_option (group_id, position)
      """
    ])
}

extension ModifierPriceRow {
  func put(into sink: inout some ValueSink) {
    sink.put(groupID)
    sink.put(optionPosition)
    sink.put(position)
    sink.put(size)
    sink.put(price)
  }

  init(from row: inout RowReader) throws {
    groupID = row.int()
    optionPosition = row.int()
    position = row.int()
    size = try row.text()
    price = row.int()
  }
}

/// An option of a modifier group without its prices.
struct ModifierOptionRow: TableRow, ChildRow {
  var groupID: Int
  var position: Int
  var ingredientID: Int

  var parent: Int { groupID }

  static let table = Table(
    "modifier_option",
    columns: [
      .integer("group_id").references("modifier_group"), .integer("position"),
      .integer("ingredient_id").references("ingredient"),
    ], key: ["group_id", "position"])
}

extension ModifierOptionRow {
  func put(into sink: inout some ValueSink) {
    sink.put(groupID)
    sink.put(position)
    sink.put(ingredientID)
  }

  init(from row: inout RowReader) throws {
    groupID = row.int()
    position = row.int()
    ingredientID = row.int()
  }
}

/// A slot of a combo without its options.
///
/// The index finds the slots of one combo: an entry a slot, as for ``VariantRow``.
struct SlotRow: TableRow {
  var id: Int
  var comboID: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var optionListID: Int?
  /// Tells a list of its own that is empty from none.
  var hasOwnOptions: Bool
  var defaultProductID: Int?

  static let table = Table(
    "slot",
    columns: [
      .integer("id"), .integer("combo_id").references("combo"), .integer("position"),
      .text("name"), .integer("min"), .integer("max"),
      .optionalInteger("option_list_id").references("option_list"),
      .integer("has_own_options"),
      .optionalInteger("default_product_id").references("product"),
    ], key: ["id"], indexes: ["combo_id"])
}

extension SlotRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(comboID)
    sink.put(position)
    sink.put(name)
    sink.put(min)
    sink.put(max)
    sink.put(optionListID)
    sink.put(hasOwnOptions)
    sink.put(defaultProductID)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    comboID = row.int()
    position = row.int()
    name = try row.text()
    min = row.int()
    max = row.int()
    optionListID = row.optionalInt()
    hasOwnOptions = try row.bool()
    defaultProductID = row.optionalInt()
  }
}

/// An option of a shared list or of a slot's own: two tables of one make.
///
/// A product embedded in the menu is kept once, in its own table; the flag says to embed it again.
struct SlotOptionRow<Owner: OptionOwner>: TableRow, ChildRow {
  var ownerID: Int
  var position: Int
  var productID: Int
  var variantID: Int?
  var surcharge: Int
  var embedsProduct: Bool

  var parent: Int { ownerID }

  static var table: Table {
    Table(
      Owner.optionTable,
      columns: [
        .integer("\(Owner.table)_id").references(Owner.table), .integer("position"),
        .integer("product_id").references("product"),
        .optionalInteger("variant_id").references("variant"), .integer("surcharge"),
        .integer("embeds_product"),
      ], key: ["\(Owner.table)_id", "position"])
  }
}

extension SlotOptionRow {
  func put(into sink: inout some ValueSink) {
    sink.put(ownerID)
    sink.put(position)
    sink.put(productID)
    sink.put(variantID)
    sink.put(surcharge)
    sink.put(embedsProduct)
  }

  init(from row: inout RowReader) throws {
    ownerID = row.int()
    position = row.int()
    productID = row.int()
    variantID = row.optionalInt()
    surcharge = row.int()
    embedsProduct = try row.bool()
  }
}

/// What options belong to.
protocol OptionOwner: Hashable, Sendable {
  /// The table that owners are kept in.
  static var table: String { get }
  /// The table that their options are kept in.
  static var optionTable: String { get }
}

/// A list that slots share.
enum SharedList: OptionOwner {
  static let table = "option_list"
  static let optionTable = "list_option"
}

/// A slot with options of its own.
enum OwnList: OptionOwner {
  static let table = "slot"
  static let optionTable = "slot_option"
}

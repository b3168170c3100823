/// A combo without its slots.
struct ComboRow: TableRow, Positioned {
  var id: Int
  var position: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String

  static let table = Table(
    "combo",
    columns: [
      .integer("id"), .integer("position"), .optionalText("code"), .text("name"),
      .text("details"), .optionalInteger("price"), .optionalInteger("old_price"), .text("image"),
    ], key: ["id"])
}

extension ComboRow {
  func put(into sink: inout some ValueSink) {
    sink.put(id)
    sink.put(position)
    sink.put(code)
    sink.put(name)
    sink.put(details)
    sink.put(price)
    sink.put(oldPrice)
    sink.put(image)
  }

  init(from row: inout RowReader) throws {
    id = row.int()
    position = row.int()
    code = try row.optionalText()
    name = try row.text()
    details = try row.text()
    price = row.optionalInt()
    oldPrice = row.optionalInt()
    image = try row.text()
  }
}

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

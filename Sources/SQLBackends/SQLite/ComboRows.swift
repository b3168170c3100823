import BackendKit
import MenuModel

/// The rows of combos, of their slots and of the slots' options.
struct ComboRows: Hashable, Sendable {
  var optionLists: [OptionListRow] = []
  var listOptions: [SlotOptionRow<SharedList>] = []
  var rows: [ComboRow] = []
  var slots: [SlotRow] = []
  var slotOptions: [SlotOptionRow<OwnList>] = []
}

extension ComboRows {
  /// Throws ``StoreError`` if an embedded product differs from the menu's own.
  init(_ combos: [Combo], _ lists: [OptionList], _ catalogue: Catalogue) throws {
    for index in lists.indices(by: \.id) {
      let list = lists[index]
      optionLists.append(OptionListRow(id: list.id, position: index))
      listOptions += try Self.rows(of: list.options, owner: list.id, catalogue)
    }
    for index in combos.indices(by: \.id) {
      let combo = combos[index]
      rows.append(
        ComboRow(
          id: combo.id, position: index, code: combo.code, name: combo.name,
          details: combo.details, price: combo.price, oldPrice: combo.oldPrice,
          image: combo.image))
    }
    try addSlots(of: combos, catalogue)
  }

  /// Adds the slots of all combos, in the order of the slots' ids, and their own options.
  private mutating func addSlots(of combos: [Combo], _ catalogue: Catalogue) throws {
    let all = combos.flatMap { combo in
      combo.slots.enumerated().map {
        Placed(parent: combo.id, position: $0.offset, value: $0.element)
      }
    }
    for index in all.indices(by: \.value.id) {
      let slot = all[index].value
      slots.append(
        SlotRow(
          id: slot.id, comboID: all[index].parent, position: all[index].position,
          name: slot.name, min: slot.min, max: slot.max, optionListID: slot.optionListID,
          hasOwnOptions: slot.options != nil, defaultProductID: slot.defaultProductID))
      slotOptions += try Self.rows(of: slot.options ?? [], owner: slot.id, catalogue)
    }
  }

  private static func rows<Owner: OptionOwner>(
    of options: [SlotOption], owner: Int, _ catalogue: Catalogue
  ) throws -> [SlotOptionRow<Owner>] {
    try options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRow(
        parent: owner, position: position, productID: option.productID,
        variantID: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }

  /// Builds the shared lists in the order of the menu.
  func lists(_ catalogue: Catalogue) throws -> [OptionList] {
    var options = Children(listOptions)
    let lists = try optionLists.map { row in
      OptionList(
        id: row.id,
        options: try options.next(of: row.id).map { try SlotOption($0, catalogue) })
    }
    try options.finish()
    return lists.arranged(by: optionLists)
  }

  /// Builds the combos in the order of the menu.
  func combos(_ catalogue: Catalogue) throws -> [Combo] {
    var slots = Children(try placedSlots(catalogue).grouped())
    let combos = rows.map { row in
      Combo(
        id: row.id, code: row.code, name: row.name, details: row.details, price: row.price,
        oldPrice: row.oldPrice, image: row.image, slots: slots.next(of: row.id).map(\.value))
    }.arranged(by: rows)
    try slots.finish()
    return combos
  }

  /// Builds the slots in the order of their ids.
  private func placedSlots(_ catalogue: Catalogue) throws -> [Placed<Slot>] {
    var options = Children(slotOptions)
    let placed = try slots.map { row in
      let own =
        try row.hasOwnOptions
        ? options.next(of: row.id).map { try SlotOption($0, catalogue) } : nil
      return Placed(
        parent: row.comboID, position: row.position,
        value: Slot(
          id: row.id, name: row.name, min: row.min, max: row.max,
          optionListID: row.optionListID, options: own, defaultProductID: row.defaultProductID))
    }
    try options.finish()
    return placed
  }
}

extension SlotOption {
  fileprivate init(_ row: SlotOptionRow<some OptionOwner>, _ catalogue: Catalogue) throws {
    self.init(
      productID: row.productID, variantID: row.variantID, surcharge: row.surcharge,
      product: row.embedsProduct ? try catalogue.product(row.productID) : nil)
  }
}

/// A combo without its slots. The index on `position` finds the first combos.
struct ComboRow: TableRow, Positioned {
  static let table = Table("combo", columns: columns, key: ["id"], indexes: ["position"])

  var id = 0
  var position = 0
  var code: String?
  var name = ""
  var details = ""
  var price: Int?
  var oldPrice: Int?
  var image = ""

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
    try visitor.field("code", &code)
    try visitor.field("name", &name)
    try visitor.field("details", &details)
    try visitor.field("price", &price)
    try visitor.field("old_price", &oldPrice)
    try visitor.field("image", &image)
  }
}

/// A slot of a combo without its options.
///
/// The index finds the slots of one combo. It has one entry per slot, as that of ``VariantRow``.
struct SlotRow: TableRow {
  static let table = Table("slot", columns: columns, key: ["id"], indexes: ["combo_id"])

  var id = 0
  var comboID = 0
  var position = 0
  var name = ""
  var min = 0
  var max = 0
  var optionListID: Int?
  /// Distinguishes an own list that is empty from a slot without an own list.
  var hasOwnOptions = false
  var defaultProductID: Int?

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.reference("combo_id", &comboID, to: "combo")
    try visitor.field("position", &position)
    try visitor.field("name", &name)
    try visitor.field("min", &min)
    try visitor.field("max", &max)
    try visitor.reference("option_list_id", &optionListID, to: "option_list")
    try visitor.field("has_own_options", &hasOwnOptions)
    try visitor.reference("default_product_id", &defaultProductID, to: "product")
  }
}

/// A shared option list without its options.
struct OptionListRow: TableRow, Positioned {
  static let table = Table("option_list", columns: columns, key: ["id"])

  var id = 0
  var position = 0

  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("id", &id)
    try visitor.field("position", &position)
  }
}

/// An option of a shared list or of a slot's own list. The two tables have the same columns.
///
/// An embedded product is stored once, in its own table, and `embedsProduct` is true.
struct SlotOptionRow<Owner: OptionOwner>: TableRow, ChildRow {
  // The owner stores the table: a generic type cannot, and GRDB asks for its name with every record.
  static var table: Table { Owner.options }

  var parent = 0
  var position = 0
  var productID = 0
  var variantID: Int?
  var surcharge = 0
  var embedsProduct = false

  // These are most of the rows: a call for each would show in the exact counts.
  @inline(__always)
  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure) {
    try visitor.reference(Owner.column, &parent, to: Owner.table)
    try visitor.field("position", &position)
    try visitor.reference("product_id", &productID, to: "product")
    try visitor.reference("variant_id", &variantID, to: "variant")
    try visitor.field("surcharge", &surcharge)
    try visitor.field("embeds_product", &embedsProduct)
  }

  fileprivate static func makeTable(_ name: String) -> Table {
    Table(name, columns: columns, key: [Owner.column, "position"])
  }
}

/// The owner of a list of options.
protocol OptionOwner: Hashable, Sendable {
  /// The table of the owners.
  static var table: String { get }
  /// The table of their options.
  static var options: Table { get }
  /// The column with which an option refers to its owner.
  static var column: String { get }
}

/// A list that slots share.
enum SharedList: OptionOwner {
  static var table: String { "option_list" }
  static let options: Table = SlotOptionRow<SharedList>.makeTable("list_option")
  static var column: String { "option_list_id" }
}

/// A slot with options of its own.
enum OwnList: OptionOwner {
  static var table: String { "slot" }
  static let options: Table = SlotOptionRow<OwnList>.makeTable("slot_option")
  static var column: String { "slot_id" }
}

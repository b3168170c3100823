import GRDB
import MenuModel

/// A slot of a combo without its options.
struct SlotRecord: OrderedRecord {
  static let databaseTableName = "slot"
  static let options = hasMany(SlotOptionRecord.self, key: "options").ordered()
  static let optionList = belongsTo(OptionListRecord.self, key: "optionList")

  var id: Int
  var comboId: Int
  var position: Int
  var name: String
  var min: Int
  var max: Int
  var optionListId: Int?
  /// Tells a list of its own that is empty from none.
  var hasOwnOptions: Bool
  var defaultProductId: Int?
}

/// An option of a slot's own.
struct SlotOptionRecord: OptionRecord {
  static let databaseTableName = "slotOption"

  var slotId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

extension SlotRecord {
  init(_ slot: Slot, of combo: Int, at position: Int) {
    self.init(
      id: slot.id, comboId: combo, position: position, name: slot.name.stored, min: slot.min,
      max: slot.max, optionListId: slot.optionListID, hasOwnOptions: slot.options != nil,
      defaultProductId: slot.defaultProductID)
  }

  /// The slot with its own options, which count only where it says that it has some.
  func slot(_ options: [SlotOptionRecord], _ catalogue: Catalogue) throws -> Slot {
    Slot(
      id: id, name: try name.restored(), min: min, max: max, optionListID: optionListId,
      options: hasOwnOptions ? try options.map { try $0.option(catalogue) } : nil,
      defaultProductID: defaultProductId)
  }
}

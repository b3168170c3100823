import GRDB
import MenuModel

/// A combo without its slots.
struct ComboRecord: OrderedRecord, Identifiable {
  static let databaseTableName = "combo"
  static let slots = hasMany(SlotRecord.self, key: "slots").ordered()

  var id: Int
  var position: Int
  var code: String?
  var name: String
  var details: String
  var price: Int?
  var oldPrice: Int?
  var image: String
}

extension ComboRecord {
  init(_ combo: Combo, at position: Int) {
    self.init(
      id: combo.id, position: position, code: combo.code?.stored, name: combo.name.stored,
      details: combo.details.stored, price: combo.price, oldPrice: combo.oldPrice,
      image: combo.image.stored)
  }

  /// The combo with its slots.
  func combo(_ slots: [Slot]) throws -> Combo {
    Combo(
      id: id, code: try code?.restored(), name: try name.restored(),
      details: try details.restored(), price: price, oldPrice: oldPrice,
      image: try image.restored(), slots: slots)
  }
}

import GRDB
import MenuModel

/// A combo with its slots and the options of their own.
struct ComboInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var combo: ComboRecord
  var slots: [SlotInfo]

  /// Every combo, in the order of the menu.
  static var all: QueryInterfaceRequest<ComboInfo> {
    ComboRecord.all().ordered()
      .including(all: ComboRecord.slots.including(all: SlotRecord.options))
      .asRequest(of: ComboInfo.self)
  }
}

/// A slot with the options of its own.
struct SlotInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
}

extension ComboInfo {
  /// Throws ``StorageError`` where an embedded product is not the menu's own.
  init(_ combo: Combo, at position: Int, _ catalogue: Catalogue) throws {
    self.combo = ComboRecord(combo, at: position)
    slots = try combo.slots.enumerated().map {
      try SlotInfo($0.element, of: combo.id, at: $0.offset, catalogue)
    }
  }

  /// The combo.
  func whole(_ catalogue: Catalogue) throws -> Combo {
    try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) })
  }

  /// Gives the combo, then its slots, each with its options.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(combo)
    for slot in slots {
      try sink.take(slot.slot)
      for option in slot.options { try sink.take(option) }
    }
  }
}

extension SlotInfo {
  fileprivate init(
    _ slot: Slot, of combo: Int, at position: Int, _ catalogue: Catalogue
  ) throws {
    self.slot = SlotRecord(slot, of: combo, at: position)
    options = try (slot.options ?? []).enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return SlotOptionRecord(
        slotId: slot.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }
}

import Foundation
import MenuModel
import SwiftProtobuf

extension PBMenu {
  /// Makes the message of the program on the other side of a change. If an older program wrote fields
  /// that are no longer written, it has the older schema's number. Added fields change no number.
  init(_ menu: Menu, across change: SchemaChange) throws {
    self.init(menu)
    if change == .split || change == .type { schema = Self.currentSchema - 1 }
    let newer = try change.newerProduct()
    for index in products.indices { try products[index].cross(change, newer) }
    for list in optionLists.indices { try optionLists[list].options.cross(change, newer) }
    for combo in combos.indices { try combos[combo].cross(change, newer) }
  }
}

extension SchemaChange {
  /// A product with only the field that a newer program has, or nil for other changes.
  func newerProduct() throws -> PBProduct? { try self == .back ? PBProduct.newer() : nil }
}

extension PBCombo {
  /// Changes the own options to those that the program on the other side of a change would write.
  mutating func cross(_ change: SchemaChange, _ newer: PBProduct?) throws {
    for slot in slots.indices where slots[slot].hasOwn {
      try slots[slot].own.options.cross(change, newer)
    }
  }
}

extension [PBSlotOption] {
  /// Changes the embedded products to those that the program on the other side of a change would write.
  mutating func cross(_ change: SchemaChange, _ newer: PBProduct?) throws {
    for index in indices where self[index].hasProduct {
      try self[index].product.cross(change, newer)
    }
  }
}

extension PBProduct {
  /// A product with only the field that a newer program has: number 100 with the value 5.
  fileprivate static func newer() throws -> PBProduct {
    try PBProduct(serializedBytes: Data([0xA0, 0x06, 5]))
  }

  /// Changes the product to what the program on the other side of a change would write.
  mutating func cross(_ change: SchemaChange, _ newer: PBProduct?) throws {
    switch change {
    case .optional: clearCode()
    case .required: kind = .unspecified
    case .split:
      let older = PBOlderProduct.with { $0.label = name + ": " + details }
      (name, details) = ("", "")
      try merge(serializedBytes: older.serializedBytes() as Data)
    case .type:
      for index in variants.indices {
        let older = PBOlderVariant.with { $0.amount = Double(variants[index].price) / 100 }
        variants[index].price = 0
        try variants[index].merge(serializedBytes: older.serializedBytes() as Data)
      }
    case .back: if let newer { unknownFields = newer.unknownFields }
    }
  }
}

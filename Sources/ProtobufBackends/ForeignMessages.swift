import Foundation
import MenuModel
import SwiftProtobuf

extension PBMenu {
  /// The message of the program on the other side of a change. Older ones that wrote what is no longer
  /// written have the older schema's number; what was only added changes no number.
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
  /// A product of nothing but the field that a newer program has; nil where it has none.
  func newerProduct() throws -> PBProduct? { try self == .back ? PBProduct.newer() : nil }
}

extension PBCombo {
  /// As the program on the other side of a change would have written it.
  mutating func cross(_ change: SchemaChange, _ newer: PBProduct?) throws {
    for slot in slots.indices where slots[slot].hasOwn {
      try slots[slot].own.options.cross(change, newer)
    }
  }
}

extension [PBSlotOption] {
  /// The embedded products as the program on the other side of a change would have written them.
  mutating func cross(_ change: SchemaChange, _ newer: PBProduct?) throws {
    for index in indices where self[index].hasProduct {
      try self[index].product.cross(change, newer)
    }
  }
}

extension PBProduct {
  /// A product of nothing but the field that a newer program has: number 100, a 5.
  fileprivate static func newer() throws -> PBProduct {
    try PBProduct(serializedBytes: Data([0xA0, 0x06, 5]))
  }

  /// As the program on the other side of a change would have written it.
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

/// One change of the menu's schema between the program that wrote a store and this one, as a
/// release of an app makes it.
public enum SchemaChange: String, CaseIterable, Sendable {
  /// An optional field was added: older programs do not have ``Product/code``.
  case optional
  /// A required field was added: older programs do not have ``Product/kind``. Products with a dough
  /// become pizzas, all others ``Product/Kind/other``.
  case required
  /// One field became two: older programs have `label`, in the form `name: details`, instead of
  /// ``Product/name`` and ``Product/details``.
  case split
  /// A field changed its type: older programs have `amount`, a number in major units, instead of
  /// ``Variant/price`` in minor units.
  case type
  /// A rollback by one version: products written by the newer program also have a `rating`.
  case back
}

extension Menu {
  /// Returns the menu that this program reads after a change. Fields that the other program did not
  /// write have the values that the change defines.
  public func across(_ change: SchemaChange) -> Menu {
    var menu = self
    menu.changeProducts { $0.cross(change) }
    return menu
  }

  /// Changes every product and its embedded copies in options.
  mutating func changeProducts(_ change: (inout Product) -> Void) {
    for index in products.indices { change(&products[index]) }
    for list in optionLists.indices { optionLists[list].options.changeProducts(change) }
    for combo in combos.indices {
      for slot in combos[combo].slots.indices {
        combos[combo].slots[slot].options?.changeProducts(change)
      }
    }
  }
}

extension [SlotOption] {
  fileprivate mutating func changeProducts(_ change: (inout Product) -> Void) {
    for index in indices { self[index].product?.pass(to: change) }
  }
}

extension Product {
  /// Changes the product in place, since a copy would copy its lists.
  fileprivate mutating func pass(to change: (inout Product) -> Void) { change(&self) }

  fileprivate mutating func cross(_ change: SchemaChange) {
    switch change {
    case .optional: code = nil
    case .required: kind = .formerly(of: variants)
    case .split: (name, details) = Self.texts(ofLabel: label)
    case .type:
      for index in variants.indices {
        variants[index].price =
          Variant.price(ofAmount: variants[index].amount)
          ?? variants[index].price
      }
    case .back: break
    }
  }

  /// The text that the `split` change divided into ``name`` and ``details``.
  package var label: String { name + ": " + details }

  /// Splits a label at the first `: ` into name and details. Without it, all is the name.
  ///
  /// Compares UTF-8, as databases do: in a `String`, a space before a combining mark is a different
  /// character.
  package static func texts(ofLabel label: String) -> (name: String, details: String) {
    guard let end = label.utf8.firstRange(of: ": ".utf8) else { return (label, "") }
    return (String(label[..<end.lowerBound]), String(label[end.upperBound...]))
  }
}

extension Product.Kind {
  /// The kind of a product that was stored without one.
  package static func formerly(of variants: [Variant]) -> Self {
    variants.contains { $0.dough != nil } ? .pizza : .other
  }
}

extension Variant {
  /// The price in major units.
  package var amount: Double { Double(price) / 100 }

  /// Converts a price from major to minor units. Returns nil if it does not fit.
  package static func price(ofAmount amount: Double) -> Int? {
    Int(exactly: (amount * 100).rounded())
  }
}

// Any decoder reads data of older programs, as in an app: an absent field gets the value that its change
// defines. If no field is absent, decoding costs the same as with the compiler's own `init(from:)`.
extension KeyedDecodingContainer {
  /// Decodes a list that older menus do not have. Returns an empty list if it is absent.
  func list<Element: Decodable>(_ key: Key) throws -> [Element] {
    try decodeIfPresent([Element].self, forKey: key) ?? []
  }

  /// Decodes store overrides, which older menus do not have. The compiler's `init(from:)` of a menu
  /// calls this overload.
  func decode(_ type: [StoreOverride].Type, forKey key: Key) throws -> [StoreOverride] {
    try list(key)
  }
}

/// What lies between the program that wrote a store and this one: one change of what a menu is made
/// of, as a release of an app brings it.
public enum SchemaChange: String, CaseIterable, Sendable {
  /// A field was added that may be absent: older programs knew no ``Product/code``.
  case optional
  /// A field was added that has to be there: older programs knew no ``Product/kind``. Products with a
  /// dough become pizzas, all else is ``Product/Kind/other``.
  case required
  /// One field became two: older programs had `label`, `name: details`, in the place of
  /// ``Product/name`` and ``Product/details``.
  case split
  /// A field changed its type: older programs had `amount`, a number in major units, in the place of
  /// ``Variant/price`` in minor ones.
  case type
  /// One version back, after a rollback: a newer program's products have a `rating` as well.
  case back
}

extension Menu {
  /// The menu as this program knows it once it came across a change: what the other program did not
  /// write is filled in as the change says.
  public func across(_ change: SchemaChange) -> Menu {
    var menu = self
    menu.changeProducts { $0.cross(change) }
    return menu
  }

  /// Changes every product, and the copies that options embed.
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
  /// In place: a copy would copy its lists.
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

  /// The text that was split into ``name`` and ``details``.
  package var label: String { name + ": " + details }

  /// The name before the first `: ` of a label, and the details after it; all of it is the name where
  /// there is none.
  ///
  /// By UTF-8, as databases compare: to a `String` a combining mark makes another character of the
  /// space before it.
  package static func texts(ofLabel label: String) -> (name: String, details: String) {
    guard let end = label.utf8.firstRange(of: ": ".utf8) else { return (label, "") }
    return (String(label[..<end.lowerBound]), String(label[end.upperBound...]))
  }
}

extension Product.Kind {
  /// The kind of a product whose kind nobody stored.
  package static func formerly(of variants: [Variant]) -> Self {
    variants.contains { $0.dough != nil } ? .pizza : .other
  }
}

extension Variant {
  /// The price in major units.
  package var amount: Double { Double(price) / 100 }

  /// The price in minor units of one in major units; nil where it is too large for one.
  package static func price(ofAmount amount: Double) -> Int? {
    Int(exactly: (amount * 100).rounded())
  }
}

// What older programs encoded is decoded by any decoder, as an app does it: a field that is absent gets
// what the change that brought it says. Where nothing is absent this costs what the compiler's own
// `init(from:)` does.
extension KeyedDecodingContainer {
  /// A list that menus of before do not have; empty where it is absent.
  func list<Element: Decodable>(_ key: Key) throws -> [Element] {
    try decodeIfPresent([Element].self, forKey: key) ?? []
  }

  /// Store overrides, which menus of before do not have: the compiler's own `init(from:)` of a menu
  /// decodes them by this.
  func decode(_ type: [StoreOverride].Type, forKey key: Key) throws -> [StoreOverride] {
    try list(key)
  }
}

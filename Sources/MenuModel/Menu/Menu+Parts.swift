/// A part of a menu that can be used without the rest.
///
/// A storage may hand out a view of its own bytes instead of values, so feeding the checksum is what
/// pays for the part in full; it is timed together with finding it.
public protocol MenuPart {
  /// Feeds every field, in the order in which ``Product`` and ``ResolvedCombo`` do.
  func visit(_ checksum: inout Checksum) throws
}

/// A part that has a name, which can be taken without the rest.
public protocol NamedPart: MenuPart {
  /// Feeds the name alone.
  func visitName(_ checksum: inout Checksum) throws
}

/// A combo with everything that a screen needs of it: its options and the products behind them.
public struct ResolvedCombo: Hashable, Sendable {
  /// The combo as the menu has it.
  public var combo: Combo
  /// The options of every slot, whether shared or its own, in the order of the slots.
  public var options: [[SlotOption]]
  /// The products that the options name, each once, in the order in which they are first named.
  public var products: [Product]

  /// Makes a resolved combo.
  public init(combo: Combo, options: [[SlotOption]], products: [Product]) {
    self.combo = combo
    self.options = options
    self.products = products
  }
}

extension ResolvedCombo: MenuPart {
  /// Feeds the combo's own fields, then slot by slot its fields and options, then the products; not
  /// the copies that options embed, since those are the products.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(combo.id)
    checksum.add(combo.code)
    checksum.add(combo.name)
    checksum.add(combo.details)
    checksum.add(combo.price)
    checksum.add(combo.oldPrice)
    checksum.add(combo.image)
    checksum.add(combo.slots.count)
    for (slot, options) in zip(combo.slots, options) {
      checksum.add(slot.id)
      checksum.add(slot.name)
      checksum.add(slot.min)
      checksum.add(slot.max)
      checksum.add(slot.defaultProductID)
      checksum.add(options.count)
      for option in options {
        checksum.add(option.productID)
        checksum.add(option.variantID)
        checksum.add(option.surcharge)
      }
    }
    checksum.add(products.count)
    for product in products { product.visit(&checksum) }
  }
}

extension Menu {
  /// The product of an id; nil where there is none. Cost: a search.
  public func product(_ id: Int) -> Product? { products.first { $0.id == id } }

  /// The combo of an id, resolved; nil where there is none. Products that options name and the menu
  /// does not have are left out. Cost: a search, and an index of all products.
  public func resolvedCombo(_ id: Int) -> ResolvedCombo? {
    guard let combo = combos.first(where: { $0.id == id }) else { return nil }
    return ComboResolver(self).resolved(combo)
  }
}

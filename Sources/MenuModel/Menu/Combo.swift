import BenchDocuments

/// A set of products at one price: a customer fills each slot from its options.
public struct Combo: Codable, Hashable, Sendable {
  /// Unique among the menu's combos.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The name shown.
  public var name: String
  /// The text under the name.
  public var details: String
  /// Price in minor units, before surcharges; nil where the menu gives none.
  public var price: Int?
  /// The price without the combo, in minor units.
  public var oldPrice: Int?
  /// The picture's address or code.
  public var image: String
  /// What the customer chooses, in order; empty for a coupon whose content is not in the menu.
  public var slots: [Slot]

  /// Makes a combo.
  public init(
    id: Int, code: String? = nil, name: String, details: String, price: Int?,
    oldPrice: Int? = nil, image: String, slots: [Slot]
  ) {
    self.id = id
    self.code = code
    self.name = name
    self.details = details
    self.price = price
    self.oldPrice = oldPrice
    self.image = image
    self.slots = slots
  }

  /// Feeds all but the slots.
  func visitFields(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(name)
    checksum.add(details)
    checksum.add(price)
    checksum.add(oldPrice)
    checksum.add(image)
  }

  func visit(_ checksum: inout Checksum, _ resolver: SlotResolver) {
    visitFields(&checksum)
    checksum.addAll(slots) { slot, checksum in
      checksum.add(slot.id)
      checksum.add(slot.name)
      checksum.add(slot.min)
      checksum.add(slot.max)
      checksum.add(slot.optionListID)
      checksum.add(slot.options != nil)
      checksum.add(slot.defaultProductID)
      checksum.addAll(resolver.options(of: slot)) { $0.visit(&$1) }
    }
  }
}

/// One choice within a combo.
///
/// Its options are either a shared list (``optionListID``) or its own (``options``): exactly one of
/// the two is there. ``Menu/options(of:)`` gives them either way. The default belongs to the slot,
/// so that lists can be shared.
public struct Slot: Codable, Hashable, Sendable {
  /// Unique among the slots of the whole menu.
  public var id: Int
  /// The name shown: `Drink`.
  public var name: String
  /// The fewest options to choose.
  public var min: Int
  /// The most options to choose.
  public var max: Int
  /// The ``OptionList`` it shares with others.
  public var optionListID: Int?
  /// Its own options.
  public var options: [SlotOption]?
  /// The ``Product`` chosen at first, one of the options; nil where nothing is.
  public var defaultProductID: Int?

  /// Makes a slot; give either a list or options.
  public init(
    id: Int, name: String, min: Int, max: Int, optionListID: Int? = nil,
    options: [SlotOption]? = nil, defaultProductID: Int? = nil
  ) {
    self.id = id
    self.name = name
    self.min = min
    self.max = max
    self.optionListID = optionListID
    self.options = options
    self.defaultProductID = defaultProductID
  }
}

/// Options that several slots share.
public struct OptionList: Codable, Hashable, Sendable {
  /// Unique among the menu's option lists.
  public var id: Int
  /// The options, in the order to show them in; never empty.
  public var options: [SlotOption]

  /// Makes a list.
  public init(id: Int, options: [SlotOption]) {
    self.id = id
    self.options = options
  }
}

/// A product, or one variant of it, that may fill a slot.
public struct SlotOption: Codable, Hashable, Sendable {
  /// The ``Product``.
  public var productID: Int
  /// The only ``Variant`` allowed; nil where any is.
  public var variantID: Int?
  /// What it costs beyond the combo's price, in minor units; below zero where it gets cheaper.
  public var surcharge: Int
  /// A copy of the whole product, where a menu embeds instead of referencing; equal to the
  /// product of that id.
  public var product: Product?

  /// Makes an option.
  public init(productID: Int, variantID: Int? = nil, surcharge: Int = 0, product: Product? = nil) {
    self.productID = productID
    self.variantID = variantID
    self.surcharge = surcharge
    self.product = product
  }

  /// Feeds all but the embedded product.
  func visitFields(_ checksum: inout Checksum) {
    checksum.add(productID)
    checksum.add(variantID)
    checksum.add(surcharge)
  }

  func visit(_ checksum: inout Checksum) {
    visitFields(&checksum)
    checksum.add(product != nil)
    product?.visit(&checksum)
  }
}

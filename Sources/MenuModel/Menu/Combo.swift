import BenchDocuments

/// A set of products at one price. The customer fills each slot from its options.
public struct Combo: Codable, Hashable, Sendable {
  /// The id, unique among the menu's combos.
  public var id: Int
  /// The code in the chain's other systems.
  public var code: String?
  /// The displayed name.
  public var name: String
  /// The text below the name.
  public var details: String
  /// The price in minor units, without surcharges. Nil if the menu has no price.
  public var price: Int?
  /// The price of the products without the combo, in minor units.
  public var oldPrice: Int?
  /// The address or code of the picture.
  public var image: String
  /// The customer's choices, in order. Empty for a coupon whose content is not in the menu.
  public var slots: [Slot]

  /// Creates a combo.
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

  /// Adds all fields except the slots to a checksum.
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
/// A slot has either a shared list (``optionListID``) or its own options (``options``), never both.
/// ``Menu/options(of:)`` returns them in either case. The default belongs to the slot, so that
/// slots with different defaults can share a list.
public struct Slot: Codable, Hashable, Sendable {
  /// The id, unique among the slots of the whole menu.
  public var id: Int
  /// The displayed name, such as `Drink`.
  public var name: String
  /// The minimum number of options to choose.
  public var min: Int
  /// The maximum number of options to choose.
  public var max: Int
  /// The id of the shared ``OptionList``.
  public var optionListID: Int?
  /// The slot's own options.
  public var options: [SlotOption]?
  /// The id of the preselected ``Product``, which is one of the options. Nil if there is none.
  public var defaultProductID: Int?

  /// Creates a slot. Pass either a list or options.
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
  /// The id, unique among the menu's option lists.
  public var id: Int
  /// The options in display order. Never empty.
  public var options: [SlotOption]

  /// Creates a list.
  public init(id: Int, options: [SlotOption]) {
    self.id = id
    self.options = options
  }
}

/// A product, or one of its variants, that can fill a slot.
public struct SlotOption: Codable, Hashable, Sendable {
  /// The id of the ``Product``.
  public var productID: Int
  /// The id of the only allowed ``Variant``. Nil if any variant is allowed.
  public var variantID: Int?
  /// The amount added to the combo's price, in minor units. Negative if the option is cheaper.
  public var surcharge: Int
  /// A copy of the whole product, if the menu embeds products. It equals the product with that
  /// id.
  public var product: Product?

  /// Creates an option.
  public init(productID: Int, variantID: Int? = nil, surcharge: Int = 0, product: Product? = nil) {
    self.productID = productID
    self.variantID = variantID
    self.surcharge = surcharge
    self.product = product
  }

  /// Adds all fields except the embedded product to a checksum.
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

/// Small changes that a menu gets many times a day: prices and what can be ordered.
public struct MenuPatch: Hashable, Sendable {
  /// The menu's revision afterwards.
  public var revision: Int
  /// New prices of variants; of several of one variant the last counts.
  public var prices: [PriceChange]
  /// New availability of products; of several of one product the last counts.
  public var availability: [AvailabilityChange]

  /// Makes a patch.
  public init(
    revision: Int, prices: [PriceChange] = [], availability: [AvailabilityChange] = []
  ) {
    self.revision = revision
    self.prices = prices
    self.availability = availability
  }

  /// A variant's new price.
  public struct PriceChange: Hashable, Sendable {
    /// The ``Variant``.
    public var variantID: Int
    /// Price in minor units.
    public var price: Int

    /// Makes a change.
    public init(variantID: Int, price: Int) {
      self.variantID = variantID
      self.price = price
    }
  }

  /// Whether a product can be ordered from now on.
  public struct AvailabilityChange: Hashable, Sendable {
    /// The ``Product``.
    public var productID: Int
    /// What it becomes.
    public var availability: Product.Availability

    /// Makes a change.
    public init(productID: Int, availability: Product.Availability) {
      self.productID = productID
      self.availability = availability
    }
  }
}

/// A patch's changes by what they change.
package struct PatchChanges: Sendable {
  /// By a variant's id.
  package let prices: [Int: Int]
  /// By a product's id.
  package let availability: [Int: Product.Availability]

  package init(_ patch: MenuPatch) {
    prices = Dictionary(patch.prices.map { ($0.variantID, $0.price) }, uniquingKeysWith: { $1 })
    availability = Dictionary(
      patch.availability.map { ($0.productID, $0.availability) }, uniquingKeysWith: { $1 })
  }
}

/// A patch that names what the menu does not have.
public struct UnknownPatchTarget: Error, Hashable, Sendable {
  /// What kind of thing: ``Entity/product`` or ``Entity/variant``.
  public var entity: Entity
  /// The id that nothing has.
  public var id: Int

  /// Says that the menu has no such thing of its own.
  public init(entity: Entity, id: Int) {
    self.entity = entity
    self.id = id
  }
}

extension Menu {
  /// Applies a patch to products and to the copies that options embed.
  ///
  /// - Throws: ``UnknownPatchTarget`` where the patch names what is not there; the menu is then as
  ///   it was.
  public mutating func apply(_ patch: MenuPatch) throws(UnknownPatchTarget) {
    let changes = PatchChanges(patch)
    try check(patch)
    revision = patch.revision
    changeProducts { $0.take(changes) }
  }

  private func check(_ patch: MenuPatch) throws(UnknownPatchTarget) {
    let known = Set(products.map(\.id))
    for change in patch.availability where !known.contains(change.productID) {
      throw UnknownPatchTarget(entity: .product, id: change.productID)
    }
    let variants = Set(products.flatMap { $0.variants.map(\.id) })
    for change in patch.prices where !variants.contains(change.variantID) {
      throw UnknownPatchTarget(entity: .variant, id: change.variantID)
    }
  }
}

extension Product {
  fileprivate mutating func take(_ changes: PatchChanges) {
    if let change = changes.availability[id] { availability = change }
    for index in variants.indices {
      if let price = changes.prices[variants[index].id] { variants[index].price = price }
    }
  }
}

/// Small, frequent changes of a menu: prices, availability and the stop list.
public struct MenuPatch: Hashable, Sendable {
  /// The menu's revision after the patch.
  public var revision: Int
  /// New prices of variants. If a variant occurs more than once, the last price counts.
  public var prices: [PriceChange]
  /// New availability of products. If a product occurs more than once, the last value counts.
  public var availability: [AvailabilityChange]
  /// Things that go out of stock or come back. If one occurs twice, the last change counts.
  public var stops: [StopChange]

  /// Creates a patch.
  public init(
    revision: Int, prices: [PriceChange] = [], availability: [AvailabilityChange] = [],
    stops: [StopChange] = []
  ) {
    self.revision = revision
    self.prices = prices
    self.availability = availability
    self.stops = stops
  }

  /// A thing that goes out of stock or comes back.
  public struct StopChange: Hashable, Sendable {
    /// The kind of thing: a product, a variant or an ingredient.
    public var entity: Entity
    /// Its id among things of the same kind.
    public var entityID: Int
    /// Whether it is out of stock.
    public var isStopped: Bool
    /// The expected time of return, ISO 8601. Nil if it is unknown or if the thing is back.
    public var until: String?

    /// Creates a change.
    public init(entity: Entity, entityID: Int, isStopped: Bool, until: String? = nil) {
      self.entity = entity
      self.entityID = entityID
      self.isStopped = isStopped
      self.until = until
    }
  }

  /// A variant's new price.
  public struct PriceChange: Hashable, Sendable {
    /// The id of the ``Variant``.
    public var variantID: Int
    /// The new price in minor units.
    public var price: Int

    /// Creates a change.
    public init(variantID: Int, price: Int) {
      self.variantID = variantID
      self.price = price
    }
  }

  /// A product's new availability.
  public struct AvailabilityChange: Hashable, Sendable {
    /// The id of the ``Product``.
    public var productID: Int
    /// The new availability.
    public var availability: Product.Availability

    /// Creates a change.
    public init(productID: Int, availability: Product.Availability) {
      self.productID = productID
      self.availability = availability
    }
  }
}

/// The changes of a patch, indexed by id.
package struct PatchChanges: Sendable {
  /// The new prices by variant id.
  package let prices: [Int: Int]
  /// The new availability by product id.
  package let availability: [Int: Product.Availability]

  package init(_ patch: MenuPatch) {
    prices = Dictionary(patch.prices.map { ($0.variantID, $0.price) }, uniquingKeysWith: { $1 })
    availability = Dictionary(
      patch.availability.map { ($0.productID, $0.availability) }, uniquingKeysWith: { $1 })
  }
}

extension [MenuPatch.StopChange] {
  /// Returns the stop list after these changes, in order. An entry that is already in the list gets
  /// the new date. A new entry is appended.
  package func applied(to list: [StopListEntry]) -> [StopListEntry] {
    var list = list
    for stop in self {
      func isMeant(_ entry: StopListEntry) -> Bool {
        entry.entity == stop.entity && entry.entityID == stop.entityID
      }
      guard stop.isStopped else {
        list.removeAll(where: isMeant)
        continue
      }
      let places = list.indices.filter { isMeant(list[$0]) }
      for place in places { list[place].until = stop.until }
      if places.isEmpty {
        list.append(
          StopListEntry(entity: stop.entity, entityID: stop.entityID, until: stop.until))
      }
    }
    return list
  }
}

/// The error for a patch that refers to a thing that the menu does not have.
public struct UnknownPatchTarget: Error, Hashable, Sendable {
  /// The kind of thing: ``Entity/product``, ``Entity/variant`` or, for the stop list, any kind.
  public var entity: Entity
  /// The unknown id.
  public var id: Int

  /// Creates the error for a kind and an id.
  public init(entity: Entity, id: Int) {
    self.entity = entity
    self.id = id
  }
}

extension Menu {
  /// Applies a patch to the products, to their embedded copies in options and to the stop list.
  ///
  /// - Throws: ``UnknownPatchTarget`` if the patch refers to a missing thing. The menu then stays
  ///   unchanged.
  public mutating func apply(_ patch: MenuPatch) throws(UnknownPatchTarget) {
    let changes = PatchChanges(patch)
    try check(patch)
    revision = patch.revision
    changeProducts { $0.take(changes) }
    stopList = patch.stops.applied(to: stopList)
  }

  private func check(_ patch: MenuPatch) throws(UnknownPatchTarget) {
    let index = patch.stops.isEmpty ? nil : MenuIndex(self)
    for change in patch.stops where index?.contains(change.entity, change.entityID) == false {
      throw UnknownPatchTarget(entity: change.entity, id: change.entityID)
    }
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
  package mutating func take(_ changes: PatchChanges) {
    if let change = changes.availability[id] { availability = change }
    for index in variants.indices {
      if let price = changes.prices[variants[index].id] { variants[index].price = price }
    }
  }
}

import BenchDocuments

/// The kinds of things that have ids.
public enum Entity: String, Codable, Sendable, CaseIterable {
  /// A ``Category``.
  case category
  /// A ``Product``.
  case product
  /// A ``Variant``.
  case variant
  /// An ``Ingredient``.
  case ingredient
  /// A ``ModifierGroup``.
  case modifierGroup
  /// A ``Combo``.
  case combo
  /// A ``Slot``.
  case slot
}

/// A thing that is out of stock.
public struct StopListEntry: Codable, Hashable, Sendable {
  /// The kind of thing.
  public var entity: Entity
  /// Its id among things of the same kind: a product, a variant or an ingredient.
  public var entityID: Int
  /// The expected time of return, ISO 8601. Nil if unknown.
  public var until: String?

  /// Creates an entry.
  public init(entity: Entity, entityID: Int, until: String? = nil) {
    self.entity = entity
    self.entityID = entityID
    self.until = until
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(entity.rawValue)
    checksum.add(entityID)
    checksum.add(until)
  }
}

/// A value in which one store differs from the menu.
public struct StoreOverride: Codable, Hashable, Sendable {
  /// The id of the store.
  public var storeID: Int
  /// The kind of thing: a product, a variant or a combo.
  public var entity: Entity
  /// Its id among things of the same kind.
  public var entityID: Int
  /// The store's price for a variant or combo, in minor units. Nil if the menu's price applies.
  public var price: Int?
  /// The product's availability in the store. Nil if the menu's availability applies.
  public var availability: Product.Availability?

  /// Creates an override.
  public init(
    storeID: Int, entity: Entity, entityID: Int, price: Int? = nil,
    availability: Product.Availability? = nil
  ) {
    self.storeID = storeID
    self.entity = entity
    self.entityID = entityID
    self.price = price
    self.availability = availability
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(storeID)
    checksum.add(entity.rawValue)
    checksum.add(entityID)
    checksum.add(price)
    checksum.add(availability?.rawValue)
  }
}

/// The texts of one thing in an additional language.
public struct Translation: Codable, Hashable, Sendable {
  /// The language, BCP 47, such as `en-US`.
  public var locale: String
  /// The kind of thing.
  public var entity: Entity
  /// Its id among things of the same kind.
  public var entityID: Int
  /// The name in that language.
  public var name: String
  /// The text below the name, if there is one.
  public var details: String?

  /// Creates a translation.
  public init(
    locale: String, entity: Entity, entityID: Int, name: String, details: String? = nil
  ) {
    self.locale = locale
    self.entity = entity
    self.entityID = entityID
    self.name = name
    self.details = details
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(locale)
    checksum.add(entity.rawValue)
    checksum.add(entityID)
    checksum.add(name)
    checksum.add(details)
  }
}

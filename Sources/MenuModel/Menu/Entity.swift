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

/// Something that is out of stock.
public struct StopListEntry: Codable, Hashable, Sendable {
  /// What kind of thing.
  public var entity: Entity
  /// Its id among things of that kind: a product, a variant or an ingredient.
  public var entityID: Int
  /// When it is expected back, ISO 8601; nil where nobody knows.
  public var until: String?

  /// Makes an entry.
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

/// What one store has otherwise than the menu says.
public struct StoreOverride: Codable, Hashable, Sendable {
  /// The store.
  public var storeID: Int
  /// What kind of thing: a product, a variant or a combo.
  public var entity: Entity
  /// Its id among things of that kind.
  public var entityID: Int
  /// Its price there, in minor units, of a variant or a combo; nil where it is the menu's.
  public var price: Int?
  /// Whether a product can be ordered there; nil where the menu says it.
  public var availability: Product.Availability?

  /// Makes an override.
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

/// The texts of one thing in a further language.
public struct Translation: Codable, Hashable, Sendable {
  /// The language, BCP 47: `en-US`.
  public var locale: String
  /// What kind of thing.
  public var entity: Entity
  /// Its id among things of that kind.
  public var entityID: Int
  /// Its name in that language.
  public var name: String
  /// The text under the name, where it has one.
  public var details: String?

  /// Makes a translation.
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

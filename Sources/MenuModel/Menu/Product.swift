import BenchDocuments

/// An item that can be ordered, in one or more variants.
public struct Product: Codable, MenuPart {
  /// The id, unique among the menu's products.
  public var id: Int
  /// The code in the chain's other systems.
  public var code: String?
  /// The id of its main ``Category``.
  public var categoryID: Int
  /// The ids of additional categories (``Category``), without duplicates or ``categoryID``.
  public var otherCategoryIDs: [Int]
  /// The kind of product.
  public var kind: Kind
  /// The displayed name.
  public var name: String
  /// The text below the name.
  public var details: String
  /// Labels for filters, such as `spicy` or `new`.
  public var tags: [String]
  /// Whether it can be ordered in general. The stop list has what is out of stock today.
  public var availability: Availability
  /// The times of day at which it can be ordered. Empty means always.
  public var hours: [ServingHours]
  /// The allergens that it contains.
  public var allergens: [Allergen]
  /// The sizes and doughs, each with its price. Never empty.
  public var variants: [Variant]
  /// The ingredients that it is made of.
  public var ingredients: [ProductIngredient]
  /// The ids of its modifier groups (``ModifierGroup``), in display order.
  public var modifierGroupIDs: [Int]

  /// Creates a product.
  public init(
    id: Int, code: String? = nil, categoryID: Int, otherCategoryIDs: [Int] = [], kind: Kind,
    name: String, details: String, tags: [String] = [], availability: Availability = .available,
    hours: [ServingHours] = [], allergens: [Allergen] = [], variants: [Variant],
    ingredients: [ProductIngredient] = [], modifierGroupIDs: [Int] = []
  ) {
    self.id = id
    self.code = code
    self.categoryID = categoryID
    self.otherCategoryIDs = otherCategoryIDs
    self.kind = kind
    self.name = name
    self.details = details
    self.tags = tags
    self.availability = availability
    self.hours = hours
    self.allergens = allergens
    self.variants = variants
    self.ingredients = ingredients
    self.modifierGroupIDs = modifierGroupIDs
  }

  /// The kind of a product.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// A pizza.
    case pizza
    /// Hot or cold food other than pizza.
    case snack
    /// Anything to drink.
    case drink
    /// Something sweet.
    case dessert
    /// A sauce sold by itself.
    case sauce
    /// Anything else.
    case other
  }

  /// Whether a product can be ordered.
  public enum Availability: String, Codable, Sendable, CaseIterable {
    /// Can be ordered.
    case available
    /// Only available inside combos.
    case comboOnly
    /// In the menu, but not shown.
    case hidden
  }

  /// Adds every field to a checksum.
  public func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(categoryID)
    checksum.addAll(otherCategoryIDs) { $1.add($0) }
    checksum.add(kind.rawValue)
    checksum.add(name)
    checksum.add(details)
    checksum.addAll(tags) { $1.add($0) }
    checksum.add(availability.rawValue)
    checksum.addAll(hours) {
      $1.add($0.days)
      $1.add($0.from)
      $1.add($0.until)
    }
    checksum.addAll(allergens) { $1.add($0.rawValue) }
    checksum.addAll(variants) { $0.visit(&$1) }
    checksum.addAll(ingredients) {
      $1.add($0.ingredientID)
      $1.add($0.isRemovable)
    }
    checksum.addAll(modifierGroupIDs) { $1.add($0) }
  }

  /// The ids of all its categories, the main one first.
  public var categoryIDs: [Int] { [categoryID] + otherCategoryIDs }

  /// Whether the product belongs to a category.
  public func stands(in category: Int) -> Bool {
    categoryID == category || otherCategoryIDs.contains(category)
  }

  enum CodingKeys: String, CodingKey {
    case id, code, categoryID, otherCategoryIDs, kind, name, details, tags, availability, hours
    case allergens, variants, ingredients, modifierGroupIDs
  }

  private enum OlderKeys: String, CodingKey { case label }

  /// Decodes a product that this program or an older one encoded.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let variants = try values.decode([Variant].self, forKey: .variants)
    let name = try values.decodeIfPresent(String.self, forKey: .name)
    let (formerName, formerDetails) =
      try name == nil ? Self.formerTexts(decoder, values) : (nil, nil)
    self.init(
      id: try values.decode(Int.self, forKey: .id),
      code: try values.decodeIfPresent(String.self, forKey: .code),
      categoryID: try values.decode(Int.self, forKey: .categoryID),
      otherCategoryIDs: try values.list(.otherCategoryIDs),
      kind: try values.contains(.kind)
        ? values.decode(Kind.self, forKey: .kind) : .formerly(of: variants),
      name: try name ?? formerName ?? values.decode(String.self, forKey: .name),
      details: try formerDetails ?? values.decode(String.self, forKey: .details),
      tags: try values.decode([String].self, forKey: .tags),
      availability: try values.decode(Availability.self, forKey: .availability),
      hours: try values.list(.hours),
      allergens: try values.list(.allergens),
      variants: variants,
      ingredients: try values.decode([ProductIngredient].self, forKey: .ingredients),
      modifierGroupIDs: try values.decode([Int].self, forKey: .modifierGroupIDs))
  }

  /// Reads name and details from an older program's `label`. Returns nil if there is none.
  private static func formerTexts(
    _ decoder: any Decoder, _ values: KeyedDecodingContainer<CodingKeys>
  ) throws -> (name: String?, details: String?) {
    let older = try decoder.container(keyedBy: OlderKeys.self)
    guard !values.contains(.name), !values.contains(.details),
      let label = try older.decodeIfPresent(String.self, forKey: .label)
    else { return (nil, nil) }
    return texts(ofLabel: label)
  }
}

/// The hours at which a product can be ordered on some days, such as breakfast on workdays.
public struct ServingHours: Codable, Hashable, Sendable {
  /// The days as a bit mask, from 1 for Monday, 2 for Tuesday to 64 for Sunday. 127 is every day.
  public var days: Int
  /// The start in minutes from midnight, so 420 is 7:00.
  public var from: Int
  /// The end in minutes from midnight, up to 1,440. If not above ``from``, it is on the next day.
  public var until: Int

  /// Creates hours.
  public init(days: Int = 127, from: Int, until: Int) {
    self.days = days
    self.from = from
    self.until = until
  }
}

/// The allergens that must be declared in food: Annex II of Regulation (EU) 1169/2011.
public enum Allergen: String, Codable, Sendable, CaseIterable {
  /// Wheat, rye, barley, oats.
  case gluten
  /// Shrimps, crabs.
  case crustaceans
  /// Eggs.
  case eggs
  /// Fish.
  case fish
  /// Peanuts.
  case peanuts
  /// Soya beans.
  case soybeans
  /// Milk, lactose included.
  case milk
  /// Almonds, hazelnuts and other tree nuts.
  case nuts
  /// Celery.
  case celery
  /// Mustard.
  case mustard
  /// Sesame seeds.
  case sesame
  /// Sulphur dioxide and sulphites.
  case sulphites
  /// Lupin.
  case lupin
  /// Mussels, squids.
  case molluscs
}

/// An ingredient of a product.
public struct ProductIngredient: Codable, Hashable, Sendable {
  /// The id of the ``Ingredient``.
  public var ingredientID: Int
  /// Whether a customer may leave it out.
  public var isRemovable: Bool

  /// Creates an ingredient of a product.
  public init(ingredientID: Int, isRemovable: Bool) {
    self.ingredientID = ingredientID
    self.isRemovable = isRemovable
  }
}

/// An ingredient that products are made of.
public struct Ingredient: Codable, Hashable, Sendable {
  /// The id, unique among the menu's ingredients.
  public var id: Int
  /// The code in the chain's other systems.
  public var code: String?
  /// The displayed name.
  public var name: String

  /// Creates an ingredient.
  public init(id: Int, code: String? = nil, name: String) {
    self.id = id
    self.code = code
    self.name = name
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(name)
  }
}

import BenchDocuments

/// Something that can be ordered, in one or more variants.
public struct Product: Codable, MenuPart {
  /// Unique among the menu's products.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The ``Category`` it stands in first.
  public var categoryID: Int
  /// Further ``Category`` ids that show it, too; none of them twice, nor ``categoryID``.
  public var otherCategoryIDs: [Int]
  /// What kind of thing it is.
  public var kind: Kind
  /// The name shown.
  public var name: String
  /// The text under the name.
  public var details: String
  /// Labels for filters: `spicy`, `new`.
  public var tags: [String]
  /// Whether it can be ordered at all; what is out of stock today is in the stop list.
  public var availability: Availability
  /// When of the day it can be ordered; empty for always.
  public var hours: [ServingHours]
  /// What of it some people must not eat.
  public var allergens: [Allergen]
  /// Sizes and doughs, each with its price; never empty.
  public var variants: [Variant]
  /// What it is made of.
  public var ingredients: [ProductIngredient]
  /// The ``ModifierGroup`` ids that apply to it, in the order to show them in.
  public var modifierGroupIDs: [Int]

  /// Makes a product.
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

  /// What kind of thing a product is.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// A pizza.
    case pizza
    /// Hot or cold food beside the pizza.
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
    /// On sale.
    case available
    /// Sold only inside combos.
    case comboOnly
    /// Kept in the menu, not shown.
    case hidden
  }

  /// Feeds every field.
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

  /// Every category that shows it, the first one first.
  public var categoryIDs: [Int] { [categoryID] + otherCategoryIDs }

  /// Whether a category shows it.
  public func stands(in category: Int) -> Bool {
    categoryID == category || otherCategoryIDs.contains(category)
  }

  enum CodingKeys: String, CodingKey {
    case id, code, categoryID, otherCategoryIDs, kind, name, details, tags, availability, hours
    case allergens, variants, ingredients, modifierGroupIDs
  }

  private enum OlderKeys: String, CodingKey { case label }

  /// Decodes a product of this program or of an older one.
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

  /// What a label holds; nil where there is none.
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

/// Hours of some days of the week at which a product can be ordered: breakfast on workdays.
public struct ServingHours: Codable, Hashable, Sendable {
  /// The days, a bit each: 1 Monday, 2 Tuesday, 4 Wednesday and so on to 64 Sunday; 127 is every day.
  public var days: Int
  /// The first minute of the day, from midnight: 420 is 7:00.
  public var from: Int
  /// The minute at which it ends, up to 1,440; not above ``from`` where that is on the next day.
  public var until: Int

  /// Makes hours.
  public init(days: Int = 127, from: Int, until: Int) {
    self.days = days
    self.from = from
    self.until = until
  }
}

/// What must be named where it is in food: Annex II of Regulation (EU) 1169/2011.
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
  /// Almonds, hazelnuts and their kin.
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
  /// The ``Ingredient``.
  public var ingredientID: Int
  /// Whether a customer may leave it out.
  public var isRemovable: Bool

  /// Makes a product's ingredient.
  public init(ingredientID: Int, isRemovable: Bool) {
    self.ingredientID = ingredientID
    self.isRemovable = isRemovable
  }
}

/// What products are made of.
public struct Ingredient: Codable, Hashable, Sendable {
  /// Unique among the menu's ingredients.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The name shown.
  public var name: String

  /// Makes an ingredient.
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

/// Something that can be ordered, in one or more variants.
public struct Product: Codable, Hashable, Sendable {
  /// Unique among the menu's products.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The ``Category`` it stands in.
  public var categoryID: Int
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
  /// Sizes and doughs, each with its price; never empty.
  public var variants: [Variant]
  /// What it is made of.
  public var ingredients: [ProductIngredient]
  /// The ``ModifierGroup`` ids that apply to it, in the order to show them in.
  public var modifierGroupIDs: [Int]

  /// Makes a product.
  public init(
    id: Int, code: String? = nil, categoryID: Int, kind: Kind, name: String, details: String,
    tags: [String] = [], availability: Availability = .available, variants: [Variant],
    ingredients: [ProductIngredient] = [], modifierGroupIDs: [Int] = []
  ) {
    self.id = id
    self.code = code
    self.categoryID = categoryID
    self.kind = kind
    self.name = name
    self.details = details
    self.tags = tags
    self.availability = availability
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
}

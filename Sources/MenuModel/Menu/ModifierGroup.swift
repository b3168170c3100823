/// A set of things that may be added to a product, and how many of them.
public struct ModifierGroup: Codable, Hashable, Sendable {
  /// Unique among the menu's modifier groups.
  public var id: Int
  /// The name shown.
  public var name: String
  /// The fewest that must be chosen.
  public var min: Int
  /// The most that may be chosen.
  public var max: Int
  /// How many of the chosen cost nothing.
  public var free: Int
  /// Whether the customer must choose before ordering.
  public var isRequired: Bool
  /// What there is to choose.
  public var options: [ModifierOption]

  /// Makes a group.
  public init(
    id: Int, name: String, min: Int, max: Int, free: Int = 0, isRequired: Bool = false,
    options: [ModifierOption]
  ) {
    self.id = id
    self.name = name
    self.min = min
    self.max = max
    self.free = free
    self.isRequired = isRequired
    self.options = options
  }
}

/// One choice of a modifier group.
public struct ModifierOption: Codable, Hashable, Sendable {
  /// The ``Ingredient`` that it adds.
  public var ingredientID: Int
  /// Its price for each size of the product; empty where the file gave none.
  public var prices: [SizePrice]

  /// Makes an option.
  public init(ingredientID: Int, prices: [SizePrice] = []) {
    self.ingredientID = ingredientID
    self.prices = prices
  }
}

/// A price that holds for one size.
public struct SizePrice: Codable, Hashable, Sendable {
  /// The ``Variant/size``.
  public var size: String
  /// Price in minor units.
  public var price: Int

  /// Makes a price.
  public init(size: String, price: Int) {
    self.size = size
    self.price = price
  }
}

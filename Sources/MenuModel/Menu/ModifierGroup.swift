import BenchDocuments

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

  func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(name)
    checksum.add(min)
    checksum.add(max)
    checksum.add(free)
    checksum.add(isRequired)
    checksum.addAll(options) { option, checksum in
      checksum.add(option.ingredientID)
      checksum.addAll(option.prices) {
        $1.add($0.size)
        $1.add($0.price)
      }
      checksum.addAll(option.modifierGroupIDs) { $1.add($0) }
    }
  }
}

/// One choice of a modifier group.
public struct ModifierOption: Codable, Hashable, Sendable {
  /// The ``Ingredient`` that it adds.
  public var ingredientID: Int
  /// Its price for each size of the product; empty where the file gave none.
  public var prices: [SizePrice]
  /// The ``ModifierGroup`` ids offered once it is chosen: sauces for a side. They make no circle.
  public var modifierGroupIDs: [Int]

  /// Makes an option.
  public init(ingredientID: Int, prices: [SizePrice] = [], modifierGroupIDs: [Int] = []) {
    self.ingredientID = ingredientID
    self.prices = prices
    self.modifierGroupIDs = modifierGroupIDs
  }

  enum CodingKeys: String, CodingKey { case ingredientID, prices, modifierGroupIDs }

  /// Decodes an option of this program or of an older one.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      ingredientID: try values.decode(Int.self, forKey: .ingredientID),
      prices: try values.decode([SizePrice].self, forKey: .prices),
      modifierGroupIDs: try values.list(.modifierGroupIDs))
  }
}

/// A price that holds for one size.
public struct SizePrice: Codable, Hashable, Sendable {
  /// The ``Variant/size``; empty where the price holds for every size.
  public var size: String
  /// Price in minor units; below zero where the option makes the product cheaper.
  public var price: Int

  /// Makes a price.
  public init(size: String, price: Int) {
    self.size = size
    self.price = price
  }
}

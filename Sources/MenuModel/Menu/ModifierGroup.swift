import BenchDocuments

/// A set of modifiers for a product, with limits on how many a customer may choose.
public struct ModifierGroup: Codable, Hashable, Sendable {
  /// The id, unique among the menu's modifier groups.
  public var id: Int
  /// The displayed name.
  public var name: String
  /// The minimum number of options to choose.
  public var min: Int
  /// The maximum number of options to choose.
  public var max: Int
  /// The number of chosen options that are free.
  public var free: Int
  /// Whether the customer must choose before ordering.
  public var isRequired: Bool
  /// The options of the group.
  public var options: [ModifierOption]

  /// Creates a group.
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
  /// The id of the ``Ingredient`` that the option adds.
  public var ingredientID: Int
  /// The price for each size of the product. Empty if the file has none.
  public var prices: [SizePrice]
  /// The ids of each ``ModifierGroup`` that follows this choice, such as sauces. Never cyclic.
  public var modifierGroupIDs: [Int]

  /// Creates an option.
  public init(ingredientID: Int, prices: [SizePrice] = [], modifierGroupIDs: [Int] = []) {
    self.ingredientID = ingredientID
    self.prices = prices
    self.modifierGroupIDs = modifierGroupIDs
  }

  enum CodingKeys: String, CodingKey { case ingredientID, prices, modifierGroupIDs }

  /// Decodes an option that this program or an older one encoded.
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

/// A price for one size.
public struct SizePrice: Codable, Hashable, Sendable {
  /// The ``Variant/size``. Empty if the price applies to every size.
  public var size: String
  /// The price in minor units. Negative if the option makes the product cheaper.
  public var price: Int

  /// Creates a price.
  public init(size: String, price: Int) {
    self.size = size
    self.price = price
  }
}

import BenchDocuments

/// One size and dough of a product, with its price.
public struct Variant: Codable, Hashable, Sendable {
  /// The id, unique among the variants of the whole menu.
  public var id: Int
  /// The code in the chain's other systems.
  public var code: String?
  /// The displayed size, such as `30 cm` or `0.5 l`.
  public var size: String
  /// The dough, if there is a choice.
  public var dough: String?
  /// The weight in grams, if known.
  public var weight: Int?
  /// The price in minor units.
  public var price: Int
  /// Additional prices, by number of toppings or by type of order.
  public var priceTiers: [PriceTier]
  /// The address or code of the picture.
  public var image: String
  /// The nutrition, if known.
  public var nutrition: Nutrition?

  /// Creates a variant.
  public init(
    id: Int, code: String? = nil, size: String, dough: String? = nil, weight: Int? = nil,
    price: Int, priceTiers: [PriceTier] = [], image: String, nutrition: Nutrition? = nil
  ) {
    self.id = id
    self.code = code
    self.size = size
    self.dough = dough
    self.weight = weight
    self.price = price
    self.priceTiers = priceTiers
    self.image = image
    self.nutrition = nutrition
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(id)
    checksum.add(code)
    checksum.add(size)
    checksum.add(dough)
    checksum.add(weight)
    checksum.add(price)
    checksum.addAll(priceTiers) {
      $1.add($0.name)
      $1.add($0.price)
      $1.add($0.orderType?.rawValue)
    }
    checksum.add(image)
    checksum.add(nutrition != nil)
    nutrition?.per100g.visit(&checksum)
    nutrition?.whole.visit(&checksum)
  }

  enum CodingKeys: String, CodingKey {
    case id, code, size, dough, weight, price, priceTiers, image, nutrition
  }

  private enum OlderKeys: String, CodingKey { case amount }

  /// Decodes a variant that this program or an older one encoded.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let price = try values.decodeIfPresent(Int.self, forKey: .price)
    self.init(
      id: try values.decode(Int.self, forKey: .id),
      code: try values.decodeIfPresent(String.self, forKey: .code),
      size: try values.decode(String.self, forKey: .size),
      dough: try values.decodeIfPresent(String.self, forKey: .dough),
      weight: try values.decodeIfPresent(Int.self, forKey: .weight),
      price: try price ?? Self.formerPrice(decoder, values)
        ?? values.decode(Int.self, forKey: .price),
      priceTiers: try values.decode([PriceTier].self, forKey: .priceTiers),
      image: try values.decode(String.self, forKey: .image),
      nutrition: try values.decodeIfPresent(Nutrition.self, forKey: .nutrition))
  }

  /// Reads the price from an older program's `amount`. Returns nil if there is none.
  private static func formerPrice(
    _ decoder: any Decoder, _ values: KeyedDecodingContainer<CodingKeys>
  ) throws -> Int? {
    let older = try decoder.container(keyedBy: OlderKeys.self)
    guard !values.contains(.price),
      let amount = try older.decodeIfPresent(Double.self, forKey: .amount)
    else { return nil }
    guard let price = price(ofAmount: amount) else {
      throw DecodingError.dataCorruptedError(
        forKey: .amount, in: older, debugDescription: "\(amount) is not a price")
    }
    return price
  }
}

/// A named price in addition to a variant's usual price.
public struct PriceTier: Codable, Hashable, Sendable {
  /// The condition for the price, such as `Price1-3`.
  public var name: String
  /// The price in minor units.
  public var price: Int
  /// The only type of order that the price applies to. Nil if the name states the condition.
  public var orderType: OrderType?

  /// Creates a tier.
  public init(name: String, price: Int, orderType: OrderType? = nil) {
    self.name = name
    self.price = price
    self.orderType = orderType
  }
}

/// The way in which a customer receives an order.
public enum OrderType: String, Codable, Sendable, CaseIterable {
  /// Delivered to the customer.
  case delivery
  /// Collected at the counter.
  case pickup
  /// Eaten in the restaurant.
  case dineIn
}

/// The nutrition facts of a variant.
public struct Nutrition: Codable, Hashable, Sendable {
  /// The facts per 100 g.
  public var per100g: NutritionFacts
  /// The facts for the whole variant.
  public var whole: NutritionFacts

  /// Creates the nutrition of a variant.
  public init(per100g: NutritionFacts, whole: NutritionFacts) {
    self.per100g = per100g
    self.whole = whole
  }
}

/// Energy in kilocalories and nutrients in grams.
public struct NutritionFacts: Codable, Hashable, Sendable {
  /// The energy in kilocalories.
  public var energy: Double
  /// The protein in grams.
  public var proteins: Double
  /// The fat in grams.
  public var fats: Double
  /// The carbohydrates in grams.
  public var carbohydrates: Double

  /// Creates nutrition facts.
  public init(energy: Double, proteins: Double, fats: Double, carbohydrates: Double) {
    self.energy = energy
    self.proteins = proteins
    self.fats = fats
    self.carbohydrates = carbohydrates
  }

  func visit(_ checksum: inout Checksum) {
    checksum.add(energy)
    checksum.add(proteins)
    checksum.add(fats)
    checksum.add(carbohydrates)
  }
}

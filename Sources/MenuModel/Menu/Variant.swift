import BenchDocuments

/// One size and dough of a product, with its price.
public struct Variant: Codable, Hashable, Sendable {
  /// Unique among the variants of the whole menu.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The size shown: `30 cm`, `0.5 l`.
  public var size: String
  /// The dough, where there is a choice.
  public var dough: String?
  /// Weight in grams, where known.
  public var weight: Int?
  /// Price in minor units.
  public var price: Int
  /// Further prices: by number of toppings, by type of order.
  public var priceTiers: [PriceTier]
  /// The picture's address or code.
  public var image: String
  /// Nutrition, where known.
  public var nutrition: Nutrition?

  /// Makes a variant.
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

  /// Decodes a variant of this program or of an older one.
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

  /// The price that an amount holds; nil where there is none.
  private static func formerPrice(
    _ decoder: any Decoder, _ values: KeyedDecodingContainer<CodingKeys>
  ) throws -> Int? {
    let older = try decoder.container(keyedBy: OlderKeys.self)
    guard !values.contains(.price),
      let amount = try older.decodeIfPresent(Double.self, forKey: .amount)
    else { return nil }
    guard let price = price(ofAmount: amount) else {
      throw DecodingError.dataCorruptedError(
        forKey: .amount, in: older, debugDescription: "\(amount) is no price")
    }
    return price
  }
}

/// A named price beside a variant's usual one.
public struct PriceTier: Codable, Hashable, Sendable {
  /// When it applies: `Price1-3`.
  public var name: String
  /// Price in minor units.
  public var price: Int
  /// The only way of ordering that it holds for; nil where its name says when.
  public var orderType: OrderType?

  /// Makes a tier.
  public init(name: String, price: Int, orderType: OrderType? = nil) {
    self.name = name
    self.price = price
    self.orderType = orderType
  }
}

/// How an order comes to its customer.
public enum OrderType: String, Codable, Sendable, CaseIterable {
  /// Brought to the door.
  case delivery
  /// Taken away at the counter.
  case pickup
  /// Eaten in the restaurant.
  case dineIn
}

/// Nutrition of a variant.
public struct Nutrition: Codable, Hashable, Sendable {
  /// In 100 g.
  public var per100g: NutritionFacts
  /// In the whole variant.
  public var whole: NutritionFacts

  /// Makes a pair of facts.
  public init(per100g: NutritionFacts, whole: NutritionFacts) {
    self.per100g = per100g
    self.whole = whole
  }
}

/// Energy in kilocalories and the rest in grams.
public struct NutritionFacts: Codable, Hashable, Sendable {
  /// Kilocalories.
  public var energy: Double
  /// Grams of protein.
  public var proteins: Double
  /// Grams of fat.
  public var fats: Double
  /// Grams of carbohydrates.
  public var carbohydrates: Double

  /// Makes facts.
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

// What older programs encoded is decoded here, by any decoder, as an app does it: a field that is
// absent gets what the change that brought it says (`SchemaChange`). Where nothing is absent this costs
// what the compiler's own `init(from:)` does.

extension Product {
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

extension KeyedDecodingContainer {
  /// A list that menus of before do not have; empty where it is absent.
  fileprivate func list<Element: Decodable>(_ key: Key) throws -> [Element] {
    try decodeIfPresent([Element].self, forKey: key) ?? []
  }

  /// Store overrides, which menus of before do not have: the compiler's own `init(from:)` of a menu
  /// decodes them by this.
  func decode(_ type: [StoreOverride].Type, forKey key: Key) throws -> [StoreOverride] {
    try list(key)
  }
}

extension ModifierOption {
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

extension Variant {
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

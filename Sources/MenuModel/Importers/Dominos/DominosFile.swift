/// A menu as the Domino's ordering API gives it: objects of records by code, in sections.
struct DominosFile: Decodable {
  /// The records of a section by code.
  typealias Section<Fields: ForeignRecord> = [String: Row<Fields>]
  /// The records of a section by family, the ``Product/productType``, and code.
  typealias Families<Fields: ForeignRecord> = [String: Section<Fields>]

  var store: Row<Store>?
  var trees: [String: Row<Category>]
  var products: Section<Product>
  var variants: Section<Variant>
  var coupons: Section<Coupon>
  var preconfigured: Section<Preconfigured>
  var toppings: Families<Named>
  var sides: Families<Named>
  var sizes: Families<Named>
  var flavors: Families<Named>
  /// How much every other section holds.
  var unplaced: [String: Int]

  enum CodingKeys: String, CodingKey, CaseIterable {
    case store = "Misc"
    case trees = "Categorization"
    case products = "Products"
    case variants = "Variants"
    case coupons = "Coupons"
    case preconfigured = "PreconfiguredProducts"
    case toppings = "Toppings"
    case sides = "Sides"
    case sizes = "Sizes"
    case flavors = "Flavors"
  }

  init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: CodingKeys.self)
    store = try file.decodeIfPresent(Row<Store>.self, forKey: .store)
    trees = try file.decode([String: Row<Category>].self, forKey: .trees)
    products = try file.decode(Section<Product>.self, forKey: .products)
    variants = try file.decode(Section<Variant>.self, forKey: .variants)
    coupons = try file.decodeIfPresent(Section<Coupon>.self, forKey: .coupons) ?? [:]
    preconfigured =
      try file.decodeIfPresent(Section<Preconfigured>.self, forKey: .preconfigured) ?? [:]
    toppings = try file.decodeIfPresent(Families<Named>.self, forKey: .toppings) ?? [:]
    sides = try file.decodeIfPresent(Families<Named>.self, forKey: .sides) ?? [:]
    sizes = try file.decodeIfPresent(Families<Named>.self, forKey: .sizes) ?? [:]
    flavors = try file.decodeIfPresent(Families<Named>.self, forKey: .flavors) ?? [:]
    unplaced = try Self.unplaced(in: decoder.container(keyedBy: AnyKey.self))
  }

  private static func unplaced(
    in file: KeyedDecodingContainer<AnyKey>
  ) throws -> [String: Int] {
    try file.allKeys.filter { CodingKeys(rawValue: $0.stringValue) == nil }
      .reduce(into: [:]) {
        $0[$1.stringValue] = try file.decode(Extent.self, forKey: $1).count
      }
  }
}

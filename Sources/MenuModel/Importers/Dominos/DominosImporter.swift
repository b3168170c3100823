import Foundation

/// Reads one store's menu as the Domino's ordering API gives it.
///
/// Categories, products and variants keep the file's order; whatever the file keeps in objects
/// without an order (toppings, coupons, products in no category) comes sorted by code. Ids are
/// counted from 1 in that order, so that equal content has equal ids. Everything without a place in
/// the menu model is counted in the notes.
struct DominosImporter: MenuImporter {
  /// `dominos`.
  let id = "dominos"
  /// What the format is, in one line.
  let summary = "one store's menu from the Domino's ordering API"

  /// Whether the sections that every such menu has are there.
  func recognises(topLevelKeys: Set<String>) -> Bool {
    topLevelKeys.isSuperset(of: ["Categorization", "Products", "Variants"])
  }

  /// Reads a menu; the notes say what was left out or assumed.
  ///
  /// - Throws: `DecodingError` where a record lacks its name, or a price is none.
  func importMenu(from data: Data) throws -> ImportedMenu {
    var catalogue = DominosCatalogue(try JSONDecoder().decode(DominosFile.self, from: data))
    let menu = catalogue.menu()
    return ImportedMenu(menu: menu, format: id, notes: catalogue.notes.lines)
  }
}

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

extension DominosFile {
  /// The store that the menu is of.
  struct Store: ForeignRecord {
    var id: String?
    var language: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case id = "StoreID"
      case language = "LanguageCode"
    }
  }

  /// A node of a tree of categories, with the codes of its products in the order shown.
  struct Category: ForeignRecord {
    var code: String
    var name: String?
    var categories: [Row<Category>]?
    var products: [String]?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
      case categories = "Categories"
      case products = "Products"
    }
  }

  /// A product; its lists name toppings and sides of its type's family.
  struct Product: ForeignRecord {
    var code: String?
    var name: String
    var details: String?
    var productType: String
    var variants: [String]
    var availableToppings: DominosOptions?
    var availableSides: DominosOptions?
    var defaultToppings: DominosOptions?
    var defaultSides: DominosOptions?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
      case details = "Description"
      case productType = "ProductType"
      case variants = "Variants"
      case availableToppings = "AvailableToppings"
      case availableSides = "AvailableSides"
      case defaultToppings = "DefaultToppings"
      case defaultSides = "DefaultSides"
    }
  }

  /// A variant of a product.
  struct Variant: ForeignRecord {
    var code: String?
    var name: String?
    var productCode: String?
    var sizeCode: String?
    var flavorCode: String?
    var price: DominosMoney?
    var pricing: [String: DominosMoney]?
    var image: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
      case productCode = "ProductCode"
      case sizeCode = "SizeCode"
      case flavorCode = "FlavorCode"
      case price = "Price"
      case pricing = "Pricing"
      case image = "ImageCode"
    }
  }

  /// A coupon; what it is for stands in its name only.
  struct Coupon: ForeignRecord {
    var code: String?
    var name: String
    var details: String?
    var price: DominosMoney?
    var image: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
      case details = "Description"
      case price = "Price"
      case image = "ImageCode"
    }
  }

  /// A variant with options chosen beforehand.
  struct Preconfigured: ForeignRecord {
    var code: String?
    var name: String
    var details: String?
    /// The code of a variant, in spite of its name.
    var variantCode: String

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
      case details = "Description"
      case variantCode = "ReferencedProductCode"
    }
  }

  /// A topping, a side, a size or a flavor.
  struct Named: ForeignRecord {
    var code: String?
    var name: String

    enum CodingKeys: String, CodingKey, CaseIterable {
      case code = "Code"
      case name = "Name"
    }
  }
}

/// A price as text: `6.99`, `10`, or empty where there is none.
struct DominosMoney: Decodable, Equatable {
  /// The price in cents, exact; nil where the text is empty.
  var cents: Int?

  /// - Throws: `DecodingError` where the text is no price: a sign, a third decimal, too large.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard !text.isEmpty else { return }
    guard let cents = Self.cents(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(String(text.prefix(40)).debugDescription) is not a price like 6.99")
    }
    self.cents = cents
  }

  /// The cents of a text with at most two decimals; nil where it has another form.
  static func cents(_ text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let dollars = digits(parts[0]) else { return nil }
    let (whole, overflow) = dollars.multipliedReportingOverflow(by: 100)
    guard !overflow else { return nil }
    guard parts.count == 2 else { return whole }
    guard parts[1].utf8.count <= 2, let decimals = digits(parts[1]) else { return nil }
    let fraction = parts[1].utf8.count == 1 ? decimals * 10 : decimals
    let (sum, sumOverflow) = whole.addingReportingOverflow(fraction)
    return sumOverflow ? nil : sum
  }

  private static func digits(_ text: Substring) -> Int? {
    let isDigits = text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return isDigits ? Int(text) : nil
  }
}

/// A list of toppings or sides: `X=0:0.5:1,P,Cp=1`.
struct DominosOptions: Decodable, Equatable {
  /// One topping or side, with the quantities that may be chosen; empty where none is said.
  struct Option: Equatable {
    var code: String
    var quantities: [String]

    /// Whether a quantity of nothing is among the choices; unsaid quantities begin there.
    var mayBeLeftOut: Bool { quantities.isEmpty || quantities.contains("0") }
  }

  var options: [Option] = []

  init() {}

  init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  init(_ text: String) {
    options = text.split(separator: ",").compactMap { entry in
      let parts = entry.split(separator: "=", maxSplits: 1)
      guard let code = parts.first else { return nil }
      let quantities = parts.dropFirst().flatMap { $0.split(separator: ":") }
      return Option(code: String(code), quantities: quantities.map(String.init))
    }
  }
}

extension Noun {
  static let topping = Noun("topping")
  static let side = Noun("side")
  static let ingredientFamily = Noun(
    "family of toppings or sides", many: "families of toppings or sides")
  static let size = Noun("size")
  static let flavor = Noun("flavor")
  static let coupon = Noun("coupon")
  static let preconfigured = Noun("preconfigured product")
  static let store = Noun("store")
}

extension Finding {
  static let storeWithoutNumber = Finding(
    "store has no number for an id: 1 is taken",
    many: "stores has no number for an id: 1 is taken")
  static let storeWithoutLanguage = Finding(
    "store names no language: `und`, undetermined, is taken",
    many: "stores names no language: `und`, undetermined, is taken")
  static let currencyAssumed = Finding(
    "store names no currency: USD is assumed",
    many: "stores names no currency: USD is assumed")
  static let categoryWithoutName = Finding(
    "category has no name and shows its code",
    many: "categories have no name and show their code")
  static let categoryOfUnknownProduct = Finding(
    "product of a category is not in the file",
    many: "products of categories are not in the file")
  static let productWithoutCategory = Finding(
    "product stands in no category and goes to one of its own, Uncategorized",
    many: "products stand in no category and go to one of their own, Uncategorized")
  static let productWithoutVariants = Finding(
    "product has no variant that can be ordered and is left out",
    many: "products have no variant that can be ordered and are left out")
  static let unknownProductType = Finding(
    "product has an unknown type and becomes `other`",
    many: "products have an unknown type and become `other`")
  static let unknownVariant = Finding(
    "variant that a product lists is not in the file",
    many: "variants that products list are not in the file")
  static let repeatedVariant = Finding(
    "variant is listed again and kept in the first place only",
    many: "variants are listed again and kept in the first place only")
  static let unlistedVariant = Finding(
    "variant is listed by no product and is left out",
    many: "variants are listed by no product and are left out")
  static let otherProduct = Finding(
    "variant names a product that does not list it; the list counts",
    many: "variants name a product that does not list them; the lists count")
  static let variantWithoutPrice = Finding(
    "variant has no price and is left out",
    many: "variants have no price and are left out")
  static let variantWithoutSize = Finding(
    "variant has no size and shows its name instead",
    many: "variants have no size and show their names instead")
  static let tierWithoutPrice = Finding(
    "price tier is empty and is left out",
    many: "price tiers are empty and are left out")
  static let unknownSize = Finding(
    "size is not in the file and shows its code",
    many: "sizes are not in the file and show their codes")
  static let unknownFlavor = Finding(
    "flavor is not in the file and shows its code",
    many: "flavors are not in the file and show their codes")
  static let unusedSize = Finding(
    "size that no variant has is left out",
    many: "sizes that no variant has are left out")
  static let unusedFlavor = Finding(
    "flavor that no variant has is left out",
    many: "flavors that no variant has are left out")
  static let otherCode = Finding(
    "record has another code than the one it is filed under, which counts",
    many: "records have another code than the one they are filed under, which counts")
  static let unknownOption = Finding(
    "topping or side of a product is not in the file",
    many: "toppings or sides of products are not in the file")
  static let repeatedOption = Finding(
    "topping or side is repeated in a product's list",
    many: "toppings or sides are repeated in a product's list")
  static let optionWithQuantities = Finding(
    "choice of a topping or side lists quantities, which have no place in the menu "
      + "model",
    many: "choices of toppings or sides list quantities, which have no place in the menu "
      + "model")
  static let defaultQuantity = Finding(
    "default topping or side comes in a quantity other than 1, which has no place "
      + "in the menu model",
    many: "default toppings or sides come in a quantity other than 1, which has no place "
      + "in the menu model")
  static let couponWithoutPrice = Finding(
    "coupon has no price",
    many: "coupons have no price")
  static let couponWithoutContent = Finding(
    "coupon becomes a combo without slots: the file says only in words what it is for",
    many: "coupons become combos without slots: the file says only in words what they "
      + "are for")
  static let preconfiguredWithoutPrice = Finding(
    "preconfigured product becomes a combo without a price",
    many: "preconfigured products become combos without a price")
  static let preconfiguredOfUnknownVariant = Finding(
    "preconfigured product names a variant that the menu lacks and has no slot",
    many: "preconfigured products name a variant that the menu lacks and have no slot")
}

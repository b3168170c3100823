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

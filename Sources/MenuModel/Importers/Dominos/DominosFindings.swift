extension Noun {
  static let category = Noun("category", many: "categories")
  static let product = Noun("product")
  static let variant = Noun("variant")
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
  static let furtherCategory = Finding(
    "product stands in a further category, which has no place in the menu model",
    many: "products stand in a further category, which has no place in the menu model")
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

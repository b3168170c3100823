import MenuModel

// Each type of a menu from a tape, by the keys of its `Codable` form. Fields of older programs are not here: without
// this program's own fields, `JSONDecoder` decodes the menu.

extension Menu: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), revision: try its("revision"), locale: try its("locale"),
      currency: try its("currency"), city: try its("city"), categories: try its("categories"),
      ingredients: try its("ingredients"), modifierGroups: try its("modifierGroups"),
      products: try its("products"), optionLists: try its("optionLists"),
      combos: try its("combos"), stopList: try its("stopList"),
      storeOverrides: try its("storeOverrides"), translations: try its("translations"))
  }
}

extension Category: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), parentID: try its.ifPresent("parentID"), name: try its("name"))
  }
}

extension Ingredient: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(id: try its("id"), code: try its.ifPresent("code"), name: try its("name"))
  }
}

extension ModifierGroup: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), name: try its("name"), min: try its("min"), max: try its("max"),
      free: try its("free"), isRequired: try its("isRequired"), options: try its("options"))
  }
}

extension ModifierOption: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      ingredientID: try its("ingredientID"), prices: try its("prices"),
      modifierGroupIDs: try its("modifierGroupIDs"))
  }
}

extension SizePrice: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(size: try its("size"), price: try its("price"))
  }
}

extension Product: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), code: try its.ifPresent("code"), categoryID: try its("categoryID"),
      otherCategoryIDs: try its("otherCategoryIDs"), kind: try its("kind"),
      name: try its("name"), details: try its("details"), tags: try its("tags"),
      availability: try its("availability"), hours: try its("hours"),
      allergens: try its("allergens"), variants: try its("variants"),
      ingredients: try its("ingredients"), modifierGroupIDs: try its("modifierGroupIDs"))
  }
}

extension Product.Kind: TapeReadable {}
extension Product.Availability: TapeReadable {}
extension Allergen: TapeReadable {}
extension OrderType: TapeReadable {}
extension Entity: TapeReadable {}

extension ServingHours: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(days: try its("days"), from: try its("from"), until: try its("until"))
  }
}

extension ProductIngredient: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(ingredientID: try its("ingredientID"), isRemovable: try its("isRemovable"))
  }
}

extension Variant: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), code: try its.ifPresent("code"), size: try its("size"),
      dough: try its.ifPresent("dough"), weight: try its.ifPresent("weight"),
      price: try its("price"), priceTiers: try its("priceTiers"), image: try its("image"),
      nutrition: try its.ifPresent("nutrition"))
  }
}

extension PriceTier: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      name: try its("name"), price: try its("price"), orderType: try its.ifPresent("orderType"))
  }
}

extension Nutrition: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(per100g: try its("per100g"), whole: try its("whole"))
  }
}

extension NutritionFacts: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      energy: try its("energy"), proteins: try its("proteins"), fats: try its("fats"),
      carbohydrates: try its("carbohydrates"))
  }
}

extension OptionList: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(id: try its("id"), options: try its("options"))
  }
}

extension SlotOption: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      productID: try its("productID"), variantID: try its.ifPresent("variantID"),
      surcharge: try its("surcharge"), product: try its.ifPresent("product"))
  }
}

extension Combo: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), code: try its.ifPresent("code"), name: try its("name"),
      details: try its("details"), price: try its.ifPresent("price"),
      oldPrice: try its.ifPresent("oldPrice"), image: try its("image"), slots: try its("slots"))
  }
}

extension Slot: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      id: try its("id"), name: try its("name"), min: try its("min"), max: try its("max"),
      optionListID: try its.ifPresent("optionListID"), options: try its.ifPresent("options"),
      defaultProductID: try its.ifPresent("defaultProductID"))
  }
}

extension StopListEntry: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      entity: try its("entity"), entityID: try its("entityID"), until: try its.ifPresent("until"))
  }
}

extension StoreOverride: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      storeID: try its("storeID"), entity: try its("entity"), entityID: try its("entityID"),
      price: try its.ifPresent("price"), availability: try its.ifPresent("availability"))
  }
}

extension Translation: TapeObject {
  init(_ its: inout TapeMembers) throws(TapeMismatch) {
    self.init(
      locale: try its("locale"), entity: try its("entity"), entityID: try its("entityID"),
      name: try its("name"), details: try its.ifPresent("details"))
  }
}

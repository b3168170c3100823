import Basics
import Foundation

extension MappedMenu {
  mutating func addProducts(
    _ section: MenuMapping.Section, in value: Int, category: Int?
  ) throws {
    for thing in try values.things(section, .product, in: value) {
      let id = try newID(.product, section, of: thing)
      let place = section.fields["category"] == nil ? category : nil
      let product = Product(
        id: id, code: try values.label(section.fields["code"], of: thing),
        categoryID: try place ?? self.category(section, of: thing),
        otherCategoryIDs: try references(.category, section.fields["otherCategories"], of: thing),
        kind: try values.choice(section.fields["kind"], of: thing) ?? .other,
        name: try name(section, thing),
        details: try values.text(section.fields["details"], of: thing) ?? "",
        tags: try labels(section.fields["tags"], of: thing).distinct,
        availability: try values.choice(section.fields["availability"], of: thing) ?? .available,
        hours: try hours(section.sections["hours"], of: thing),
        allergens: try values.choices(section.fields["allergens"], of: thing).distinct,
        variants: try variants(section.sections["variants"], of: thing, product: id),
        ingredients: try ingredients(section.sections["ingredients"], of: thing),
        modifierGroupIDs: try references(
          .modifierGroup, section.fields["modifierGroups"], of: thing))
      menu.products.append(product)
    }
  }

  func labels(_ field: MenuMapping.Field?, of thing: Int) throws -> [String] {
    guard let field else { return [] }
    return try values.all(field, of: thing, MappedValues.labelWords).map { found in
      guard let label = MappedValues.label(found.scalar) else {
        throw values.other(field, found, MappedValues.labelWords)
      }
      return label
    }
  }

  mutating func references(
    _ noun: Noun, _ field: MenuMapping.Field?, of thing: Int
  ) throws -> [Int] {
    guard let field else { return [] }
    return try values.all(field, of: thing, MappedValues.labelWords).map {
      try id(of: noun, field, $0)
    }
  }

  func hours(_ section: MenuMapping.Section?, of thing: Int) throws -> [ServingHours] {
    guard let section else { return [] }
    return try values.things(section, Noun("serving hours", many: "serving hours"), in: thing).map {
      thing in
      ServingHours(
        days: try values.whole(section.fields["days"], of: thing) ?? 127,
        from: try needed(section, "from", of: thing) { try values.minute($0, of: thing) },
        until: try needed(section, "until", of: thing) { try values.minute($0, of: thing) })
    }
  }

  mutating func ingredients(
    _ section: MenuMapping.Section?, of product: Int
  ) throws -> [ProductIngredient] {
    guard let section else { return [] }
    return try values.things(section, Noun("product ingredient"), in: product).map { thing in
      ProductIngredient(
        ingredientID: try ingredient(section, of: thing),
        isRemovable: try values.truth(section.fields["isRemovable"], of: thing) ?? true)
    }
  }

  mutating func variants(
    _ section: MenuMapping.Section?, of thing: Int, product: Int
  ) throws -> [Variant] {
    guard let section else { return [] }
    return try values.things(section, .variant, in: thing).map { thing in
      let id = ids[.variant, default: Keys()].next(nil)
      // Other menus' variants are often called by their size alone: unique within a product.
      if let key = try values.label(section.fields["id"], of: thing) {
        variants[key, default: []].append(VariantPlace(product: product, variant: id))
      }
      return Variant(
        id: id, code: try values.label(section.fields["code"], of: thing),
        size: try values.label(section.fields["size"], of: thing) ?? "",
        dough: try values.text(section.fields["dough"], of: thing),
        weight: try values.whole(section.fields["weight"], of: thing),
        price: try price(section, thing),
        priceTiers: try tiers(section.sections["priceTiers"], of: thing),
        image: try values.label(section.fields["image"], of: thing) ?? "",
        nutrition: try nutrition(section.sections["nutrition"], of: thing))
    }
  }

  func tiers(_ section: MenuMapping.Section?, of thing: Int) throws -> [PriceTier] {
    guard let section else { return [] }
    return try values.things(section, Noun("price tier"), in: thing).map { thing in
      PriceTier(
        name: try needed(section, "name", of: thing) { try values.label($0, of: thing) },
        price: try price(section, thing),
        orderType: try values.choice(section.fields["orderType"], of: thing))
    }
  }

  mutating func nutrition(
    _ section: MenuMapping.Section?, of thing: Int
  ) throws -> Nutrition? {
    guard let section, let per100g = section.sections["per100g"],
      let whole = section.sections["whole"]
    else { return nil }
    let keys = ["energy", "proteins", "fats", "carbohydrates"]
    let found = try [per100g, whole].flatMap { section in
      try keys.compactMap { try values.number(section.fields[$0], of: thing) }
    }
    guard found.count == 8 else {
      if !found.isEmpty { notes.add(Self.incomplete) }
      return nil
    }
    return Nutrition(
      per100g: NutritionFacts(found.prefix(4)), whole: NutritionFacts(found.suffix(4)))
  }

  private static let incomplete = Finding(
    "variant lacks a part of its nutrition, which is left out",
    many: "variants lack a part of their nutrition, which is left out")
}

extension MappedMenu {
  mutating func addOptionLists() throws {
    guard let section = mapping.sections["optionLists"] else { return }
    for thing in try values.things(section, .optionList, in: JSONTree.root) {
      menu.optionLists.append(
        OptionList(
          id: try newID(.optionList, section, of: thing),
          options: try options(section.sections["options"], of: thing)))
    }
  }

  mutating func addCombos() throws {
    guard let section = mapping.sections["combos"] else { return }
    for thing in try values.things(section, .combo, in: JSONTree.root) {
      menu.combos.append(
        Combo(
          id: try newID(.combo, section, of: thing),
          code: try values.label(section.fields["code"], of: thing),
          name: try name(section, thing),
          details: try values.text(section.fields["details"], of: thing) ?? "",
          price: try values.price(section.fields["price"], of: thing),
          oldPrice: try values.price(section.fields["oldPrice"], of: thing),
          image: try values.label(section.fields["image"], of: thing) ?? "",
          slots: try slots(section.sections["slots"], of: thing)))
    }
  }

  mutating func slots(_ section: MenuMapping.Section?, of combo: Int) throws -> [Slot] {
    guard let section else { return [] }
    return try values.things(section, .slot, in: combo).map { thing in
      // Nothing refers to a slot: whatever the file calls it, its place is enough.
      let id = ids[.slot, default: Keys()].next(nil)
      return Slot(
        id: id, name: try name(section, thing),
        min: try values.whole(section.fields["min"], of: thing) ?? 1,
        max: try values.whole(section.fields["max"], of: thing) ?? 1,
        optionListID: try reference(.optionList, section.fields["optionList"], of: thing),
        options: try section.sections["options"].map { try options($0, of: thing) },
        defaultProductID: try reference(.product, section.fields["defaultProduct"], of: thing))
    }
  }

  mutating func options(
    _ section: MenuMapping.Section?, of thing: Int
  ) throws -> [SlotOption] {
    guard let section else { return [] }
    return try values.things(section, Noun("slot option"), in: thing).map { thing in
      let product = try reference(.product, section.fields["product"], of: thing)
      let variant = try variant(section.fields["variant"], of: thing, product: product)
      guard let product = product ?? variant?.product else {
        guard let field = section.fields["product"] ?? section.fields["variant"] else {
          throw MappingProblem(
            line: section.line, subject: section.subject, fault: .missing(key: "product"))
        }
        throw values.nothing(field, in: thing)
      }
      return SlotOption(
        productID: product, variantID: variant?.variant,
        surcharge: try values.price(section.fields["surcharge"], of: thing) ?? 0)
    }
  }

  /// The variant that a field names: of a product, or of any where it is the only one called so.
  func variant(
    _ field: MenuMapping.Field?, of thing: Int, product: Int?
  ) throws -> VariantPlace? {
    guard let field, let found = try values.found(field, of: thing, MappedValues.labelWords),
      let key = MappedValues.label(found.scalar)
    else { return nil }
    let places = (variants[key] ?? []).filter { product == nil || $0.product == product }
    guard let place = places.first, places.count == 1 else {
      throw values.problem(
        field,
        .findsNoSuch(
          path: field.path, key: key, at: values.place(of: found),
          kind: places.isEmpty ? "variant" : "single variant"))
    }
    return place
  }
}

extension NutritionFacts {
  /// The facts in the order of the model: energy, proteins, fats, carbohydrates.
  fileprivate init(_ numbers: ArraySlice<Double>) {
    let first = numbers.startIndex
    self.init(
      energy: numbers[first], proteins: numbers[first + 1], fats: numbers[first + 2],
      carbohydrates: numbers[first + 3])
  }
}

import Basics

/// Turns a Domino's file into a menu, one kind of thing after the other, taking notes.
struct DominosCatalogue {
  /// The family of a list of toppings or sides.
  struct Family: Hashable {
    var section: Section
    /// The product type.
    var name: String

    enum Section: String, CaseIterable {
      case toppings
      case sides
    }
  }

  /// A topping or side: one code means different things in different families.
  struct IngredientKey: Hashable {
    var family: Family
    var code: String
  }

  let file: DominosFile
  var notes = ImportNotes()
  var categories: [Category] = []
  /// The codes of products in the order of the categories, each once.
  var shelved: [(code: String, categoryID: Int)] = []
  /// The further categories of a product, by its code, in the order of the tree.
  var furtherShelves: [String: [Int]] = [:]
  var ingredients: [Ingredient] = []
  var ingredientIDs: [IngredientKey: Int] = [:]
  var modifierGroups: [ModifierGroup] = []
  var modifierGroupIDs: [[IngredientKey]: Int] = [:]
  /// Where each variant went, by code.
  var variants: [String: (productID: Int, variantID: Int)] = [:]
  /// The codes of variants that a product has listed.
  var listedVariants: Set<String> = []

  init(_ file: DominosFile) {
    self.file = file
  }

  /// The menu; call it once.
  mutating func menu() -> Menu {
    addCategories()
    addIngredients()
    let products = products()
    let combos = coupons() + preconfigured(after: file.coupons.count, products)
    noteUnplaced()
    return Menu(
      id: storeID(), revision: 1, locale: locale(), currency: currency(), city: "",
      categories: categories, ingredients: ingredients, modifierGroups: modifierGroups,
      products: products, combos: combos)
  }

  private mutating func storeID() -> Int {
    if let id = file.store?.id.flatMap({ Int($0) }) { return id }
    notes.add(.storeWithoutNumber, named: file.store?.id)
    return 1
  }

  private mutating func locale() -> String {
    if let language = file.store?.language, !language.isEmpty { return language }
    notes.add(.storeWithoutLanguage)
    return "und"
  }

  private mutating func currency() -> String {
    notes.add(.currencyAssumed)
    return "USD"
  }
}

extension DominosCatalogue {
  /// The tree that holds the menu's shelves; the others arrange coupons and suggestions.
  private static let foodTree = "Food"

  /// Adds every node of the food tree, empty ones and the root too, parents first.
  mutating func addCategories() {
    var seen: Set<String> = []
    var rows: [Row<DominosFile.Category>] = []
    if let root = file.trees[Self.foodTree] { add(root, under: nil, &seen, &rows) }
    notes.add(leftoversOf: rows, .category)
    notes.add(.noPlace(field: "Code", of: .category), count: rows.count)
    for (name, root) in file.trees.sorted(by: { $0.key < $1.key }) where name != Self.foodTree {
      notes.add(
        .noPlace(Noun("category of \(name)", many: "categories of \(name)")), count: size(root))
    }
    shelveTheRest()
  }

  private mutating func add(
    _ row: Row<DominosFile.Category>, under parentID: Int?, _ seen: inout Set<String>,
    _ rows: inout [Row<DominosFile.Category>]
  ) {
    rows.append(row)
    let id = categories.count + 1
    categories.append(Category(id: id, parentID: parentID, name: name(of: row)))
    for code in row.products ?? [] {
      if file.products[code] == nil {
        notes.add(.categoryOfUnknownProduct, named: code)
      } else if seen.insert(code).inserted {
        shelved.append((code, id))
      } else {
        furtherShelves[code, default: []].append(id)
      }
    }
    for child in row.categories ?? [] { add(child, under: id, &seen, &rows) }
  }

  private mutating func name(of row: Row<DominosFile.Category>) -> String {
    if let name = row.name, !name.isEmpty { return name }
    notes.add(.categoryWithoutName, named: row.code)
    return row.code
  }

  /// Products in no category get one of their own, sorted by code.
  private mutating func shelveTheRest() {
    let rest = Set(file.products.keys).subtracting(shelved.map(\.code)).sorted()
    guard !rest.isEmpty else { return }
    let id = categories.count + 1
    categories.append(Category(id: id, name: "Uncategorized"))
    for code in rest {
      shelved.append((code, id))
      notes.add(.productWithoutCategory, named: code)
    }
  }

  private func size(_ row: Row<DominosFile.Category>) -> Int {
    (row.categories ?? []).reduce(1) { $0 + size($1) }
  }
}

extension DominosCatalogue {
  /// The products that have a variant, in the order of their categories.
  mutating func products() -> [Product] {
    notes.add(leftoversOf: file.products.values, .product)
    notes.add(leftoversOf: file.variants.values, .variant)
    let products = shelved.reduce(into: [Product]()) { products, shelf in
      guard let row = file.products[shelf.code] else { return }
      let id = products.count + 1
      let variants = variants(of: row, productID: id)
      guard !variants.isEmpty else {
        notes.add(.productWithoutVariants, named: shelf.code)
        return
      }
      products.append(product(row, id, shelf, variants))
    }
    let unlisted = Set(file.variants.keys).subtracting(listedVariants).sorted()
    for code in unlisted { notes.add(.unlistedVariant, named: code) }
    noteNames()
    return products
  }

  private mutating func product(
    _ row: Row<DominosFile.Product>, _ id: Int, _ shelf: (code: String, categoryID: Int),
    _ variants: [Variant]
  ) -> Product {
    checkCode(row.code, shelf.code)
    let toppings = Family(section: .toppings, name: row.productType)
    let sides = Family(section: .sides, name: row.productType)
    return Product(
      id: id, code: shelf.code, categoryID: shelf.categoryID,
      otherCategoryIDs: (furtherShelves[shelf.code] ?? []).filter { $0 != shelf.categoryID }
        .distinct,
      kind: kind(row.productType),
      name: row.name, details: row.details ?? "", variants: variants,
      ingredients: content(row.defaultToppings, from: row.availableToppings, of: toppings)
        + content(row.defaultSides, from: row.availableSides, of: sides),
      modifierGroupIDs: [
        modifierGroupID(for: row.availableToppings, of: toppings),
        modifierGroupID(for: row.availableSides, of: sides),
      ].compactMap(\.self))
  }

  /// What a product comes with; removable where its list of choices has it and allows none of it.
  private mutating func content(
    _ list: DominosOptions?, from choices: DominosOptions?, of family: Family
  ) -> [ProductIngredient] {
    let removable = Set((choices?.options ?? []).filter(\.mayBeLeftOut).map(\.code))
    return known(list, of: family).map { _, id, option in
      if !option.quantities.isEmpty, option.quantities != ["1"] { notes.add(.defaultQuantity) }
      return ProductIngredient(ingredientID: id, isRemovable: removable.contains(option.code))
    }
  }

  private mutating func kind(_ productType: String) -> Product.Kind {
    switch productType {
    case "Pizza": return .pizza
    case "Bread", "Chips", "GSalad", "Pasta", "Sandwich", "Wings": return .snack
    case "Drinks": return .drink
    case "Dessert": return .dessert
    case "Sides": return .other
    default:
      notes.add(.unknownProductType, named: productType)
      return .other
    }
  }
}

extension DominosCatalogue {
  /// The variants that a product lists, that are in the file, and that have a price.
  mutating func variants(
    of product: Row<DominosFile.Product>, productID: Int
  ) -> [Variant] {
    product.variants.compactMap { code in
      guard let row = file.variants[code] else {
        notes.add(.unknownVariant, named: code)
        return nil
      }
      guard listedVariants.insert(code).inserted else {
        notes.add(.repeatedVariant, named: code)
        return nil
      }
      guard let price = row.price?.cents else {
        notes.add(.variantWithoutPrice, named: code)
        return nil
      }
      return variant(row, code, price, of: product, productID)
    }
  }

  private mutating func variant(
    _ row: Row<DominosFile.Variant>, _ code: String, _ price: Int,
    of product: Row<DominosFile.Product>, _ productID: Int
  ) -> Variant {
    checkCode(row.code, code)
    if let owner = row.productCode, file.products[owner]?.variants.contains(code) != true {
      notes.add(.otherProduct, named: code)
    }
    let id = variants.count + 1
    variants[code] = (productID, id)
    return Variant(
      id: id, code: code, size: size(row, product.productType),
      dough: dough(row, product.productType),
      price: price, priceTiers: tiers(row, code), image: row.image ?? "")
  }

  private mutating func tiers(_ row: Row<DominosFile.Variant>, _ code: String) -> [PriceTier] {
    (row.pricing ?? [:]).sorted { $0.key < $1.key }.compactMap { name, money in
      guard let cents = money.cents else {
        notes.add(.tierWithoutPrice, named: "\(name) of \(code)")
        return nil
      }
      return PriceTier(name: name, price: cents)
    }
  }

  /// The size's name; a variant without a size is told apart by its own name.
  private mutating func size(_ row: Row<DominosFile.Variant>, _ family: String) -> String {
    guard let code = row.sizeCode, !code.isEmpty else {
      notes.add(.variantWithoutSize)
      return row.name ?? ""
    }
    if let size = file.sizes[family]?[code] { return size.name }
    notes.add(.unknownSize, named: "\(code) of \(family)")
    return code
  }

  private mutating func dough(_ row: Row<DominosFile.Variant>, _ family: String) -> String? {
    guard let code = row.flavorCode, !code.isEmpty else { return nil }
    if let flavor = file.flavors[family]?[code] { return flavor.name }
    notes.add(.unknownFlavor, named: "\(code) of \(family)")
    return code
  }
}

extension DominosCatalogue {
  /// Adds toppings, then sides, each by family and code.
  mutating func addIngredients() {
    for section in Family.Section.allCases {
      for (name, records) in families(section).sorted(by: { $0.key < $1.key }) {
        add(records, of: Family(section: section, name: name))
      }
      let noun = section == .toppings ? Noun.topping : .side
      notes.add(leftoversOf: families(section).values.flatMap(\.values), noun)
    }
    notes.add(
      .noPlace(.ingredientFamily),
      count: Family.Section.allCases.reduce(0) { $0 + families($1).count })
  }

  private func families(_ section: Family.Section) -> DominosFile.Families<DominosFile.Named> {
    section == .toppings ? file.toppings : file.sides
  }

  private mutating func add(_ records: DominosFile.Section<DominosFile.Named>, of family: Family) {
    for (code, row) in records.sorted(by: { $0.key < $1.key }) {
      let id = ingredients.count + 1
      ingredients.append(Ingredient(id: id, code: code, name: row.name))
      ingredientIDs[IngredientKey(family: family, code: code)] = id
      checkCode(row.code, code)
    }
  }

  /// The options of a list that its family has, each once.
  mutating func known(
    _ list: DominosOptions?, of family: Family
  ) -> [(key: IngredientKey, id: Int, option: DominosOptions.Option)] {
    var seen: Set<Int> = []
    return (list?.options ?? []).compactMap { option in
      let key = IngredientKey(family: family, code: option.code)
      guard let id = ingredientIDs[key] else {
        notes.add(.unknownOption, named: "\(option.code) of \(family.name)")
        return nil
      }
      guard seen.insert(id).inserted else {
        notes.add(.repeatedOption, named: "\(option.code) of \(family.name)")
        return nil
      }
      return (key, id, option)
    }
  }

  /// The group for a list of what may be added; equal lists share one. Nil for an empty list.
  mutating func modifierGroupID(for list: DominosOptions?, of family: Family) -> Int? {
    let known = known(list, of: family)
    guard !known.isEmpty else { return nil }
    notes.add(.optionWithQuantities, count: known.count { !$0.option.quantities.isEmpty })
    let keys = known.map(\.key)
    if let id = modifierGroupIDs[keys] { return id }
    let id = modifierGroups.count + 1
    modifierGroupIDs[keys] = id
    modifierGroups.append(
      ModifierGroup(
        id: id, name: "\(family.name) \(family.section.rawValue)", min: 0, max: known.count,
        options: known.map { ModifierOption(ingredientID: $0.id) }))
    return id
  }

  /// Notes a record whose own code is not the one that it is filed under.
  mutating func checkCode(_ own: String?, _ key: String) {
    if let own, own != key { notes.add(.otherCode, named: "\(own) under \(key)") }
  }
}

extension DominosCatalogue {
  /// Coupons by code; without slots, because the file says only in words what they are for.
  mutating func coupons() -> [Combo] {
    notes.add(leftoversOf: file.coupons.values, .coupon)
    return file.coupons.sorted { $0.key < $1.key }.enumerated().map { index, entry in
      let (code, row) = entry
      checkCode(row.code, code)
      let price = row.price?.cents
      if price == nil { notes.add(.couponWithoutPrice, named: code) }
      notes.add(.couponWithoutContent)
      return Combo(
        id: index + 1, code: code, name: row.name, details: row.details ?? "", price: price,
        image: row.image ?? "", slots: [])
    }
  }

  /// Preconfigured products by code, each with one slot that holds its variant.
  mutating func preconfigured(after count: Int, _ products: [Product]) -> [Combo] {
    notes.add(leftoversOf: file.preconfigured.values, .preconfigured)
    notes.add(.preconfiguredWithoutPrice, count: file.preconfigured.count)
    let names = Dictionary(uniqueKeysWithValues: products.map { ($0.id, $0.name) })
    return file.preconfigured.sorted { $0.key < $1.key }.enumerated().map { index, entry in
      let (code, row) = entry
      checkCode(row.code, code)
      return Combo(
        id: count + index + 1, code: code, name: row.name, details: row.details ?? "",
        price: nil, image: "", slots: slots(of: row, code, id: index + 1, names))
    }
  }

  private mutating func slots(
    of row: Row<DominosFile.Preconfigured>, _ code: String, id: Int, _ names: [Int: String]
  ) -> [Slot] {
    guard let place = variants[row.variantCode] else {
      notes.add(.preconfiguredOfUnknownVariant, named: code)
      return []
    }
    let option = SlotOption(productID: place.productID, variantID: place.variantID)
    return [
      Slot(
        id: id, name: names[place.productID] ?? "", min: 1, max: 1, options: [option],
        defaultProductID: place.productID)
    ]
  }
}

extension DominosCatalogue {
  /// Notes the variants' names that nothing shows: a size stands in their place.
  mutating func noteNames() {
    let sized = file.variants.values.filter {
      !($0.sizeCode ?? "").isEmpty && !($0.name ?? "").isEmpty
    }
    notes.add(.noPlace(field: "Name", of: .variant), count: sized.count)
  }

  /// Notes what the file holds beside products, and the sizes and flavors that nothing has.
  mutating func noteUnplaced() {
    notes.add(leftoversOf: file.sizes.values.flatMap(\.values), .size)
    notes.add(leftoversOf: file.flavors.values.flatMap(\.values), .flavor)
    noteUnused(file.sizes, .unusedSize) { $0.sizeCode }
    noteUnused(file.flavors, .unusedFlavor) { $0.flavorCode }
    if let store = file.store { notes.add(leftoversOf: [store], .store) }
    for (name, count) in file.unplaced.sorted(by: { $0.key < $1.key }) {
      notes.add(.noPlace(Noun(key: name)), count: count)
    }
  }

  private mutating func noteUnused(
    _ families: DominosFile.Families<DominosFile.Named>, _ finding: Finding,
    code: (Row<DominosFile.Variant>) -> String?
  ) {
    var unused = families.mapValues { Set($0.keys) }
    for product in file.products.values {
      for variant in product.variants.compactMap({ file.variants[$0] }) {
        if let code = code(variant) { unused[product.productType]?.remove(code) }
      }
    }
    for (family, codes) in unused.sorted(by: { $0.key < $1.key }) {
      for code in codes.sorted() { notes.add(finding, named: "\(code) of \(family)") }
    }
  }
}

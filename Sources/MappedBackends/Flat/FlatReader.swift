import BackendKit
import MenuModel

/// Finds parts of a menu in a file's bytes, and looks at them there: no value is made.
struct FlatReader {
  let image: FlatImage

  init(_ image: FlatImage) { self.image = image }

  /// Feeds a text to a checksum.
  @inline(__always)
  private func add(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(utf8: try image.textBytes(number))
  }

  /// Feeds a text that may be absent to a checksum.
  @inline(__always)
  private func addOptional(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    if number != FlatFormat.none { try add(number, to: &checksum) }
  }

  /// The record of an id by binary search in an index; nil where there is none.
  func find(_ id: Int, in index: FlatSection<FlatIndexEntry>) throws -> UInt32? {
    let entries = index.all
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      if entry.id == id { return entry.record }
      if entry.id < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The product of an option or of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another product's.
  @inline(__always)
  func product(_ index: UInt32, id: Int) throws -> FlatProduct {
    let product = try image.products.record(index)
    guard product.id == id else {
      throw FlatFault(
        reason: "product record \(index) is product \(product.id), not \(id)",
        offset: image.products.offset)
    }
    return product
  }

  /// The combo of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another combo's.
  func combo(_ index: UInt32, id: Int) throws -> FlatCombo {
    let combo = try image.combos.record(index)
    guard combo.id == id else {
      throw FlatFault(
        reason: "combo record \(index) is combo \(combo.id), not \(id)",
        offset: image.combos.offset)
    }
    return combo
  }
}

extension FlatReader {
  /// Feeds a product to a checksum as `Product` does.
  func add(_ product: FlatProduct, to checksum: inout Checksum) throws {
    guard let kind = Product.Kind(code: product.kind),
      let availability = Product.Availability(code: product.availability)
    else { throw product.fault(image.products.offset) }
    checksum.add(product.id)
    try addOptional(product.code, to: &checksum)
    checksum.add(product.categoryID)
    try addIDs(product.otherCategories, to: &checksum)
    checksum.add(kind.rawValue)
    try add(product.name, to: &checksum)
    try add(product.details, to: &checksum)
    try addTags(product.tags, to: &checksum)
    checksum.add(availability.rawValue)
    try addHours(product.hours, to: &checksum)
    try addAllergens(product.allergens, to: &checksum)
    try addVariants(product.variants, to: &checksum)
    try addParts(product.ingredients, to: &checksum)
    try addIDs(product.modifierGroups, to: &checksum)
  }

  private func addHours(_ range: FlatRange, to checksum: inout Checksum) throws {
    let hours = try image.hours.run(range)
    checksum.add(hours.count)
    for index in 0..<hours.count {
      checksum.add(hours[index].days)
      checksum.add(hours[index].from)
      checksum.add(hours[index].until)
    }
  }

  private func addAllergens(_ range: FlatRange, to checksum: inout Checksum) throws {
    let allergens = try image.allergens.run(range)
    checksum.add(allergens.count)
    for index in 0..<allergens.count {
      guard let allergen = Allergen(code: allergens[index]) else {
        throw FlatFault(
          reason: "there is no allergen \(allergens[index])", offset: allergens.offset(of: index))
      }
      checksum.add(allergen.rawValue)
    }
  }

  private func addTags(_ range: FlatRange, to checksum: inout Checksum) throws {
    let tags = try image.tags.run(range)
    checksum.add(tags.count)
    for index in 0..<tags.count { try add(tags[index], to: &checksum) }
  }

  private func addParts(_ range: FlatRange, to checksum: inout Checksum) throws {
    let parts = try image.parts.run(range)
    checksum.add(parts.count)
    for index in 0..<parts.count {
      let part = parts[index]
      checksum.add(part.ingredientID)
      checksum.add(part.isRemovable)
    }
  }

  private func addIDs(_ range: FlatRange, to checksum: inout Checksum) throws {
    let ids = try image.linkedIDs.run(range)
    checksum.add(ids.count)
    for index in 0..<ids.count { checksum.add(ids[index]) }
  }

  private func addVariants(_ range: FlatRange, to checksum: inout Checksum) throws {
    let variants = try image.variants.run(range)
    checksum.add(variants.count)
    for index in 0..<variants.count { try add(variants[index], to: &checksum) }
  }

  @inline(__always)
  private func add(_ variant: FlatVariant, to checksum: inout Checksum) throws {
    checksum.add(variant.id)
    try addOptional(variant.code, to: &checksum)
    try add(variant.size, to: &checksum)
    try addOptional(variant.dough, to: &checksum)
    checksum.add(variant.weight)
    checksum.add(variant.price)
    let tiers = try image.priceTiers.run(variant.priceTiers)
    checksum.add(tiers.count)
    for index in 0..<tiers.count {
      let tier = tiers[index]
      try add(tier.name, to: &checksum)
      checksum.add(tier.price)
      try addOrderType(tier.orderType, tiers.offset(of: index), to: &checksum)
    }
    try add(variant.image, to: &checksum)
    try addNutrition(variant.nutrition, to: &checksum)
  }

  @inline(__always)
  private func addOrderType(
    _ number: UInt32, _ offset: @autoclosure () -> Int, to checksum: inout Checksum
  ) throws {
    guard number != FlatFormat.none else { return checksum.add(String?.none) }
    guard let type = UInt8(exactly: number).flatMap(OrderType.init(code:)) else {
      throw FlatFault(reason: "there is no order type \(number)", offset: offset())
    }
    checksum.add(type.rawValue as String?)
  }

  @inline(__always)
  private func addNutrition(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    guard number != FlatFormat.none else { return }
    let nutrition = try image.nutrition.record(number)
    nutrition.per100g.visit(&checksum)
    nutrition.whole.visit(&checksum)
  }
}

extension FlatFacts {
  @inline(__always)
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(energy)
    checksum.add(proteins)
    checksum.add(fats)
    checksum.add(carbohydrates)
  }
}

extension FlatReader {
  /// Feeds a combo with its options and their products to a checksum as `ResolvedCombo` does.
  func add(_ combo: FlatCombo, to checksum: inout Checksum) throws {
    checksum.add(combo.id)
    try addOptional(combo.code, to: &checksum)
    try add(combo.name, to: &checksum)
    try add(combo.details, to: &checksum)
    checksum.add(combo.price)
    checksum.add(combo.oldPrice)
    try add(combo.image, to: &checksum)
    var named = NamedProducts(of: image.products.count)
    let slots = try image.slots.run(combo.slots)
    checksum.add(slots.count)
    for index in 0..<slots.count { try add(slots[index], &named, to: &checksum) }
    checksum.add(named.inOrder.count)
    for product in named.inOrder {
      try add(try self.product(product.record, id: product.id), to: &checksum)
    }
  }

  @inline(__always)
  private func add(
    _ slot: FlatSlot, _ named: inout NamedProducts, to checksum: inout Checksum
  ) throws {
    checksum.add(slot.id)
    try add(slot.name, to: &checksum)
    checksum.add(slot.min)
    checksum.add(slot.max)
    checksum.add(slot.defaultProductID)
    let options = try image.options.run(slot.options)
    checksum.add(options.count)
    for index in 0..<options.count {
      let option = options[index]
      checksum.add(option.productID)
      checksum.add(option.variantID)
      checksum.add(option.surcharge)
      named.add(option)
    }
  }
}

/// The products that options name, each once, in the order in which they are first named.
private struct NamedProducts {
  private var seen: [UInt64]
  private(set) var inOrder: [(record: UInt32, id: Int)] = []

  init(of count: Int) { seen = Array(repeating: 0, count: count / 64 + 1) }

  /// A record that there is not is kept too: reading it says what is wrong.
  @inline(__always)
  mutating func add(_ option: FlatOption) {
    guard option.product != FlatFormat.none else { return }
    let word = Int(option.product) / 64
    let bit: UInt64 = 1 << UInt64(option.product % 64)
    if word < seen.count {
      guard seen[word] & bit == 0 else { return }
      seen[word] |= bit
    }
    inOrder.append((option.product, option.productID))
  }
}

extension FlatReader {
  /// The products that the slots' options name, each once, in the order in which they are first named.
  func products(namedBy slots: FlatRange) throws -> [(record: UInt32, id: Int)] {
    var named = NamedProducts(of: image.products.count)
    let slots = try image.slots.run(slots)
    for index in 0..<slots.count {
      let options = try image.options.run(slots[index].options)
      for option in 0..<options.count { named.add(options[option]) }
    }
    return named.inOrder
  }

  /// The indices of the products of the first category that has any. There is no index of shelves, so
  /// every product's record is looked at.
  func shelf() throws -> [UInt32] {
    let products = try image.ownProducts()
    var filled: Set<Int> = []
    for index in 0..<products.count {
      filled.insert(products[index].categoryID)
      let others = try image.linkedIDs.run(products[index].otherCategories)
      for other in 0..<others.count { filled.insert(others[other]) }
    }
    let categories = image.categories.all
    let first = (0..<categories.count).lazy.map { categories[$0].id }.first(where: filled.contains)
    return try first.map { try shelf($0) } ?? []
  }

  /// The indices of the products of a category; every product's record is looked at.
  func shelf(_ categoryID: Int) throws -> [UInt32] {
    let products = try image.ownProducts()
    return try (0..<products.count).filter { index in
      if products[index].categoryID == categoryID { return true }
      let others = try image.linkedIDs.run(products[index].otherCategories)
      return (0..<others.count).contains { others[$0] == categoryID }
    }.map { UInt32($0) }
  }
}

extension FlatReader {
  /// The ids of products whose names contain a query, in the order of `NameSearch`.
  func products(named query: String) throws -> [Int] {
    let wanted = Array(NameSearch.key(query).utf8)
    let products = try image.ownProducts()
    var folded = FoldedName()
    var found: [(id: Int, key: [UInt8])] = []
    for index in 0..<products.count {
      let product = products[index]
      let isFolded = folded.fold(try image.textBytes(product.name))
      let key =
        isFolded ? folded.bytes : Array(NameSearch.key(try image.makeText(product.name)).utf8)
      if NameSearch.contains(key, wanted) { found.append((product.id, key)) }
    }
    return found.sorted(by: Self.precedes).map(\.id)
  }

  private static func precedes(
    _ a: (id: Int, key: [UInt8]), _ b: (id: Int, key: [UInt8])
  ) -> Bool {
    a.key == b.key ? a.id < b.id : a.key.lexicographicallyPrecedes(b.key)
  }
}

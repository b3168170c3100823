import Basics

extension Menu {
  /// What is wrong with the menu, in the order of its parts; at most `limit` problems.
  ///
  /// Ids are unique among things of one kind (variants and slots in the whole menu), everything
  /// that is referred to exists, categories stand in no circle and modifier groups offer none, a
  /// slot has either a list or options, its default is one of them, nothing that must have elements
  /// is empty or repeats one, no count and no price of a product or combo is below zero, `min` is
  /// at most `max`, nutrition is finite and not below zero, what is stopped is so until a date, and
  /// embedded products equal the products they copy. A surcharge and a modifier's price may be
  /// below zero: an order costs less with an own cup, or in a smaller size.
  ///
  /// Cost: linear in the menu, with an index of every id that takes tens of bytes a thing. Shared
  /// lists are checked once, however many slots show them; embedded products are compared one by
  /// one, which for a decoded menu reads every copy. Check what comes from outside once, not what
  /// was decoded from what you wrote.
  ///
  /// - Parameter limit: The search ends at this many problems; none are looked for below 1.
  package func problems(limit: Int = 20) -> [MenuProblem] {
    guard limit > 0 else { return [] }
    var check = MenuCheck(self, limit: limit)
    check.run()
    return check.problems
  }

  /// Checks the menu as ``problems(limit:)`` does.
  ///
  /// - Throws: ``InvalidMenu`` with the first twenty problems.
  package func validate() throws(InvalidMenu) {
    let problems = problems()
    guard problems.isEmpty else { throw InvalidMenu(problems: problems) }
  }
}

/// Something in a menu that cannot be.
package struct MenuProblem: Hashable, Sendable, CustomStringConvertible {
  /// Where: `combos[3].slots[1].options[7]`, with positions from zero.
  package let path: String
  /// What: `product 912 does not exist`.
  package let message: String

  /// One line: `combos[3].slots[1].options[7]: product 912 does not exist`.
  package var description: String { "\(path): \(message)" }
}

/// A menu that contradicts itself.
package struct InvalidMenu: UserFacingError, Hashable, Sendable, CustomStringConvertible {
  /// The first problems, at least one.
  package let problems: [MenuProblem]

  /// One problem a line.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// One search for the problems of a menu.
///
/// Paths and messages of what menus hold most of are made for problems only, and nothing is looked
/// at once there are enough.
struct MenuCheck {
  let menu: Menu
  let index: MenuIndex
  private let limit: Int
  private(set) var problems: [MenuProblem] = []

  init(_ menu: Menu, limit: Int) {
    self.menu = menu
    self.limit = limit
    index = MenuIndex(menu)
  }

  var isFull: Bool { problems.count >= limit }

  mutating func run() {
    checkCategories()
    checkIngredients()
    checkModifierGroups()
    checkProducts()
    checkCombos()
    checkStopList()
    checkStoreOverrides()
    checkTranslations()
  }

  /// Notes a problem unless the condition holds.
  mutating func expect(
    _ condition: Bool, _ path: @autoclosure () -> String, _ message: @autoclosure () -> String
  ) {
    guard !condition, !isFull else { return }
    problems.append(MenuProblem(path: path(), message: message()))
  }

  /// Notes a thing whose id an earlier thing of its kind has.
  mutating func expectFirst(
    _ position: Int, in positions: [Int: Int], _ kind: String, _ id: Int, _ list: String
  ) {
    guard let first = positions[id], first != position else { return }
    expect(false, "\(list)[\(position)]", "\(kind) \(id) is already at \(list)[\(first)]")
  }

  mutating func expectCount(_ count: Int, _ name: String, _ path: @autoclosure () -> String) {
    expect(count >= 0, path(), "\(name) \(count) is below zero")
  }

  mutating func expectOrder(_ min: Int, _ max: Int, _ path: @autoclosure () -> String) {
    expectCount(min, "min", path())
    expectCount(max, "max", path())
    expect(min <= max, path(), "min \(min) is above max \(max)")
  }

  /// Notes every element that equals an earlier one; linear, without a set for the usual few.
  mutating func expectDifferent<Value: Hashable>(
    _ values: [Value], _ path: (Int) -> String, _ message: (Value) -> String
  ) {
    guard values.count > 1 else { return }
    var seen: Set<Value> = []
    for (position, value) in values.enumerated() {
      let isFirst =
        values.count <= 8
        ? !values[..<position].contains(value) : seen.insert(value).inserted
      expect(isFirst, path(position), message(value))
    }
  }
}

extension MenuCheck {
  mutating func checkCategories() {
    for (position, category) in menu.categories.enumerated() where !isFull {
      expectFirst(position, in: index.categories, "category", category.id, "categories")
      if let parent = category.parentID {
        expect(
          index.categories[parent] != nil, "categories[\(position)]",
          "category \(parent) does not exist")
      }
    }
    checkCircles()
  }

  /// Walks up from every category and never twice over the same one, so that a long chain costs no
  /// more than its length; each circle is noted once, where the walk first meets it.
  private mutating func checkCircles() {
    var walkOf = [Int](repeating: -1, count: menu.categories.count)
    for start in menu.categories.indices where !isFull {
      var position = start
      while walkOf[position] < 0 {
        walkOf[position] = start
        guard let parent = menu.categories[position].parentID.flatMap({ index.categories[$0] })
        else { break }
        let id = menu.categories[parent].id
        expect(walkOf[parent] != start, "categories[\(parent)]", "category \(id) stands in itself")
        position = parent
      }
    }
  }

  mutating func checkIngredients() {
    for (position, ingredient) in menu.ingredients.enumerated() where !isFull {
      expectFirst(position, in: index.ingredients, "ingredient", ingredient.id, "ingredients")
    }
  }
}

extension MenuCheck {
  mutating func checkProducts() {
    for (position, product) in menu.products.enumerated() where !isFull {
      expectFirst(position, in: index.products, "product", product.id, "products")
      expect(
        index.categories[product.categoryID] != nil, "products[\(position)]",
        "category \(product.categoryID) does not exist")
      checkShelves(of: product, at: position)
      checkHours(of: product, at: position)
      expectDifferent(
        product.allergens, { "products[\(position)].allergens[\($0)]" },
        { "\($0.rawValue) is there twice" })
      expect(!product.variants.isEmpty, "products[\(position)]", "it has no variants")
      expectDifferent(
        product.tags, { "products[\(position)].tags[\($0)]" }, { "tag '\($0)' is there twice" })
      checkIngredients(of: product, at: position)
      checkGroups(of: product, at: position)
      checkVariants(of: product, at: position)
    }
  }

  private mutating func checkShelves(of product: Product, at position: Int) {
    for (place, category) in product.otherCategoryIDs.enumerated() where !isFull {
      expect(
        index.categories[category] != nil, "products[\(position)].otherCategoryIDs[\(place)]",
        "category \(category) does not exist")
      expect(
        category != product.categoryID, "products[\(position)].otherCategoryIDs[\(place)]",
        "category \(category) is the product's first")
    }
    expectDifferent(
      product.otherCategoryIDs, { "products[\(position)].otherCategoryIDs[\($0)]" },
      { "category \($0) is there twice" })
  }

  private mutating func checkHours(of product: Product, at position: Int) {
    for (place, hours) in product.hours.enumerated() where !isFull {
      let path = "products[\(position)].hours[\(place)]"
      expect(
        (1...127).contains(hours.days), path,
        "days \(hours.days) are none: a bit each from 1, Monday, to 64, Sunday")
      expect((0..<1_440).contains(hours.from), path, "from \(hours.from) is no minute of a day")
      expect((0...1_440).contains(hours.until), path, "until \(hours.until) is no minute of a day")
    }
  }

  private mutating func checkIngredients(of product: Product, at position: Int) {
    for (place, ingredient) in product.ingredients.enumerated() where !isFull {
      expect(
        index.ingredients[ingredient.ingredientID] != nil,
        "products[\(position)].ingredients[\(place)]",
        "ingredient \(ingredient.ingredientID) does not exist")
    }
    expectDifferent(
      product.ingredients.map(\.ingredientID), { "products[\(position)].ingredients[\($0)]" },
      { "ingredient \($0) is there twice" })
  }

  private mutating func checkGroups(of product: Product, at position: Int) {
    for (place, group) in product.modifierGroupIDs.enumerated() where !isFull {
      expect(
        index.modifierGroups[group] != nil, "products[\(position)].modifierGroupIDs[\(place)]",
        "modifier group \(group) does not exist")
    }
    expectDifferent(
      product.modifierGroupIDs, { "products[\(position)].modifierGroupIDs[\($0)]" },
      { "modifier group \($0) is there twice" })
  }

  private mutating func checkVariants(of product: Product, at position: Int) {
    for (place, variant) in product.variants.enumerated() where !isFull {
      // Paths are autoclosures further down: this one costs nothing where nothing is wrong.
      func path() -> String { "products[\(position)].variants[\(place)]" }
      if let first = index.variants[variant.id] {
        expect(
          first.product == position && first.variant == place, path(),
          "variant \(variant.id) is already at "
            + "products[\(first.product)].variants[\(first.variant)]")
      }
      expectCount(variant.price, "price", path())
      expectCount(variant.weight ?? 0, "weight", path())
      for (tier, element) in variant.priceTiers.enumerated() where !isFull {
        expectCount(element.price, "price", "\(path()).priceTiers[\(tier)]")
      }
      if let nutrition = variant.nutrition {
        check(nutrition.per100g, "\(path()).nutrition.per100g")
        check(nutrition.whole, "\(path()).nutrition.whole")
      }
    }
  }

  private mutating func check(_ facts: NutritionFacts, _ path: @autoclosure () -> String) {
    expectAmount(facts.energy, "energy", path())
    expectAmount(facts.proteins, "proteins", path())
    expectAmount(facts.fats, "fats", path())
    expectAmount(facts.carbohydrates, "carbohydrates", path())
  }

  private mutating func expectAmount(
    _ amount: Double, _ name: String, _ path: @autoclosure () -> String
  ) {
    expect(amount >= 0 && amount.isFinite, path(), "\(name) is \(amount)")
  }
}

extension MenuCheck {
  mutating func checkModifierGroups() {
    for (position, group) in menu.modifierGroups.enumerated() where !isFull {
      let path = "modifierGroups[\(position)]"
      expectFirst(
        position, in: index.modifierGroups, "modifier group", group.id, "modifierGroups")
      expectOrder(group.min, group.max, path)
      expectCount(group.free, "free", path)
      expect(
        group.free <= max(group.max, 0), path, "free \(group.free) is more than max \(group.max)")
      for (position, option) in group.options.enumerated() where !isFull {
        check(option, "\(path).options[\(position)]")
      }
    }
    checkGroupCircles()
  }

  /// Follows the groups that options lead to, in depth, and notes each group that leads to itself where
  /// the walk first comes back to it.
  private mutating func checkGroupCircles() {
    let next = menu.modifierGroups.map { group in
      group.options.flatMap(\.modifierGroupIDs).compactMap { index.modifierGroups[$0] }
    }
    enum State { case unseen, open, done }
    var states = Array(repeating: State.unseen, count: next.count)
    for start in next.indices where states[start] == .unseen && !isFull {
      var path = [(group: start, next: 0)]
      states[start] = .open
      while let (group, place) = path.last {
        guard place < next[group].count else {
          states[group] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let following = next[group][place]
        let id = menu.modifierGroups[following].id
        expect(
          states[following] != .open, "modifierGroups[\(following)]",
          "modifier group \(id) is offered within itself")
        guard states[following] == .unseen else { continue }
        states[following] = .open
        path.append((following, 0))
      }
    }
  }

  private mutating func check(_ option: ModifierOption, _ path: String) {
    expect(
      index.ingredients[option.ingredientID] != nil, path,
      "ingredient \(option.ingredientID) does not exist")
    for (place, group) in option.modifierGroupIDs.enumerated() where !isFull {
      expect(
        index.modifierGroups[group] != nil, "\(path).modifierGroupIDs[\(place)]",
        "modifier group \(group) does not exist")
    }
    expectDifferent(
      option.prices.map(\.size), { "\(path).prices[\($0)]" }, { "size '\($0)' is there twice" })
  }
}

extension MenuCheck {
  mutating func checkCombos() {
    let productsOfLists = checkOptionLists()
    for (position, combo) in menu.combos.enumerated() where !isFull {
      expectFirst(position, in: index.combos, "combo", combo.id, "combos")
      expectCount(combo.price ?? 0, "price", "combos[\(position)]")
      expectCount(combo.oldPrice ?? 0, "old price", "combos[\(position)]")
      for (place, slot) in combo.slots.enumerated() where !isFull {
        let path = "combos[\(position)].slots[\(place)]"
        checkID(of: slot, position, place)
        expectOrder(slot.min, slot.max, path)
        checkOptions(of: slot, productsOfLists, path)
      }
    }
  }

  /// Checks the shared lists, and gives the products of each: a default is then found in constant
  /// time, however many slots share a long list.
  private mutating func checkOptionLists() -> [Set<Int>] {
    menu.optionLists.indices.map { position in
      let list = menu.optionLists[position]
      expectFirst(position, in: index.optionLists, "option list", list.id, "optionLists")
      check(list.options, "optionLists[\(position)]")
      return Set(list.options.lazy.map(\.productID))
    }
  }

  private mutating func checkID(of slot: Slot, _ combo: Int, _ place: Int) {
    guard let first = index.slots[slot.id] else { return }
    expect(
      first.combo == combo && first.slot == place, "combos[\(combo)].slots[\(place)]",
      "slot \(slot.id) is already at combos[\(first.combo)].slots[\(first.slot)]")
  }

  private mutating func checkOptions(of slot: Slot, _ products: [Set<Int>], _ path: String) {
    switch (slot.optionListID, slot.options) {
    case (nil, nil): expect(false, path, "it has neither an option list nor options")
    case (.some, .some): expect(false, path, "it has both an option list and options")
    case (nil, let options?):
      check(options, path)
      checkDefault(of: slot, path) { product in options.contains { $0.productID == product } }
    case (let list?, nil):
      guard let position = index.optionLists[list] else {
        expect(false, path, "option list \(list) does not exist")
        return
      }
      checkDefault(of: slot, path) { products[position].contains($0) }
    }
  }

  private mutating func checkDefault(
    of slot: Slot, _ path: String, isOption: (Int) -> Bool
  ) {
    guard let product = slot.defaultProductID else { return }
    expect(isOption(product), path, "default product \(product) is not among its options")
  }

  private mutating func check(_ options: [SlotOption], _ path: String) {
    expect(!options.isEmpty, path, "it has no options")
    for (position, option) in options.enumerated() where !isFull {
      check(option, "\(path).options[\(position)]")
    }
  }

  private mutating func check(_ option: SlotOption, _ path: @autoclosure () -> String) {
    guard let position = index.products[option.productID] else {
      expect(false, path(), "product \(option.productID) does not exist")
      return
    }
    checkVariant(of: option, productAt: position, path())
    if let copy = option.product {
      expect(
        copy == menu.products[position], path(),
        "embedded product \(copy.id) differs from products[\(position)]")
    }
  }

  private mutating func checkVariant(
    of option: SlotOption, productAt position: Int, _ path: @autoclosure () -> String
  ) {
    guard let variant = option.variantID else { return }
    guard let place = index.variants[variant] else {
      expect(false, path(), "variant \(variant) does not exist")
      return
    }
    let owner = menu.products[place.product].id
    expect(
      place.product == position, path(),
      "variant \(variant) is of product \(owner), not \(option.productID)")
  }
}

extension MenuCheck {
  mutating func checkStopList() {
    for (position, entry) in menu.stopList.enumerated() where !isFull {
      expectThing(entry.entity, entry.entityID, "stopList[\(position)]")
      guard let until = entry.until else { continue }
      expect(Self.isDate(until), "stopList[\(position)]", "until '\(until)' is no date of ISO 8601")
    }
  }

  /// Whether a text is a date or a moment as ISO 8601 writes them, `2026-03-08T12:00:00Z`.
  private static func isDate(_ text: String) -> Bool {
    let form =
      /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?/
    guard let match = text.wholeMatch(of: form), let year = Int(match.1), let month = Int(match.2),
      let day = Int(match.3)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func isBelow(_ part: Substring?, _ limit: Int) -> Bool { part.flatMap { Int($0) } ?? 0 < limit }
    // A minute may have a leap second, a day may end at 24:00.
    return (1...12).contains(month) && (1...days[month - 1]).contains(day) && isBelow(match.4, 25)
      && isBelow(match.5, 60) && isBelow(match.6, 61)
  }

  mutating func checkStoreOverrides() {
    var seen: Set<OverrideKey> = []
    for (position, override) in menu.storeOverrides.enumerated() where !isFull {
      let path = "storeOverrides[\(position)]"
      expectThing(override.entity, override.entityID, path)
      expect(
        [.product, .variant, .combo].contains(override.entity), path,
        "it is of a \(override.entity.words), not of a product, variant or combo")
      expect(
        override.price != nil || override.availability != nil, path,
        "it has neither a price nor an availability")
      expectCount(override.price ?? 0, "price", path)
      let key = OverrideKey(
        store: override.storeID, entity: override.entity, id: override.entityID)
      expect(
        seen.insert(key).inserted, path,
        "\(override.entity.words) \(override.entityID) has one of store \(override.storeID) already"
      )
    }
  }

  mutating func checkTranslations() {
    var seen: Set<TranslationKey> = []
    for (position, translation) in menu.translations.enumerated() where !isFull {
      let key = TranslationKey(translation)
      expectThing(key.entity, key.id, "translations[\(position)]")
      expect(
        seen.insert(key).inserted, "translations[\(position)]",
        "\(key.entity.words) \(key.id) has a translation to \(key.locale) already")
    }
  }

  private mutating func expectThing(
    _ entity: Entity, _ id: Int, _ path: @autoclosure () -> String
  ) {
    expect(index.contains(entity, id), path(), "\(entity.words) \(id) does not exist")
  }
}

/// What a store may have one override for.
private struct OverrideKey: Hashable {
  let store: Int
  let entity: Entity
  let id: Int
}

/// What there may be one translation for.
private struct TranslationKey: Hashable {
  let locale: String
  let entity: Entity
  let id: Int

  init(_ translation: Translation) {
    locale = translation.locale
    entity = translation.entity
    id = translation.entityID
  }
}

extension Entity {
  fileprivate var words: String {
    self == .modifierGroup ? "modifier group" : rawValue
  }
}

/// Where everything that has an id stands; of several things with one id the first counts.
package struct MenuIndex {
  /// A variant's place.
  struct VariantPlace {
    let product: Int
    let variant: Int
  }

  /// A slot's place.
  struct SlotPlace {
    let combo: Int
    let slot: Int
  }

  let categories: [Int: Int]
  let ingredients: [Int: Int]
  let modifierGroups: [Int: Int]
  /// The places of products by their ids.
  package let products: [Int: Int]
  let optionLists: [Int: Int]
  let combos: [Int: Int]
  private(set) var variants: [Int: VariantPlace] = [:]
  private(set) var slots: [Int: SlotPlace] = [:]

  /// Looks at every thing of a menu once.
  package init(_ menu: Menu) {
    categories = Self.positions(menu.categories, \.id)
    ingredients = Self.positions(menu.ingredients, \.id)
    modifierGroups = Self.positions(menu.modifierGroups, \.id)
    products = Self.positions(menu.products, \.id)
    optionLists = Self.positions(menu.optionLists, \.id)
    combos = Self.positions(menu.combos, \.id)
    for (product, element) in menu.products.enumerated() {
      for (variant, element) in element.variants.enumerated() where variants[element.id] == nil {
        variants[element.id] = VariantPlace(product: product, variant: variant)
      }
    }
    for (combo, element) in menu.combos.enumerated() {
      for (slot, element) in element.slots.enumerated() where slots[element.id] == nil {
        slots[element.id] = SlotPlace(combo: combo, slot: slot)
      }
    }
  }

  /// Whether there is a thing of that kind and id.
  package func contains(_ entity: Entity, _ id: Int) -> Bool {
    switch entity {
    case .category: categories[id] != nil
    case .product: products[id] != nil
    case .variant: variants[id] != nil
    case .ingredient: ingredients[id] != nil
    case .modifierGroup: modifierGroups[id] != nil
    case .combo: combos[id] != nil
    case .slot: slots[id] != nil
    }
  }

  private static func positions<Element>(
    _ elements: [Element], _ id: KeyPath<Element, Int>
  ) -> [Int: Int] {
    var positions = [Int: Int](minimumCapacity: elements.count)
    for (position, element) in elements.enumerated() where positions[element[keyPath: id]] == nil {
      positions[element[keyPath: id]] = position
    }
    return positions
  }
}

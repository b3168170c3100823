import Basics

extension Menu {
  /// Returns the problems of the menu in the order of its parts, at most `limit` of them.
  ///
  /// Ids must be unique among things of one kind, for variants and slots in the whole menu, and all
  /// references must exist. Categories and modifier groups must not form a cycle. A slot must have either
  /// a list or options, and its default must be one of them. Required lists must not be empty, and lists
  /// must not contain duplicates. Counts and the prices of products and combos must not be negative, and
  /// `min` must not exceed `max`. Nutrition must be finite and not negative. Dates in the stop list must be
  /// ISO 8601, and embedded products must equal their originals. A surcharge or a modifier's price may be
  /// negative, for example for a customer's own cup or a smaller size.
  ///
  /// The cost is linear in the menu, with an index that takes tens of bytes for each id. Shared lists are
  /// checked once, but embedded products are compared one by one, so that every copy of a decoded menu
  /// is read. Check data from outside once. Do not check what you encoded and decoded yourself.
  ///
  /// - Parameter limit: the maximum number of problems. Below 1 nothing is checked.
  package func problems(limit: Int = 20) -> [MenuProblem] {
    guard limit > 0 else { return [] }
    var check = MenuCheck(self, limit: limit)
    check.run()
    return check.problems
  }

  /// Checks the menu with ``problems(limit:)``.
  ///
  /// - Throws: ``InvalidMenu`` with the first twenty problems.
  package func validate() throws(InvalidMenu) {
    let problems = problems()
    guard problems.isEmpty else { throw InvalidMenu(problems: problems) }
  }
}

/// A fault in a menu.
package struct MenuProblem: Hashable, Sendable, CustomStringConvertible {
  /// The place, such as `combos[3].slots[1].options[7]`, with positions from zero.
  package let path: String
  /// The fault, such as `product 912 does not exist`.
  package let message: String

  /// One line, such as `combos[3].slots[1].options[7]: product 912 does not exist`.
  package var description: String { "\(path): \(message)" }
}

/// The error for a menu that contradicts itself.
package struct InvalidMenu: UserFacingError, Hashable, Sendable, CustomStringConvertible {
  /// The first problems, at least one.
  package let problems: [MenuProblem]

  /// The problems, one per line.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// One search for the problems of a menu.
///
/// The most frequent paths and messages are only built for problems. The search ends as soon as
/// there are enough.
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

  /// Records a problem unless the condition holds.
  mutating func expect(
    _ condition: Bool, _ path: @autoclosure () -> String, _ message: @autoclosure () -> String
  ) {
    guard !condition, !isFull else { return }
    problems.append(MenuProblem(path: path(), message: message()))
  }

  /// Records a problem if an earlier thing of the same kind has this id.
  mutating func expectFirst<Place: Equatable>(
    _ kind: String, _ id: Int, at place: Place, in places: [Int: Place], _ path: (Place) -> String
  ) {
    guard let first = places[id] else { return }
    expect(first == place, path(place), "\(kind) \(id) is already at \(path(first))")
  }

  mutating func expectThing(_ entity: Entity, _ id: Int, _ path: @autoclosure () -> String) {
    expect(index.contains(entity, id), path(), "\(entity.words) \(id) does not exist")
  }

  mutating func expectCount(_ count: Int, _ name: String, _ path: @autoclosure () -> String) {
    expect(count >= 0, path(), "\(name) \(count) is below zero")
  }

  mutating func expectOrder(_ min: Int, _ max: Int, _ path: @autoclosure () -> String) {
    expectCount(min, "min", path())
    expectCount(max, "max", path())
    expect(min <= max, path(), "min \(min) is above max \(max)")
  }

  /// Records every duplicate element. Takes linear time, and needs no set for up to eight elements.
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

  /// Records every reference to a missing thing, and every duplicate.
  mutating func expectReferences(
    _ ids: [Int], to entity: Entity, _ path: (Int) -> String
  ) {
    for (place, id) in ids.enumerated() where !isFull { expectThing(entity, id, path(place)) }
    expectDifferent(ids, path) { "\(entity.words) \($0) occurs twice" }
  }

  /// Records each cycle, where a depth-first walk first returns to a thing on its path.
  ///
  /// The walk visits nothing twice, so a long chain costs no more than its length. It is not
  /// recursive, since a long chain would exhaust the stack.
  mutating func expectNoCircle(_ next: [[Int]], _ path: (Int) -> String, _ message: (Int) -> String)
  {
    enum State { case unseen, open, done }
    var states = Array(repeating: State.unseen, count: next.count)
    for start in next.indices where states[start] == .unseen && !isFull {
      var walk = [(thing: start, next: 0)]
      states[start] = .open
      while let (thing, place) = walk.last {
        guard place < next[thing].count else {
          states[thing] = .done
          walk.removeLast()
          continue
        }
        walk[walk.count - 1].next += 1
        let following = next[thing][place]
        expect(states[following] != .open, path(following), message(following))
        guard states[following] == .unseen else { continue }
        states[following] = .open
        walk.append((following, 0))
      }
    }
  }
}

extension MenuCheck {
  mutating func checkCategories() {
    let path = { (position: Int) in "categories[\(position)]" }
    for (position, category) in menu.categories.enumerated() where !isFull {
      expectFirst("category", category.id, at: position, in: index.categories, path)
      if let parent = category.parentID { expectThing(.category, parent, path(position)) }
    }
    let next = menu.categories.map {
      [$0.parentID].compactMap { $0.flatMap { index.categories[$0] } }
    }
    let categories = menu.categories
    expectNoCircle(next, path) { "category \(categories[$0].id) is inside itself" }
  }

  mutating func checkIngredients() {
    for (position, ingredient) in menu.ingredients.enumerated() where !isFull {
      expectFirst("ingredient", ingredient.id, at: position, in: index.ingredients) {
        "ingredients[\($0)]"
      }
    }
  }
}

extension MenuCheck {
  mutating func checkProducts() {
    for (position, product) in menu.products.enumerated() where !isFull {
      expectFirst("product", product.id, at: position, in: index.products) { "products[\($0)]" }
      expectThing(.category, product.categoryID, "products[\(position)]")
      let path = { (list: String, place: Int) in "products[\(position)].\(list)[\(place)]" }
      for (place, id) in product.otherCategoryIDs.enumerated() {
        expect(
          id != product.categoryID, path("otherCategoryIDs", place),
          "category \(id) is already the product's first")
      }
      expectReferences(product.otherCategoryIDs, to: .category) { path("otherCategoryIDs", $0) }
      checkHours(of: product, at: position)
      expectDifferent(
        product.allergens, { path("allergens", $0) }, { "\($0.rawValue) occurs twice" })
      expect(!product.variants.isEmpty, "products[\(position)]", "it has no variants")
      expectDifferent(product.tags, { path("tags", $0) }, { "tag '\($0)' occurs twice" })
      expectReferences(product.ingredients.map(\.ingredientID), to: .ingredient) {
        path("ingredients", $0)
      }
      expectReferences(product.modifierGroupIDs, to: .modifierGroup) {
        path("modifierGroupIDs", $0)
      }
      checkVariants(of: product, at: position)
    }
  }

  private mutating func checkHours(of product: Product, at position: Int) {
    for (place, hours) in product.hours.enumerated() where !isFull {
      let path = "products[\(position)].hours[\(place)]"
      expect(
        (1...127).contains(hours.days), path,
        "days \(hours.days) is not 1 to 127: one bit per day, from 1, Monday, to 64, Sunday")
      expect((0..<1_440).contains(hours.from), path, "from \(hours.from) is not 0 to 1439")
      expect((0...1_440).contains(hours.until), path, "until \(hours.until) is not 0 to 1440")
    }
  }

  private mutating func checkVariants(of product: Product, at position: Int) {
    for (place, variant) in product.variants.enumerated() where !isFull {
      // The callees take autoclosures, so this path is only built for a problem.
      func path() -> String { "products[\(position)].variants[\(place)]" }
      expectFirst(
        "variant", variant.id, at: MenuIndex.Place(owner: position, part: place),
        in: index.variants
      ) { "products[\($0.owner)].variants[\($0.part)]" }
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
    let amounts: KeyValuePairs = [
      "energy": facts.energy, "proteins": facts.proteins, "fats": facts.fats,
      "carbohydrates": facts.carbohydrates,
    ]
    for (name, amount) in amounts {
      expect(amount >= 0 && amount.isFinite, path(), "\(name) \(amount) is negative or not finite")
    }
  }
}

extension MenuCheck {
  mutating func checkModifierGroups() {
    let paths = { (position: Int) in "modifierGroups[\(position)]" }
    for (position, group) in menu.modifierGroups.enumerated() where !isFull {
      let path = paths(position)
      expectFirst("modifier group", group.id, at: position, in: index.modifierGroups, paths)
      expectOrder(group.min, group.max, path)
      expectCount(group.free, "free", path)
      expect(
        group.free <= max(group.max, 0), path, "free \(group.free) is more than max \(group.max)")
      for (position, option) in group.options.enumerated() where !isFull {
        check(option, "\(path).options[\(position)]")
      }
    }
    let next = menu.modifierGroups.map { group in
      group.options.flatMap(\.modifierGroupIDs).compactMap { index.modifierGroups[$0] }
    }
    let groups = menu.modifierGroups
    expectNoCircle(next, paths) { "modifier group \(groups[$0].id) is inside itself" }
  }

  private mutating func check(_ option: ModifierOption, _ path: String) {
    expectThing(.ingredient, option.ingredientID, path)
    for (place, group) in option.modifierGroupIDs.enumerated() where !isFull {
      expectThing(.modifierGroup, group, "\(path).modifierGroupIDs[\(place)]")
    }
    expectDifferent(
      option.prices.map(\.size), { "\(path).prices[\($0)]" }, { "size '\($0)' occurs twice" })
  }
}

extension MenuCheck {
  mutating func checkCombos() {
    let productsOfLists = checkOptionLists()
    for (position, combo) in menu.combos.enumerated() where !isFull {
      expectFirst("combo", combo.id, at: position, in: index.combos) { "combos[\($0)]" }
      expectCount(combo.price ?? 0, "price", "combos[\(position)]")
      expectCount(combo.oldPrice ?? 0, "old price", "combos[\(position)]")
      for (place, slot) in combo.slots.enumerated() where !isFull {
        let path = "combos[\(position)].slots[\(place)]"
        expectFirst(
          "slot", slot.id, at: MenuIndex.Place(owner: position, part: place), in: index.slots
        ) { "combos[\($0.owner)].slots[\($0.part)]" }
        expectOrder(slot.min, slot.max, path)
        checkOptions(of: slot, productsOfLists, path)
      }
    }
  }

  /// Checks the shared lists and returns the products of each. A default is then found in constant
  /// time, even if many slots share a long list.
  private mutating func checkOptionLists() -> [Set<Int>] {
    menu.optionLists.indices.map { position in
      let list = menu.optionLists[position]
      expectFirst("option list", list.id, at: position, in: index.optionLists) {
        "optionLists[\($0)]"
      }
      check(list.options, "optionLists[\(position)]")
      return Set(list.options.lazy.map(\.productID))
    }
  }

  private mutating func checkOptions(of slot: Slot, _ products: [Set<Int>], _ path: String) {
    let isOption: (Int) -> Bool
    switch (slot.optionListID, slot.options) {
    case (nil, nil): return expect(false, path, "it has neither an option list nor options")
    case (.some, .some): return expect(false, path, "it has both an option list and options")
    case (nil, let options?):
      check(options, path)
      isOption = { product in options.contains { $0.productID == product } }
    case (let list?, nil):
      guard let position = index.optionLists[list] else {
        return expect(false, path, "option list \(list) does not exist")
      }
      isOption = products[position].contains
    }
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
      return expectThing(.product, option.productID, path())
    }
    if let variant = option.variantID {
      expectThing(.variant, variant, path())
      let place = index.variants[variant]?.owner ?? position
      let owner = menu.products[place].id
      expect(
        place == position, path(),
        "variant \(variant) is of product \(owner), not \(option.productID)")
    }
    if let copy = option.product {
      expect(
        copy == menu.products[position], path(),
        "embedded product \(copy.id) differs from products[\(position)]")
    }
  }
}

extension MenuCheck {
  mutating func checkStopList() {
    for (position, entry) in menu.stopList.enumerated() where !isFull {
      expectThing(entry.entity, entry.entityID, "stopList[\(position)]")
      guard let until = entry.until else { continue }
      expect(Self.isDate(until), "stopList[\(position)]", "until '\(until)' is not ISO 8601")
    }
  }

  /// Whether a text is an ISO 8601 date, with or without a time, such as `2026-03-08T12:00:00Z`.
  private static func isDate(_ text: String) -> Bool {
    let form =
      /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?/
    guard let match = text.wholeMatch(of: form), let year = Int(match.1), let month = Int(match.2),
      let day = Int(match.3)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    func isBelow(_ part: Substring?, _ limit: Int) -> Bool { part.flatMap { Int($0) } ?? 0 < limit }
    // Allows a leap second and 24:00, the end of a day.
    return (1...12).contains(month) && (1...days[month - 1]).contains(day) && isBelow(match.4, 25)
      && isBelow(match.5, 60) && isBelow(match.6, 61)
  }

  mutating func checkStoreOverrides() {
    var seen: Set<Remark<Int>> = []
    for (position, override) in menu.storeOverrides.enumerated() where !isFull {
      let path = "storeOverrides[\(position)]"
      expectThing(override.entity, override.entityID, path)
      expect(
        [.product, .variant, .combo].contains(override.entity), path,
        "it is for a \(override.entity.words), not a product, variant or combo")
      expect(
        override.price != nil || override.availability != nil, path,
        "it has neither a price nor an availability")
      expectCount(override.price ?? 0, "price", path)
      let key = Remark(by: override.storeID, entity: override.entity, id: override.entityID)
      expect(
        seen.insert(key).inserted, path,
        "\(key.entity.words) \(key.id) already has an override of store \(key.by)")
    }
  }

  mutating func checkTranslations() {
    var seen: Set<Remark<String>> = []
    for (position, translation) in menu.translations.enumerated() where !isFull {
      let key = Remark(
        by: translation.locale, entity: translation.entity, id: translation.entityID)
      expectThing(key.entity, key.id, "translations[\(position)]")
      expect(
        seen.insert(key).inserted, "translations[\(position)]",
        "\(key.entity.words) \(key.id) already has a translation to \(key.by)")
    }
  }
}

/// The key of a value that a store or a language may have only once for a thing.
private struct Remark<Speaker: Hashable>: Hashable {
  let by: Speaker
  let entity: Entity
  let id: Int
}

extension Entity {
  fileprivate var words: String {
    self == .modifierGroup ? "modifier group" : rawValue
  }
}

/// The positions of everything that has an id. If an id occurs twice, the first thing counts.
package struct MenuIndex {
  /// The position of a product or combo in the menu, and of a variant or slot within it.
  struct Place: Equatable {
    let owner: Int
    let part: Int
  }

  let categories: [Int: Int]
  let ingredients: [Int: Int]
  let modifierGroups: [Int: Int]
  /// The positions of products by id.
  package let products: [Int: Int]
  let optionLists: [Int: Int]
  let combos: [Int: Int]
  let variants: [Int: Place]
  let slots: [Int: Place]

  /// Visits every thing of a menu once.
  package init(_ menu: Menu) {
    categories = Self.positions(menu.categories.lazy.map(\.id))
    ingredients = Self.positions(menu.ingredients.lazy.map(\.id))
    modifierGroups = Self.positions(menu.modifierGroups.lazy.map(\.id))
    products = Self.positions(menu.products.lazy.map(\.id))
    optionLists = Self.positions(menu.optionLists.lazy.map(\.id))
    combos = Self.positions(menu.combos.lazy.map(\.id))
    variants = Self.places(menu.products.lazy.map { $0.variants.lazy.map(\.id) })
    slots = Self.places(menu.combos.lazy.map { $0.slots.lazy.map(\.id) })
  }

  /// Whether a thing of this kind with this id exists.
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

  // Avoids lists of ids: a patch builds an index, and they would count as allocations of its phase.
  private static func positions(_ ids: some Collection<Int>) -> [Int: Int] {
    Dictionary(zip(ids, 0..<ids.count), uniquingKeysWith: { first, _ in first })
  }

  private static func places(_ ids: some Collection<some Collection<Int>>) -> [Int: Place] {
    var places: [Int: Place] = [:]
    for (owner, ids) in ids.enumerated() {
      for (part, id) in ids.enumerated() where places[id] == nil {
        places[id] = Place(owner: owner, part: part)
      }
    }
    return places
  }
}

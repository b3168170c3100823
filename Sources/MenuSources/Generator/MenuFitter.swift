import Basics
import MenuModel

/// Shows every number of a menu's traits, and changes the menu where a number shall be another.
///
/// Lists are cut or go on in their own style, texts are woven anew. What refers to something that is
/// gone is led to something that is left, or goes too, so that the menu stays valid.
struct MenuFitter {
  var menu: Menu
  /// Every list of options once, whether slots share it or repeat it.
  var lists: [OptionList]
  /// The position of each slot's list; empty where a menu is only looked at.
  private let listOfSlot: [Int]
  var weaver = TextWeaver()
  private var lastID: Int

  /// Looks at a menu as it is.
  init(_ menu: Menu) {
    self.init(menu, lists: menu.distinctLists, listOfSlot: [], lastID: 0)
  }

  /// - Parameter lastID: The largest id in use.
  init(_ menu: Menu, lists: [OptionList], listOfSlot: [Int], lastID: Int) {
    self.menu = menu
    self.lists = lists
    self.listOfSlot = listOfSlot
    self.lastID = lastID
  }

  /// The numbers of a trait, in the menu's order.
  mutating func numbers(_ trait: MenuTrait) -> [Int] {
    var numbers: [Int] = []
    visit(trait) { numbers.append($0) }
    return numbers
  }

  /// Gives a trait this spread: what had the largest numbers has the largest afterwards.
  mutating func fit(_ trait: MenuTrait, to spread: Spread, using random: inout SplitMix64) {
    let before = numbers(trait)
    var deck = Deck(before.indices)
    // Chance decides among equals, or else the first products would have the shortest texts.
    let shuffled = Array(deck.draw(before.count, using: &random))
    let order = shuffled.indices.sorted { (before[shuffled[$0]], $0) < (before[shuffled[$1]], $1) }
    var wanted = before
    for (place, number) in zip(order, spread.numbers(before.count)) {
      wanted[shuffled[place]] = number
    }
    var next = 0
    visit(trait) { number in
      number = wanted[next]
      next += 1
    }
  }

  /// Takes away what is said of things that are gone.
  mutating func forgetTheGone() {
    let index = MenuIndex(menu)
    menu.stopList.removeAll { !index.contains($0.entity, $0.entityID) }
    menu.storeOverrides.removeAll { !index.contains($0.entity, $0.entityID) }
    menu.translations.removeAll { !index.contains($0.entity, $0.entityID) }
  }

  private mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  private mutating func newName(_ entity: Entity, _ id: Int) -> String {
    menu.translations.append(
      Translation(
        locale: "en-US", entity: entity, entityID: id, name: weaver.text(12, bytes: 1)))
    return weaver.text(12, bytes: 2)
  }
}

extension MenuFitter {
  // One case a trait, which is where a reader looks for it.
  private mutating func visit(_ trait: MenuTrait, _ body: (inout Int) -> Void) {
    switch trait {
    case .slots: menu.combos.forEach { Self.show($0.slots.count, body) }
    case .options:
      let resolver = SlotResolver(menu)
      for combo in menu.combos {
        for slot in combo.slots { Self.show(resolver.options(of: slot).count, body) }
      }
    case .optionlists: Self.show(lists.count, body)
    case .ids:
      if !menu.products.isEmpty {
        Self.show("\(menu.products[menu.products.count / 2].id)".count, body)
      }
    case .categories: visitCategories(body)
    case .ingredients: visitIngredients(body)
    case .groups: visitGroups(body)
    case .modifiers: visitModifiers(body)
    case .prices: visitPrices(body)
    case .variants: visitVariants(body)
    case .tiers: visitTiers(body)
    case .parts: visitParts(body)
    case .choices: visitChoices(body)
    case .tags: visitTags(body)
    case .nutrition: visitNutrition(body)
    case .weights: visitWeights(body)
    case .pinned: visitPinned(body)
    case .defaults: visitDefaults(body)
    case .oldprices: visitOldPrices(body)
    case .names: eachName { Self.letters(of: &$0, &$1, $2, body) }
    case .details: eachDetails { Self.letters(of: &$0, &$1, $2, body) }
    case .labels: eachLabel { Self.letters(of: &$0, &$1, $2, body) }
    case .sizes: eachSize { Self.letters(of: &$0, &$1, $2, body) }
    case .doughs: eachDough { Self.letters(of: &$0, &$1, $2, body) }
    case .tiernames: eachTierName { Self.letters(of: &$0, &$1, $2, body) }
    case .codes: eachCode { Self.letters(of: &$0, &$1, $2, body) }
    case .images: eachImage { Self.letters(of: &$0, &$1, $2, body) }
    case .bytes:
      eachName { Self.bytes(of: &$0, &$1, $2, body) }
      eachDetails { Self.bytes(of: &$0, &$1, $2, body) }
      eachLabel { Self.bytes(of: &$0, &$1, $2, body) }
      eachSize { Self.bytes(of: &$0, &$1, $2, body) }
      eachDough { Self.bytes(of: &$0, &$1, $2, body) }
    case .shelves: visitShelves(body)
    case .hours: visitHours(body)
    case .allergens: visitAllergens(body)
    case .nested: visitNested(body)
    case .stop: visitStopList(body)
    case .overrides: visitOverrides(body)
    case .translations: visitTranslations(body)
    case .othernames: eachOtherName { Self.letters(of: &$0, &$1, $2, body) }
    case .otherdetails: eachOtherDetails { Self.letters(of: &$0, &$1, $2, body) }
    case .otherbytes:
      eachOtherName { Self.bytes(of: &$0, &$1, $2, body) }
      eachOtherDetails { Self.bytes(of: &$0, &$1, $2, body) }
    }
  }

  /// Shows a number that the generator itself sees to.
  private static func show(_ number: Int, _ body: (inout Int) -> Void) {
    var number = number
    body(&number)
  }

  /// What a number shall be; nil where it is.
  static func changed(_ number: Int, _ body: (inout Int) -> Void) -> Int? {
    var wanted = number
    body(&wanted)
    return wanted == number ? nil : wanted
  }
}

// MARK: the kitchen

extension MenuFitter {
  private mutating func visitCategories(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.categories.count, body) else { return }
    while menu.categories.count < count {
      let id = nextID()
      menu.categories.append(Category(id: id, name: newName(.category, id)))
    }
    // A generated category stands behind the one that it is in.
    menu.categories.removeLast(menu.categories.count - count)
    let left = Set(menu.categories.map(\.id))
    for (index, product) in menu.products.enumerated() where !left.contains(product.categoryID) {
      menu.products[index].categoryID = menu.categories[index % count].id
    }
    for index in menu.products.indices {
      let first = menu.products[index].categoryID
      menu.products[index].otherCategoryIDs.removeAll { !left.contains($0) || $0 == first }
    }
  }

  private mutating func visitIngredients(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.ingredients.count, body) else { return }
    while menu.ingredients.count < count {
      let id = nextID()
      menu.ingredients.append(Ingredient(id: id, name: newName(.ingredient, id)))
    }
    menu.ingredients.removeLast(menu.ingredients.count - count)
    let left = Set(menu.ingredients.map(\.id))
    for index in menu.products.indices {
      menu.products[index].ingredients.removeAll { !left.contains($0.ingredientID) }
    }
    for index in menu.modifierGroups.indices {
      menu.modifierGroups[index].options.removeAll { !left.contains($0.ingredientID) }
    }
  }

  private mutating func visitGroups(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.modifierGroups.count, body) else { return }
    // Without what their options lead to: a later group that led back would make a circle.
    let models = menu.modifierGroups.map { group in
      group.options.map { ModifierOption(ingredientID: $0.ingredientID, prices: $0.prices) }
    }
    while menu.modifierGroups.count < count {
      let id = nextID()
      let options = models.isEmpty ? [] : models[menu.modifierGroups.count % models.count]
      menu.modifierGroups.append(
        ModifierGroup(id: id, name: newName(.modifierGroup, id), min: 0, max: 2, options: options))
    }
    menu.modifierGroups.removeLast(menu.modifierGroups.count - count)
    let left = Set(menu.modifierGroups.map(\.id))
    for index in menu.products.indices {
      menu.products[index].modifierGroupIDs.removeAll { !left.contains($0) }
    }
    for group in menu.modifierGroups.indices {
      for option in menu.modifierGroups[group].options.indices {
        menu.modifierGroups[group].options[option].modifierGroupIDs.removeAll { !left.contains($0) }
      }
    }
  }

  private mutating func visitModifiers(_ body: (inout Int) -> Void) {
    for index in menu.modifierGroups.indices {
      var options = menu.modifierGroups[index].options
      guard let count = Self.changed(options.count, body) else { continue }
      while options.count < count, !menu.ingredients.isEmpty {
        let ingredient = menu.ingredients[(index + options.count) % menu.ingredients.count]
        options.append(
          ModifierOption(ingredientID: ingredient.id, prices: options.last?.prices ?? []))
      }
      options.removeLast(max(0, options.count - count))
      menu.modifierGroups[index].options = options
    }
  }

  private mutating func visitPrices(_ body: (inout Int) -> Void) {
    for group in menu.modifierGroups.indices {
      for option in menu.modifierGroups[group].options.indices {
        var prices = menu.modifierGroups[group].options[option].prices
        guard let count = Self.changed(prices.count, body) else { continue }
        while prices.count < count {
          prices.append(SizePrice(size: "№ \(prices.count + 1)", price: 5_900))
        }
        prices.removeLast(prices.count - count)
        menu.modifierGroups[group].options[option].prices = prices
      }
    }
  }
}

// MARK: products

extension MenuFitter {
  private mutating func visitShelves(_ body: (inout Int) -> Void) {
    let categories = menu.categories.map(\.id)
    for index in menu.products.indices {
      let product = menu.products[index]
      guard let count = Self.changed(product.otherCategoryIDs.count, body) else { continue }
      let others = Self.others(categories, from: index, but: product.categoryIDs)
      menu.products[index].otherCategoryIDs = Array(
        (product.otherCategoryIDs + others).prefix(count))
    }
  }

  private mutating func visitHours(_ body: (inout Int) -> Void) {
    for index in menu.products.indices {
      var hours = menu.products[index].hours
      guard let count = Self.changed(hours.count, body) else { continue }
      while hours.count < count {
        hours.append(ServingHours(days: 1 << (hours.count % 7), from: 600, until: 1_320))
      }
      menu.products[index].hours = Array(hours.prefix(count))
    }
  }

  private mutating func visitAllergens(_ body: (inout Int) -> Void) {
    for index in menu.products.indices {
      let allergens = menu.products[index].allergens
      guard let count = Self.changed(allergens.count, body) else { continue }
      let others = Allergen.allCases.filter { !allergens.contains($0) }
      menu.products[index].allergens = Array((allergens + others).prefix(count))
    }
  }

  /// Each to the group behind its own, so that none leads to itself; the last group's options to none.
  private mutating func visitNested(_ body: (inout Int) -> Void) {
    let options = menu.modifierGroups.indices.flatMap { group in
      menu.modifierGroups[group].options.indices.map { (group: group, option: $0) }
    }
    let nested = options.filter {
      !menu.modifierGroups[$0.group].options[$0.option].modifierGroupIDs.isEmpty
    }
    guard let count = Self.changed(nested.count, body) else { return }
    for place in nested.dropFirst(count) {
      menu.modifierGroups[place.group].options[place.option].modifierGroupIDs = []
    }
    let free = options.filter { place in
      place.group < menu.modifierGroups.count - 1
        && menu.modifierGroups[place.group].options[place.option].modifierGroupIDs.isEmpty
    }
    for place in free.prefix(max(0, count - nested.count)) {
      menu.modifierGroups[place.group].options[place.option].modifierGroupIDs = [
        menu.modifierGroups[place.group + 1].id
      ]
    }
  }

  private mutating func visitVariants(_ body: (inout Int) -> Void) {
    var heirs: [Int: Int] = [:]
    for index in menu.products.indices {
      guard let count = Self.changed(menu.products[index].variants.count, body) else { continue }
      while menu.products[index].variants.count < count,
        var variant = menu.products[index].variants.last
      {
        variant.id = nextID()
        variant.price += 10_000
        variant.size = "\(20 + 5 * menu.products[index].variants.count) см"
        menu.products[index].variants.append(variant)
      }
      while menu.products[index].variants.count > max(count, 1) {
        let gone = menu.products[index].variants.removeLast()
        heirs[gone.id] = menu.products[index].variants[max(count, 1) - 1].id
      }
    }
    guard !heirs.isEmpty else { return }
    for list in lists.indices {
      for option in lists[list].options.indices {
        guard let variant = lists[list].options[option].variantID else { continue }
        lists[list].options[option].variantID = heirs[variant] ?? variant
      }
    }
    for index in menu.stopList.indices where menu.stopList[index].entity == .variant {
      let variant = menu.stopList[index].entityID
      menu.stopList[index].entityID = heirs[variant] ?? variant
    }
  }

  private mutating func eachVariant(_ body: (inout Variant, Int) -> Void) {
    var position = 0
    for product in menu.products.indices {
      for variant in menu.products[product].variants.indices {
        body(&menu.products[product].variants[variant], position)
        position += 1
      }
    }
  }

  private mutating func visitTiers(_ body: (inout Int) -> Void) {
    eachVariant { variant, _ in
      guard let count = Self.changed(variant.priceTiers.count, body) else { return }
      while variant.priceTiers.count < count {
        let number = variant.priceTiers.count + 1
        variant.priceTiers.append(
          PriceTier(name: "tier \(number)", price: variant.price + 1_000 * number))
      }
      variant.priceTiers.removeLast(variant.priceTiers.count - count)
    }
  }

  private mutating func visitParts(_ body: (inout Int) -> Void) {
    for index in menu.products.indices {
      var parts = menu.products[index].ingredients
      guard let count = Self.changed(parts.count, body) else { continue }
      let others = Self.others(
        menu.ingredients.map(\.id), from: index, but: parts.map(\.ingredientID))
      for id in others.prefix(max(0, count - parts.count)) {
        parts.append(ProductIngredient(ingredientID: id, isRemovable: true))
      }
      parts.removeLast(max(0, parts.count - count))
      menu.products[index].ingredients = parts
    }
  }

  private mutating func visitChoices(_ body: (inout Int) -> Void) {
    for index in menu.products.indices {
      var groups = menu.products[index].modifierGroupIDs
      guard let count = Self.changed(groups.count, body) else { continue }
      let others = Self.others(menu.modifierGroups.map(\.id), from: index, but: groups)
      groups += others.prefix(max(0, count - groups.count))
      groups.removeLast(max(0, groups.count - count))
      menu.products[index].modifierGroupIDs = groups
    }
  }

  /// The ids that a list does not have, each product's from another place on.
  private static func others(_ ids: [Int], from place: Int, but own: [Int]) -> [Int] {
    guard !ids.isEmpty else { return [] }
    let start = 7 * place % ids.count
    let own = Set(own)
    return (ids[start...] + ids[..<start]).filter { !own.contains($0) }
  }

  private mutating func visitTags(_ body: (inout Int) -> Void) {
    for index in menu.products.indices {
      var tags = menu.products[index].tags
      guard let count = Self.changed(tags.count, body) else { continue }
      while tags.count < count { tags.append("tag\(index % 3)\(tags.count)") }
      tags.removeLast(tags.count - count)
      menu.products[index].tags = tags
    }
  }

  private mutating func visitNutrition(_ body: (inout Int) -> Void) {
    eachVariant { variant, position in
      guard let has = Self.changed(variant.nutrition == nil ? 0 : 1, body) else { return }
      let facts = NutritionFacts(
        energy: Double(2_000 + position % 997) / 10, proteins: Double(50 + position % 101) / 10,
        fats: Double(60 + position % 97) / 10, carbohydrates: Double(250 + position % 89) / 10)
      variant.nutrition = has == 1 ? Nutrition(per100g: facts, whole: facts) : nil
    }
  }

  private mutating func visitWeights(_ body: (inout Int) -> Void) {
    eachVariant { variant, position in
      guard let has = Self.changed(variant.weight == nil ? 0 : 1, body) else { return }
      variant.weight = has == 1 ? 300 + position % 300 : nil
    }
  }
}

// MARK: combos and what stands beside

extension MenuFitter {
  private mutating func visitPinned(_ body: (inout Int) -> Void) {
    let products = MenuIndex(menu).products
    for list in lists.indices {
      for place in lists[list].options.indices {
        let option = lists[list].options[place]
        guard let has = Self.changed(option.variantID == nil ? 0 : 1, body) else { continue }
        let variants = products[option.productID].map { menu.products[$0].variants } ?? []
        lists[list].options[place].variantID =
          has == 1 && !variants.isEmpty ? variants[list % variants.count].id : nil
      }
    }
  }

  private mutating func visitDefaults(_ body: (inout Int) -> Void) {
    var position = 0
    for combo in menu.combos.indices {
      for slot in menu.combos[combo].slots.indices {
        defer { position += 1 }
        let product = menu.combos[combo].slots[slot].defaultProductID
        guard let has = Self.changed(product == nil ? 0 : 1, body) else { continue }
        menu.combos[combo].slots[slot].defaultProductID =
          has == 1 ? lists[listOfSlot[position]].options.first?.productID : nil
      }
    }
  }

  private mutating func visitOldPrices(_ body: (inout Int) -> Void) {
    for index in menu.combos.indices {
      let combo = menu.combos[index]
      guard let has = Self.changed(combo.oldPrice == nil ? 0 : 1, body) else { continue }
      menu.combos[index].oldPrice = has == 1 ? (combo.price ?? 0) / 1_000 * 1_250 : nil
    }
  }

  private mutating func visitOverrides(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.storeOverrides.count, body) else { return }
    while menu.storeOverrides.count < count {
      let number = menu.storeOverrides.count
      let product = menu.products[number % menu.products.count]
      // A store each time round, none of which the generator knows.
      menu.storeOverrides.append(
        StoreOverride(
          storeID: 1_000 + number / menu.products.count, entity: .product, entityID: product.id,
          availability: .hidden))
    }
    menu.storeOverrides.removeLast(menu.storeOverrides.count - count)
  }

  private mutating func visitStopList(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.stopList.count, body) else { return }
    while menu.stopList.count < count {
      let product = menu.products[menu.stopList.count % menu.products.count]
      menu.stopList.append(StopListEntry(entity: .product, entityID: product.id))
    }
    menu.stopList.removeLast(menu.stopList.count - count)
  }

  /// Further languages repeat the first, which has a translation of everything.
  private mutating func visitTranslations(_ body: (inout Int) -> Void) {
    guard let count = Self.changed(menu.translations.count, body) else { return }
    let first = menu.translations
    while menu.translations.count < count, !first.isEmpty {
      let (language, place) = menu.translations.count.quotientAndRemainder(
        dividingBy: first.count)
      var translation = first[place]
      translation.locale = "en-x-\(language)"
      menu.translations.append(translation)
    }
    menu.translations.removeLast(max(0, menu.translations.count - count))
  }
}

extension Menu {
  /// Every list of options once: the shared ones, then what slots hold themselves.
  fileprivate var distinctLists: [OptionList] {
    let own = combos.flatMap(\.slots).compactMap(\.options).distinct
    return optionLists + own.map { OptionList(id: 0, options: $0) }
  }
}

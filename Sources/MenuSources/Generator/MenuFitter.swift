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
      menu.eachSlot { slot, _ in Self.show(resolver.options(of: slot).count, body) }
    case .optionlists: Self.show(lists.count, body)
    case .ids:
      if !menu.products.isEmpty {
        Self.show("\(menu.products[menu.products.count / 2].id)".count, body)
      }
    case .categories: visitCategories(body)
    case .ingredients: visitIngredients(body)
    case .groups: visitGroups(body)
    case .modifiers: visitModifiers(body)
    case .prices:
      menu.eachModifier { option, _ in
        Self.fit(&option.prices, body) { _, new in
          new.map { SizePrice(size: "№ \($0 + 1)", price: 5_900) }
        }
      }
    case .nested: visitNested(body)
    case .variants: visitVariants(body)
    case .tiers:
      menu.eachVariant { variant, _ in
        let price = variant.price
        Self.fit(&variant.priceTiers, body) { _, new in
          new.map { PriceTier(name: "tier \($0 + 1)", price: price + 1_000 * ($0 + 1)) }
        }
      }
    case .parts:
      let ids = menu.ingredients.map(\.id)
      menu.eachProduct { product, index in
        Self.fit(&product.ingredients, body) { parts, new in
          Self.others(ids, from: index, but: parts.map(\.ingredientID)).prefix(new.count)
            .map { ProductIngredient(ingredientID: $0, isRemovable: true) }
        }
      }
    case .choices:
      let ids = menu.modifierGroups.map(\.id)
      menu.eachProduct { product, index in
        Self.fit(&product.modifierGroupIDs, body) { groups, new in
          Array(Self.others(ids, from: index, but: groups).prefix(new.count))
        }
      }
    case .tags:
      menu.eachProduct { product, index in
        Self.fit(&product.tags, body) { _, new in
          new.map { "tag\(index % 3)\($0)" }
        }
      }
    case .shelves:
      let ids = menu.categories.map(\.id)
      menu.eachProduct { product, index in
        let first = product.categoryID
        Self.fit(&product.otherCategoryIDs, body) { others, new in
          Array(Self.others(ids, from: index, but: [first] + others).prefix(new.count))
        }
      }
    case .hours:
      menu.eachProduct { product, index in
        Self.fit(&product.hours, body) { _, new in
          new.map { ServingHours(days: 1 << ($0 % 7), from: 600, until: 1_320) }
        }
      }
    case .allergens:
      menu.eachProduct { product, index in
        Self.fit(&product.allergens, body) { allergens, new in
          Array(Allergen.allCases.filter { !allergens.contains($0) }.prefix(new.count))
        }
      }
    case .nutrition:
      menu.eachVariant { variant, place in
        Self.fit(&variant.nutrition, body) { Self.nutrition(place) }
      }
    case .weights:
      menu.eachVariant { variant, place in Self.fit(&variant.weight, body) { 300 + place % 300 } }
    case .pinned: visitPinned(body)
    case .defaults:
      menu.eachSlot { slot, place in
        Self.fit(&slot.defaultProductID, body) {
          lists[listOfSlot[place]].options.first?.productID
        }
      }
    case .oldprices:
      for index in menu.combos.indices {
        let price = menu.combos[index].price ?? 0
        Self.fit(&menu.combos[index].oldPrice, body) { price / 1_000 * 1_250 }
      }
    case .stop:
      let ids = menu.products.map(\.id)
      Self.fit(&menu.stopList, body) { _, new in
        new.map { StopListEntry(entity: .product, entityID: ids[$0 % ids.count]) }
      }
    case .overrides:
      let ids = menu.products.map(\.id)
      // A store each time round, none of which the generator knows.
      Self.fit(&menu.storeOverrides, body) { _, new in
        new.map {
          StoreOverride(
            storeID: 1_000 + $0 / ids.count, entity: .product, entityID: ids[$0 % ids.count],
            availability: .hidden)
        }
      }
    case .translations:
      // Further languages repeat the first, which has a translation of everything.
      Self.fit(&menu.translations, body) { first, new in
        guard !first.isEmpty else { return [] }
        return new.map {
          var translation = first[$0 % first.count]
          translation.locale = "en-x-\($0 / first.count)"
          return translation
        }
      }
    case .names, .details, .labels, .sizes, .doughs, .tiernames, .codes, .images, .othernames,
      .otherdetails:
      eachText(trait) { Self.letters(of: &$0, &$1, $2, body) }
    case .bytes:
      for trait in [MenuTrait.names, .details, .labels, .sizes, .doughs] {
        eachText(trait) { Self.bytes(of: &$0, &$1, $2, body) }
      }
    case .otherbytes:
      for trait in [MenuTrait.othernames, .otherdetails] {
        eachText(trait) { Self.bytes(of: &$0, &$1, $2, body) }
      }
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

  /// Cuts a list or lets it go on, where its length shall be another.
  ///
  /// - Parameter more: What comes at the new places, for the list that there is; it may be less.
  /// - Returns: Whether the length shall be another.
  @discardableResult
  private static func fit<Element>(
    _ list: inout [Element], _ body: (inout Int) -> Void,
    more: ([Element], Range<Int>) -> [Element]
  ) -> Bool {
    guard let count = changed(list.count, body) else { return false }
    if count > list.count {
      list += more(list, list.count..<count)
    } else {
      list.removeLast(list.count - count)
    }
    return true
  }

  /// Has a value be there or not, where it shall be otherwise.
  private static func fit<Value>(
    _ value: inout Value?, _ body: (inout Int) -> Void, some: () -> Value?
  ) {
    guard let has = changed(value == nil ? 0 : 1, body) else { return }
    value = has == 1 ? some() : nil
  }

  /// The ids that a list does not have, each product's from another place on.
  private static func others(_ ids: [Int], from place: Int, but own: [Int]) -> [Int] {
    guard !ids.isEmpty else { return [] }
    let start = 7 * place % ids.count
    let own = Set(own)
    return (ids[start...] + ids[..<start]).filter { !own.contains($0) }
  }

  private static func nutrition(_ place: Int) -> Nutrition {
    let facts = NutritionFacts(
      energy: Double(2_000 + place % 997) / 10, proteins: Double(50 + place % 101) / 10,
      fats: Double(60 + place % 97) / 10, carbohydrates: Double(250 + place % 89) / 10)
    return Nutrition(per100g: facts, whole: facts)
  }
}

// MARK: what others refer to

extension MenuFitter {
  private mutating func visitCategories(_ body: (inout Int) -> Void) {
    var categories = menu.categories
    // A generated category stands behind the one that it is in.
    let isChanged = Self.fit(&categories, body) { _, new in
      new.map { _ in
        let id = nextID()
        return Category(id: id, name: newName(.category, id))
      }
    }
    guard isChanged else { return }
    menu.categories = categories
    let left = Set(categories.map(\.id))
    for (index, product) in menu.products.enumerated() {
      if !left.contains(product.categoryID) {
        menu.products[index].categoryID = categories[index % categories.count].id
      }
      let first = menu.products[index].categoryID
      menu.products[index].otherCategoryIDs.removeAll { !left.contains($0) || $0 == first }
    }
  }

  private mutating func visitIngredients(_ body: (inout Int) -> Void) {
    var ingredients = menu.ingredients
    let isChanged = Self.fit(&ingredients, body) { _, new in
      new.map { _ in
        let id = nextID()
        return Ingredient(id: id, name: newName(.ingredient, id))
      }
    }
    guard isChanged else { return }
    menu.ingredients = ingredients
    let left = Set(ingredients.map(\.id))
    for index in menu.products.indices {
      menu.products[index].ingredients.removeAll { !left.contains($0.ingredientID) }
    }
    for index in menu.modifierGroups.indices {
      menu.modifierGroups[index].options.removeAll { !left.contains($0.ingredientID) }
    }
  }

  private mutating func visitGroups(_ body: (inout Int) -> Void) {
    var groups = menu.modifierGroups
    let isChanged = Self.fit(&groups, body) { models, new in
      new.map { place in
        let id = nextID()
        // Without what their options lead to: a later group that led back would make a circle.
        let options =
          models.isEmpty
          ? []
          : models[place % models.count].options.map {
            ModifierOption(ingredientID: $0.ingredientID, prices: $0.prices)
          }
        return ModifierGroup(
          id: id, name: newName(.modifierGroup, id), min: 0, max: 2, options: options)
      }
    }
    guard isChanged else { return }
    menu.modifierGroups = groups
    let left = Set(groups.map(\.id))
    for index in menu.products.indices {
      menu.products[index].modifierGroupIDs.removeAll { !left.contains($0) }
    }
    menu.eachModifier { option, _ in option.modifierGroupIDs.removeAll { !left.contains($0) } }
  }

  private mutating func visitModifiers(_ body: (inout Int) -> Void) {
    let ids = menu.ingredients.map(\.id)
    for index in menu.modifierGroups.indices {
      Self.fit(&menu.modifierGroups[index].options, body) { options, new in
        guard !ids.isEmpty else { return [] }
        return new.map {
          ModifierOption(
            ingredientID: ids[(index + $0) % ids.count], prices: options.last?.prices ?? [])
        }
      }
    }
  }

  /// Each to the group behind its own, so that none leads to itself; the last group's options to none.
  private mutating func visitNested(_ body: (inout Int) -> Void) {
    var nested = 0
    menu.eachModifier { option, _ in nested += option.modifierGroupIDs.isEmpty ? 0 : 1 }
    guard let count = Self.changed(nested, body) else { return }
    let ids = menu.modifierGroups.map(\.id)
    var (left, missing) = (count, count - nested)
    menu.eachModifier { option, group in
      if !option.modifierGroupIDs.isEmpty {
        if left <= 0 { option.modifierGroupIDs = [] }
        left -= 1
      } else if missing > 0, group < ids.count - 1 {
        option.modifierGroupIDs = [ids[group + 1]]
        missing -= 1
      }
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

  private mutating func visitPinned(_ body: (inout Int) -> Void) {
    let products = MenuIndex(menu).products
    for list in lists.indices {
      for place in lists[list].options.indices {
        let product = products[lists[list].options[place].productID]
        Self.fit(&lists[list].options[place].variantID, body) {
          let variants = product.map { menu.products[$0].variants } ?? []
          return variants.isEmpty ? nil : variants[list % variants.count].id
        }
      }
    }
  }
}

extension Menu {
  fileprivate mutating func eachProduct(_ body: (inout Product, Int) -> Void) {
    for index in products.indices { body(&products[index], index) }
  }

  /// Changes every variant, which comes with its place among all.
  mutating func eachVariant(_ body: (inout Variant, Int) -> Void) {
    var place = 0
    for product in products.indices {
      for variant in products[product].variants.indices {
        body(&products[product].variants[variant], place)
        place += 1
      }
    }
  }

  /// Changes every slot, which comes with its place among all.
  mutating func eachSlot(_ body: (inout Slot, Int) -> Void) {
    var place = 0
    for combo in combos.indices {
      for slot in combos[combo].slots.indices {
        body(&combos[combo].slots[slot], place)
        place += 1
      }
    }
  }

  /// Changes every option of a modifier group, which comes with its group's place.
  fileprivate mutating func eachModifier(_ body: (inout ModifierOption, Int) -> Void) {
    for group in modifierGroups.indices {
      for option in modifierGroups[group].options.indices {
        body(&modifierGroups[group].options[option], group)
      }
    }
  }

  /// Every list of options once: the shared ones, then what slots hold themselves.
  fileprivate var distinctLists: [OptionList] {
    let own = combos.flatMap(\.slots).compactMap(\.options).distinct
    return optionLists + own.map { OptionList(id: 0, options: $0) }
  }
}

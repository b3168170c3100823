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
  var listOfSlot: [Int] = []
  /// The largest id in use.
  var lastID = 0
  var weaver = TextWeaver()

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
    if [.categories, .ingredients, .groups, .variants].contains(trait) { forgetTheGone() }
  }

  /// Leads what refers to things that are gone to others, or takes it away.
  private mutating func forgetTheGone() {
    let (index, categories) = (MenuIndex(menu), menu.categories)
    menu.each(\.products) { product, place in
      if !index.contains(.category, product.categoryID) {
        product.categoryID = categories[place % categories.count].id
      }
      let first = product.categoryID
      product.otherCategoryIDs.removeAll { !index.contains(.category, $0) || $0 == first }
      product.ingredients.removeAll { !index.contains(.ingredient, $0.ingredientID) }
      product.modifierGroupIDs.removeAll { !index.contains(.modifierGroup, $0) }
    }
    menu.each(\.modifierGroups) { group, _ in
      group.options.removeAll { !index.contains(.ingredient, $0.ingredientID) }
    }
    menu.eachModifier { option, _ in
      option.modifierGroupIDs.removeAll { !index.contains(.modifierGroup, $0) }
    }
    menu.stopList.removeAll { !index.contains($0.entity, $0.entityID) }
    menu.storeOverrides.removeAll { !index.contains($0.entity, $0.entityID) }
    menu.translations.removeAll { !index.contains($0.entity, $0.entityID) }
  }

  private mutating func newName(_ entity: Entity, _ id: Int) -> String {
    menu.translations.append(
      Translation(
        locale: "en-US", entity: entity, entityID: id, name: weaver.text(12, bytes: 1)))
    return weaver.text(12, bytes: 2)
  }
}

extension MenuFitter {
  /// Looks at a menu as it is.
  init(_ menu: Menu) { self.init(menu: menu, lists: menu.distinctLists) }

  /// Shows a number that the generator itself sees to.
  static func show(_ number: Int, _ body: (inout Int) -> Void) {
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
  static func fit<Element>(
    _ list: inout [Element], _ body: (inout Int) -> Void,
    more: ([Element], Range<Int>) -> [Element]
  ) {
    guard let count = changed(list.count, body) else { return }
    if count > list.count {
      list += more(list, list.count..<count)
    } else {
      list.removeLast(list.count - count)
    }
  }

  /// The same of a list of the menu whose elements have ids and translated names.
  mutating func fit<Thing>(
    _ list: WritableKeyPath<Menu, [Thing]>, _ entity: Entity, _ body: (inout Int) -> Void,
    more: (_ id: Int, _ name: String, _ place: Int) -> Thing
  ) {
    var things = menu[keyPath: list]
    Self.fit(&things, body) { _, new in
      new.map { place in
        lastID += 1
        return more(lastID, newName(entity, lastID), place)
      }
    }
    menu[keyPath: list] = things
  }

  /// Has a value be there or not, where it shall be otherwise.
  static func fit<Value>(
    _ value: inout Value?, _ body: (inout Int) -> Void, some: () -> Value?
  ) {
    guard let has = changed(value == nil ? 0 : 1, body) else { return }
    value = has == 1 ? some() : nil
  }

  /// The ids that a list does not have, each product's from another place on.
  static func others(_ ids: [Int], from place: Int, but own: [Int]) -> [Int] {
    guard !ids.isEmpty else { return [] }
    let start = 7 * place % ids.count
    let own = Set(own)
    return (ids[start...] + ids[..<start]).filter { !own.contains($0) }
  }

  static func nutrition(_ place: Int) -> Nutrition {
    let facts = NutritionFacts(
      energy: Double(2_000 + place % 997) / 10, proteins: Double(50 + place % 101) / 10,
      fats: Double(60 + place % 97) / 10, carbohydrates: Double(250 + place % 89) / 10)
    return Nutrition(per100g: facts, whole: facts)
  }
}

// MARK: what others refer to

extension MenuFitter {
  /// Each to the group behind its own, so that none leads to itself; the last group's options to none.
  mutating func visitNested(_ body: (inout Int) -> Void) {
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

  mutating func visitVariants(_ body: (inout Int) -> Void) {
    var heirs: [Int: Int] = [:]
    var id = lastID
    menu.each(\.products) { product, _ in
      guard let count = Self.changed(product.variants.count, body) else { return }
      while product.variants.count < count, var variant = product.variants.last {
        id += 1
        variant.id = id
        variant.price += 10_000
        variant.size = "\(20 + 5 * product.variants.count) см"
        product.variants.append(variant)
      }
      while product.variants.count > max(count, 1) {
        heirs[product.variants.removeLast().id] = product.variants[max(count, 1) - 1].id
      }
    }
    lastID = id
    guard !heirs.isEmpty else { return }
    lists.eachOption { option, _ in
      option.variantID = option.variantID.map { heirs[$0] ?? $0 }
    }
    menu.each(\.stopList) { entry, _ in
      if entry.entity == .variant { entry.entityID = heirs[entry.entityID] ?? entry.entityID }
    }
  }

  mutating func visitPinned(_ body: (inout Int) -> Void) {
    let variants = Dictionary(
      menu.products.map { ($0.id, $0.variants) }, uniquingKeysWith: { first, _ in first })
    lists.eachOption { option, list in
      let choices = variants[option.productID] ?? []
      Self.fit(&option.variantID, body) {
        choices.isEmpty ? nil : choices[list % choices.count].id
      }
    }
  }
}

extension Menu {
  /// Changes every element of a list, which comes with its place.
  mutating func each<Thing>(
    _ list: WritableKeyPath<Menu, [Thing]>, _ body: (inout Thing, Int) -> Void
  ) {
    for index in self[keyPath: list].indices { body(&self[keyPath: list][index], index) }
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
  mutating func eachModifier(_ body: (inout ModifierOption, Int) -> Void) {
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

extension [OptionList] {
  /// Changes every option, which comes with its list's place.
  mutating func eachOption(_ body: (inout SlotOption, Int) -> Void) {
    for list in indices {
      for place in self[list].options.indices { body(&self[list].options[place], list) }
    }
  }
}

import Basics
import MenuModel

/// Reports every number of a menu's traits, and changes the menu to other numbers.
///
/// Cuts or extends lists in their own style and composes new texts. References to removed things
/// are redirected to remaining ones or removed too, so that the menu stays valid.
struct MenuFitter {
  var menu: Menu
  /// Every list of options once, whether slots share it or repeat it.
  var lists: [OptionList]
  /// The position of each slot's list. Empty if the menu is only examined.
  var listOfSlot: [Int] = []
  /// The largest id in use.
  var lastID = 0
  var weaver = FillerText()

  /// Returns the numbers of a trait in the menu's order.
  mutating func numbers(_ trait: MenuTrait) -> [Int] {
    var numbers: [Int] = []
    visit(trait) { numbers.append($0) }
    return numbers
  }

  /// Gives a trait this spread. Things with the largest numbers have the largest ones afterwards.
  mutating func fit(_ trait: MenuTrait, to spread: Spread, using random: inout SplitMix64) {
    let before = numbers(trait)
    var deck = ShuffledDeck(before.indices)
    // Breaks ties at random, since the first products would otherwise get the shortest texts.
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
    if [.categories, .ingredients, .groups, .variants].contains(trait) {
      removeDanglingReferences()
    }
  }

  /// Redirects or removes references to removed things.
  private mutating func removeDanglingReferences() {
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
  /// Creates a fitter that examines a menu.
  init(_ menu: Menu) { self.init(menu: menu, lists: menu.distinctLists) }

  /// Reports a number that the generator itself determines. Changes have no effect.
  static func show(_ number: Int, _ body: (inout Int) -> Void) {
    var number = number
    body(&number)
  }

  /// Returns the wanted number, or nil if it is unchanged.
  static func changed(_ number: Int, _ body: (inout Int) -> Void) -> Int? {
    var wanted = number
    body(&wanted)
    return wanted == number ? nil : wanted
  }

  /// Cuts or extends a list if another length is wanted.
  ///
  /// - Parameter more: returns elements for the new positions of the list. It may return fewer.
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

  /// Does the same for a list of the menu whose elements have ids and translated names.
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

  /// Sets or clears a value if its presence is to change.
  static func fit<Value>(
    _ value: inout Value?, _ body: (inout Int) -> Void, some: () -> Value?
  ) {
    guard let has = changed(value == nil ? 0 : 1, body) else { return }
    value = has == 1 ? some() : nil
  }

  /// Returns the ids that are not in a list. Each product starts at a different one.
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
  /// Makes options lead to the next group, which excludes cycles. The last group leads nowhere.
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
    var replacements: [Int: Int] = [:]
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
        replacements[product.variants.removeLast().id] = product.variants[max(count, 1) - 1].id
      }
    }
    lastID = id
    guard !replacements.isEmpty else { return }
    lists.eachOption { option, _ in
      option.variantID = option.variantID.map { replacements[$0] ?? $0 }
    }
    menu.each(\.stopList) { entry, _ in
      if entry.entity == .variant {
        entry.entityID = replacements[entry.entityID] ?? entry.entityID
      }
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
  /// Visits every element of a list with its position.
  mutating func each<Thing>(
    _ list: WritableKeyPath<Menu, [Thing]>, _ body: (inout Thing, Int) -> Void
  ) {
    for index in self[keyPath: list].indices { body(&self[keyPath: list][index], index) }
  }

  /// Visits every variant with its position among all variants.
  mutating func eachVariant(_ body: (inout Variant, Int) -> Void) {
    var place = 0
    for product in products.indices {
      for variant in products[product].variants.indices {
        body(&products[product].variants[variant], place)
        place += 1
      }
    }
  }

  /// Visits every slot with its position among all slots.
  mutating func eachSlot(_ body: (inout Slot, Int) -> Void) {
    var place = 0
    for combo in combos.indices {
      for slot in combos[combo].slots.indices {
        body(&combos[combo].slots[slot], place)
        place += 1
      }
    }
  }

  /// Visits every option of a modifier group with the position of its group.
  mutating func eachModifier(_ body: (inout ModifierOption, Int) -> Void) {
    for group in modifierGroups.indices {
      for option in modifierGroups[group].options.indices {
        body(&modifierGroups[group].options[option], group)
      }
    }
  }

  /// Every list of options once: first the shared ones, then the slots' own.
  fileprivate var distinctLists: [OptionList] {
    let own = combos.flatMap(\.slots).compactMap(\.options).distinct
    return optionLists + own.map { OptionList(id: 0, options: $0) }
  }
}

extension [OptionList] {
  /// Visits every option with the position of its list.
  mutating func eachOption(_ body: (inout SlotOption, Int) -> Void) {
    for list in indices {
      for place in self[list].options.indices { body(&self[list].options[place], list) }
    }
  }
}

import Basics

extension Menu {
  /// Returns the menu after some changes: other products and combos, and other prices, texts and
  /// availability. The result is valid if this menu is, and nearly as large.
  ///
  /// About one product in twenty is replaced by one with a new id. A few products are added, and one combo
  /// in twenty is removed or added. One text in eight becomes shorter or longer, and one price in four
  /// changes by up to a tenth. The changes are random with `number` as their seed. They start from this
  /// menu, not from the previous revision, so revisions do not drift and each can be made on its own.
  ///
  /// - Parameter number: 0 returns the menu itself. The same number always gives the same menu.
  public func revised(_ number: Int) -> Menu {
    guard number != 0 else { return self }
    var reviser = Reviser(self, number)
    return reviser.revised()
  }
}

/// Makes one revision of a menu.
struct Reviser {
  let menu: Menu
  private let number: Int
  private var random: SplitMix64
  private var ids: NewIDs
  /// The replacements of removed products, and of their variants.
  private(set) var products: [Int: Int] = [:]
  private(set) var variants: [Int: Int] = [:]

  init(_ menu: Menu, _ number: Int) {
    self.menu = menu
    self.number = number
    // Derives the seed, so that neighbouring numbers get seeds that are far apart.
    var seeds = SplitMix64(seed: UInt64(bitPattern: Int64(number)))
    random = SplitMix64(seed: seeds.next())
    ids = NewIDs(menu, number)
  }

  mutating func revised() -> Menu {
    var revised = menu
    revised.revision = menu.revision &+ number
    revised.products = menu.products.map { revise($0) }
    let newcomers = random.below(menu.products.count / 20 + 1)
    for _ in 0..<newcomers {
      revised.products.append(copy(menu.products[random.below(menu.products.count)]))
    }
    let current = Dictionary(
      revised.products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for list in revised.optionLists.indices {
      refer(&revised.optionLists[list].options, current)
    }
    revised.combos = revisedCombos(current)
    refer(&revised)
    return revised
  }

  private mutating func revise(_ old: Product) -> Product {
    var product = old
    if random.once(in: 20) {
      product = copy(old)
      products[old.id] = product.id
      for (old, new) in zip(old.variants, product.variants) { variants[old.id] = new.id }
    }
    if random.once(in: 8) { product.details = edited(product.details) }
    if random.once(in: 8) { product.name = edited(product.name) }
    if random.once(in: 20) {
      product.availability = product.availability == .available ? .hidden : .available
    }
    // Hours, allergens and categories change far more rarely than prices.
    if random.once(in: 40), !product.hours.isEmpty { product.hours.removeLast() }
    if random.once(in: 40), !product.allergens.isEmpty { product.allergens.removeLast() }
    if random.once(in: 40), !product.otherCategoryIDs.isEmpty {
      product.otherCategoryIDs.removeLast()
    }
    for index in product.variants.indices where random.once(in: 4) {
      product.variants[index].price = moved(product.variants[index].price)
    }
    return product
  }

  /// Returns a product with new ids, and the texts and prices of this one.
  private mutating func copy(_ product: Product) -> Product {
    var copy = product
    copy.id = ids.products.next()
    for index in copy.variants.indices { copy.variants[index].id = ids.variants.next() }
    return copy
  }

  private mutating func revisedCombos(_ current: [Int: Product]) -> [Combo] {
    var revised: [Combo] = []
    for (place, old) in menu.combos.enumerated() {
      // Keeps the first combo, so that a menu with combos always has some.
      if place > 0, random.once(in: 20) { continue }
      var combo = old
      if random.once(in: 8) { combo.details = edited(combo.details) }
      if random.once(in: 4) { combo.price = combo.price.map { moved($0) } }
      for slot in combo.slots.indices { refer(&combo.slots[slot], current) }
      revised.append(combo)
      if random.once(in: 20) { revised.append(copy(combo)) }
    }
    return revised
  }

  private mutating func copy(_ combo: Combo) -> Combo {
    var copy = combo
    copy.id = ids.combos.next()
    for index in copy.slots.indices { copy.slots[index].id = ids.slots.next() }
    return copy
  }

  /// Cuts a text to half its length or extends it by half, between characters.
  private mutating func edited(_ text: String) -> String {
    let half = text.prefix((text.count + 1) / 2)
    return random.once(in: 2) ? String(half) : text + " " + half
  }

  /// Changes a price by up to a tenth.
  private mutating func moved(_ price: Int) -> Int {
    // An unchecked menu may hold any price. It must not trap or become negative.
    let price = min(max(price, 0), Int.max / 2)
    let tenth = max(price / 10, 1)
    return max(0, price - tenth + random.below(2 * tenth + 1))
  }
}

extension Reviser {
  /// Makes a slot refer to the products that exist now.
  func refer(_ slot: inout Slot, _ current: [Int: Product]) {
    slot.defaultProductID = slot.defaultProductID.map { products[$0] ?? $0 }
    guard var options = slot.options else { return }
    refer(&options, current)
    slot.options = options
  }

  /// Makes options refer to the products that exist now, and updates embedded copies.
  func refer(_ options: inout [SlotOption], _ current: [Int: Product]) {
    for index in options.indices {
      options[index].productID = products[options[index].productID] ?? options[index].productID
      options[index].variantID = options[index].variantID.map { variants[$0] ?? $0 }
      if options[index].product != nil {
        options[index].product = current[options[index].productID]
      }
    }
  }

  /// Updates the stop list, overrides and translations, and drops those of removed things.
  func refer(_ revised: inout Menu) {
    let combos = Set(revised.combos.map(\.id))
    let slots = Set(revised.combos.lazy.flatMap(\.slots).map(\.id))
    func reference(_ entity: Entity, _ id: Int) -> Int? {
      switch entity {
      case .product: products[id] ?? id
      case .variant: variants[id] ?? id
      case .combo: combos.contains(id) ? id : nil
      case .slot: slots.contains(id) ? id : nil
      case .category, .ingredient, .modifierGroup: id
      }
    }
    func referring<Thing>(
      _ things: [Thing], _ entity: KeyPath<Thing, Entity>, _ id: WritableKeyPath<Thing, Int>
    ) -> [Thing] {
      things.compactMap { old in
        var thing = old
        guard let new = reference(old[keyPath: entity], old[keyPath: id]) else { return nil }
        thing[keyPath: id] = new
        return thing
      }
    }
    revised.stopList = referring(menu.stopList, \.entity, \.entityID)
    revised.storeOverrides = referring(menu.storeOverrides, \.entity, \.entityID)
    revised.translations = referring(menu.translations, \.entity, \.entityID)
  }
}

/// Generates unused ids, different ones in each of 1,000 successive revisions.
struct NewIDs {
  var products: Series
  var variants: Series
  var combos: Series
  var slots: Series

  init(_ menu: Menu, _ number: Int) {
    let turn = Int(UInt64(bitPattern: Int64(number)) % 1_000)
    products = Series(menu.products.map(\.id), turn)
    variants = Series(menu.products.flatMap { $0.variants.map(\.id) }, turn)
    combos = Series(menu.combos.map(\.id), turn)
    slots = Series(menu.combos.flatMap { $0.slots.map(\.id) }, turn)
  }

  /// New ids for one kind of thing.
  struct Series {
    private let taken: Set<Int>
    private var last: Int

    init(_ taken: [Int], _ turn: Int) {
      self.taken = Set(taken)
      // A revision uses fewer new ids than the menu has ids.
      last = turn * (taken.count + 1)
    }

    mutating func next() -> Int {
      repeat { last += 1 } while taken.contains(last)
      return last
    }
  }
}

/// The making of one revision of a menu.
struct Reviser {
  let menu: Menu
  private let number: Int
  private var random: SplitMix64
  private var ids: NewIDs
  /// What took the place of products that are gone, and of their variants.
  private(set) var products: [Int: Int] = [:]
  private(set) var variants: [Int: Int] = [:]

  init(_ menu: Menu, _ number: Int) {
    self.menu = menu
    self.number = number
    // The seeds of neighbours lie far apart.
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
    for index in product.variants.indices where random.once(in: 4) {
      product.variants[index].price = moved(product.variants[index].price)
    }
    return product
  }

  /// Another product with the texts and prices of one.
  private mutating func copy(_ product: Product) -> Product {
    var copy = product
    copy.id = ids.products.next()
    for index in copy.variants.indices { copy.variants[index].id = ids.variants.next() }
    return copy
  }

  private mutating func revisedCombos(_ current: [Int: Product]) -> [Combo] {
    var revised: [Combo] = []
    for (place, old) in menu.combos.enumerated() {
      // The first one stays: where there are combos, there are some always.
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

  /// Half of a text, or one and a half of it; cut between characters.
  private mutating func edited(_ text: String) -> String {
    let half = text.prefix((text.count + 1) / 2)
    return random.once(in: 2) ? String(half) : text + " " + half
  }

  /// A price by up to a tenth lower or higher.
  private mutating func moved(_ price: Int) -> Int {
    let price = min(price, Int.max / 2)
    let tenth = max(price / 10, 1)
    return max(0, price - tenth + random.below(2 * tenth + 1))
  }
}

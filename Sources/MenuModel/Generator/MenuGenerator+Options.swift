/// A generated list of options and what a slot that shows it is called.
struct GeneratedList {
  var list: OptionList
  let slotName: Word
}

/// The products that combos choose from: a real store's 560 options named 29 of its 81 products.
private struct Pool {
  var deck: Deck
  let name: Word
}

extension MenuGenerator {
  /// All lists, in the order of the plan's groups.
  mutating func optionLists(_ plan: OptionPlan) -> [GeneratedList] {
    var pools = pools(longest: plan.groups[0].length)
    let hasLongLists = plan.groups[0].length > OptionPlan.longestShort
    let cycle = hasLongLists ? [1, 2, 3] : [0, 1, 2, 3]
    var seen: Set<Checksum> = []
    var lists: [GeneratedList] = []
    var short = 0
    for group in plan.groups {
      for _ in 0..<group.lists {
        var pool = 0
        if group.length <= OptionPlan.longestShort {
          pool = cycle[short % cycle.count]
          short += 1
        }
        if pools[pool].deck.count < group.length { pool = 4 }
        lists.append(list(group.length, from: &pools[pool], unlike: &seen))
      }
    }
    return lists
  }

  /// Pizzas, drinks, snacks and desserts for combos, and everything for what they cannot fill.
  private mutating func pools(longest: Int) -> [Pool] {
    let ranges = shape.productRanges
    return [
      pool(ranges[0], max(longest, ranges[0].count * 22 / 25), Word("Пицца", "Pizza")),
      pool(ranges[2], max(5, ranges[2].count * 5 / 22), Word("Напиток", "Drink")),
      pool(ranges[1], max(5, ranges[1].count * 5 / 22), Word("Закуска", "Snack")),
      pool(ranges[3], max(5, ranges[3].count * 5 / 22), Word("Десерт", "Dessert")),
      Pool(deck: Deck(0..<shape.products), name: Word("На выбор", "Your Choice")),
    ]
  }

  private mutating func pool(_ range: Range<Int>, _ count: Int, _ name: Word) -> Pool {
    var all = Deck(range)
    return Pool(deck: Deck(all.draw(count, using: &random)), name: name)
  }

  private mutating func list(
    _ length: Int, from pool: inout Pool, unlike seen: inout Set<Checksum>
  ) -> GeneratedList {
    let size = random.below(3)
    var options = pool.deck.draw(length, using: &random).sorted().map { option($0, size: size) }
    while !seen.insert(options.contentChecksum).inserted {
      options[options.count - 1].surcharge += 1_000
    }
    return GeneratedList(
      list: OptionList(id: nextID(), options: options), slotName: pool.name)
  }

  /// One option; all pizzas of a list come in one size.
  private mutating func option(_ index: Int, size: Int) -> SlotOption {
    let product = menu.products[index]
    let isPizza = product.kind == .pizza
    return SlotOption(
      productID: product.id,
      variantID: isPizza ? product.variants[min(size, product.variants.count - 1)].id : nil,
      surcharge: random.once(in: 3) ? random.within(1...15) * 1_000 : 0,
      product: shape.optionProducts == .embedded ? product : nil)
  }
}

extension [SlotOption] {
  /// Of products and surcharges alone: lists that differ in sizes only count as one.
  fileprivate var contentChecksum: Checksum {
    var checksum = Checksum()
    for option in self {
      checksum.add(option.productID)
      checksum.add(option.surcharge)
    }
    return checksum
  }
}

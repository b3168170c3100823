extension MenuGenerator {
  mutating func addCombos() {
    let plan = OptionPlan(shape)
    let lists = optionLists(plan)
    if shape.lists == .shared { menu.optionLists = lists.map(\.list) }
    var listOfSlot = listsOfSlots(plan)[...]
    menu.combos.reserveCapacity(shape.combos)
    for (index, count) in slotCounts().enumerated() {
      let slots = listOfSlot.prefix(count).map { slot(showing: lists[$0]) }
      listOfSlot = listOfSlot.dropFirst(count)
      addCombo(index, slots)
    }
  }

  /// The list of every slot: each list at least once, then at random within its length.
  private mutating func listsOfSlots(_ plan: OptionPlan) -> [Int] {
    var choices: [Int] = []
    choices.reserveCapacity(shape.slots)
    var first = 0
    for group in plan.groups {
      for slot in 0..<group.slots {
        choices.append(first + (slot < group.lists ? slot : random.below(group.lists)))
      }
      first += group.lists
    }
    var deck = Deck(choices)
    return Array(deck.draw(choices.count, using: &random))
  }

  /// Two to seven slots a combo where their mean lies between, as in a real store.
  private mutating func slotCounts() -> [Int] {
    let (mean, more) = shape.slots.quotientAndRemainder(dividingBy: shape.combos)
    var counts = (0..<shape.combos).map { mean + ($0 < more ? 1 : 0) }
    let fewest = min(2, mean)
    let most = max(7, mean + 1)
    for _ in 0..<2 * shape.combos {
      let giver = random.below(shape.combos)
      let taker = random.below(shape.combos)
      if giver != taker, counts[giver] > fewest, counts[taker] < most {
        counts[giver] -= 1
        counts[taker] += 1
      }
    }
    return counts
  }

  private mutating func slot(showing generated: GeneratedList) -> Slot {
    let options = generated.list.options
    let isShared = shape.lists == .shared
    let slot = Slot(
      id: nextID(), name: generated.slotName.russian, min: random.once(in: 12) ? 0 : 1, max: 1,
      optionListID: isShared ? generated.list.id : nil, options: isShared ? nil : options,
      defaultProductID: pick(options).productID)
    translate(.slot, slot.id, name: generated.slotName)
    return slot
  }

  private mutating func addCombo(_ index: Int, _ slots: [Slot]) {
    NameSeries(heads: Words.combos, additions: Words.sides).append(index, to: &text)
    let name = text.take()
    appendPhrases(Words.offers)
    let details = text.take()
    let price = slots.count * random.within(199...329) * 100
    let combo = Combo(
      id: nextID(), name: name.russian, details: details.russian, price: price,
      oldPrice: random.once(in: 6) ? nil : price / 1_000 * 1_250, image: image(), slots: slots)
    menu.combos.append(combo)
    translate(.combo, combo.id, name: name, details: details)
  }

  /// One product in forty, the first size of another, and one ingredient.
  mutating func addStopList() {
    let times = ["2026-03-08T12:00:00Z", "2026-03-09T06:30:00Z", nil]
    var products = Deck(menu.products.indices)
    let out = products.draw(1 + shape.products / 40, using: &random)
    menu.stopList.reserveCapacity(out.count + 2)
    for index in out {
      menu.stopList.append(
        StopListEntry(
          entity: .product, entityID: menu.products[index].id, until: pick(times)))
    }
    let variant = pick(menu.products).variants[0].id
    menu.stopList.append(StopListEntry(entity: .variant, entityID: variant, until: pick(times)))
    menu.stopList.append(
      StopListEntry(entity: .ingredient, entityID: pick(menu.ingredients).id, until: nil))
  }
}

import Basics
import BenchDocuments
import MenuModel

/// Generates a menu of a given shape.
///
/// Everything depends on the shape alone. Numbers come from one ``SplitMix64`` sequence, texts from
/// ``Words``. No locale, clock or order of a set or dictionary has any effect. Sharing and embedding do
/// not change the content: the four menus of one seed show the same options. Traits are fitted to the
/// menu of the counts afterwards, so that the counts alone always give the same menu.
struct MenuGenerator {
  let shape: MenuShape
  var random: SplitMix64
  var text = TextPair()
  var menu: Menu
  /// Every list of options once, and the position of each slot's list.
  var lists: [OptionList] = []
  var listOfSlot: [Int] = []
  private var lastID: Int

  init(_ shape: MenuShape) {
    self.shape = shape
    random = SplitMix64(seed: shape.seed)
    // Ids start at the smallest number with the wanted digits.
    let digits = shape.spreads[.ids]?.range.lowerBound ?? 1
    lastID = (1..<digits).reduce(1) { power, _ in power * 10 } - 1
    menu = Menu(
      id: 1, revision: 1, locale: "ru-RU", currency: "RUB",
      city: Words.cities[random.below(Words.cities.count)])
  }

  mutating func generate() -> Menu {
    let shelves = addCategories()
    addIngredients()
    let groups = addModifierGroups()
    nestModifierGroups()
    reserveTranslations()
    addProducts(on: shelves, groups: groups)
    addCombos()
    addStopList()
    addStoreOverrides()
    fit()
    storeOptions()
    return menu
  }

  /// Fits the menu to the spreads of the shape.
  private mutating func fit() {
    guard !shape.spreads.isEmpty else { return }
    var fitter = MenuFitter(menu: menu, lists: lists, listOfSlot: listOfSlot, lastID: lastID)
    for trait in MenuTrait.allCases {
      if let spread = shape.spreads[trait] { fitter.fit(trait, to: spread, using: &random) }
    }
    menu = fitter.menu
    lists = fitter.lists
  }

  /// Stores the options as the shape requires. Slots that repeat a list share its memory.
  private mutating func storeOptions() {
    if shape.optionProducts == .embedded {
      let products = MenuIndex(menu).products
      lists.eachOption { option, _ in
        option.product = products[option.productID].map { menu.products[$0] }
      }
    }
    guard shape.lists == .repeated else {
      menu.optionLists = lists
      return
    }
    menu.eachSlot { slot, place in slot.options = lists[listOfSlot[place]].options }
  }

  /// Returns an id that no other thing in the menu has, of any kind.
  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func translate(_ entity: Entity, _ id: Int, name: Word, details: Word? = nil) {
    menu.translations.append(
      Translation(
        locale: "en-US", entity: entity, entityID: id, name: name.english,
        details: details?.english))
  }

  /// Returns a random element of a list, which must not be empty.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.below(elements.count)]
  }

  /// Appends sentences until the description is as long as in public menus, 127 letters on
  /// average.
  mutating func appendPhrases(_ phrases: [Word]) {
    let length = 92 + random.below(40)
    var index = random.below(phrases.count)
    var left = phrases.count
    while text.length < length, left > 0 {
      if text.length > 0 { text.append(" ", " ") }
      text.append(phrases[index])
      text.append(".", ".")
      index = (index + 5) % phrases.count
      left -= 1
    }
  }

  /// Returns an image name of 32 hexadecimal digits, as in content-addressed storage.
  mutating func image() -> String {
    let name = random.next().hexadecimal + random.next().hexadecimal + ".webp"
    // Copies the name, so that it takes only the memory that its letters need.
    return String(decoding: name.utf8, as: UTF8.self)
  }

  private mutating func reserveTranslations() {
    menu.translations.reserveCapacity(
      menu.translations.count + shape.products + shape.combos + shape.slots)
  }
}

extension Menu {
  /// Generates the menu of a shape: Russian with English translations. ``validate()`` accepts it.
  ///
  /// Equal shapes give byte-identical menus in every process and on every platform. Embedded
  /// products and repeated options share their memory until they are changed. The cost is linear in
  /// the size of the menu.
  package init(shape: MenuShape) {
    var generator = MenuGenerator(shape)
    self = generator.generate()
  }
}

extension MenuGenerator {
  mutating func addCombos() {
    guard shape.combos > 0 else { return }
    let plan = OptionPlan(shape)
    let generated = shape.slots > 0 ? optionLists(plan) : []
    lists = generated.map(\.list)
    listOfSlot = listsOfSlots(plan)
    var left = listOfSlot[...]
    menu.combos.reserveCapacity(shape.combos)
    for (index, count) in slotCounts().enumerated() {
      let slots = left.prefix(count).map { slot(showing: generated[$0]) }
      left = left.dropFirst(count)
      addCombo(index, slots)
    }
  }

  /// Returns the list of every slot. Each list occurs once, then at random within its length.
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
    var deck = ShuffledDeck(choices)
    return Array(deck.draw(choices.count, using: &random))
  }

  /// Returns the slots of each combo: two to seven if the mean allows it, as in a real store.
  private mutating func slotCounts() -> [Int] {
    if let spread = shape.spreads[.slots] {
      let counts = spread.numbers(shape.combos)
      var deck = ShuffledDeck(counts)
      return Array(deck.draw(counts.count, using: &random))
    }
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
    let slot = Slot(
      id: nextID(), name: generated.slotName.russian, min: random.once(in: 12) ? 0 : 1, max: 1,
      optionListID: shape.lists == .shared ? generated.list.id : nil,
      defaultProductID: pick(generated.list.options).productID)
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

  /// Adds one product in forty, the first variant of a random product, and one ingredient.
  mutating func addStopList() {
    let times = ["2026-03-08T12:00:00Z", "2026-03-09T06:30:00Z", nil]
    var products = ShuffledDeck(menu.products.indices)
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

extension MenuGenerator {
  /// Adds three stores. Each has its own price for one product in fifty and hides half of these.
  mutating func addStoreOverrides() {
    for store in 1...3 {
      for product in menu.products where random.once(in: 50) {
        let variant = product.variants[0]
        menu.storeOverrides.append(
          StoreOverride(
            storeID: store, entity: .variant, entityID: variant.id, price: variant.price + 3_000))
        if random.once(in: 2) {
          menu.storeOverrides.append(
            StoreOverride(
              storeID: store, entity: .product, entityID: product.id, availability: .hidden))
        }
      }
    }
  }
}

/// A generated list of options, with the name of the slots that show it.
struct GeneratedList {
  var list: OptionList
  let slotName: Word
}

/// The products for combos. The 560 options of a real store used 29 of its 81 products.
private struct Pool {
  var deck: ShuffledDeck
  let name: Word
}

extension MenuGenerator {
  /// Returns all lists in the order of the plan's groups.
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

  /// Returns the products for combos by kind, and a pool of all products for lists that need more.
  private mutating func pools(longest: Int) -> [Pool] {
    let ranges = shape.productRanges
    return [
      pool(ranges[0], max(longest, ranges[0].count * 22 / 25), Word("Пицца", "Pizza")),
      pool(ranges[2], max(5, ranges[2].count * 5 / 22), Word("Напиток", "Drink")),
      pool(ranges[1], max(5, ranges[1].count * 5 / 22), Word("Закуска", "Snack")),
      pool(ranges[3], max(5, ranges[3].count * 5 / 22), Word("Десерт", "Dessert")),
      Pool(deck: ShuffledDeck(0..<shape.products), name: Word("На выбор", "Your Choice")),
    ]
  }

  private mutating func pool(_ range: Range<Int>, _ count: Int, _ name: Word) -> Pool {
    var all = ShuffledDeck(range)
    return Pool(deck: ShuffledDeck(all.draw(count, using: &random)), name: name)
  }

  private mutating func list(
    _ length: Int, from pool: inout Pool, unlike seen: inout Set<Checksum>
  ) -> GeneratedList {
    let size = random.below(3)
    var chosen = Array(pool.deck.draw(length, using: &random))
    // Repeats products if a slot shows more options than there are products, as for other sizes.
    while chosen.count < length { chosen += chosen.prefix(length - chosen.count) }
    var options = chosen.sorted().map { option($0, size: size) }
    while !seen.insert(options.contentChecksum).inserted {
      options[options.count - 1].surcharge += 1_000
    }
    return GeneratedList(
      list: OptionList(id: nextID(), options: options), slotName: pool.name)
  }

  /// Returns one option. All pizzas of a list have the same size.
  private mutating func option(_ index: Int, size: Int) -> SlotOption {
    let product = menu.products[index]
    let isPizza = product.kind == .pizza
    return SlotOption(
      productID: product.id,
      variantID: isPizza ? product.variants[min(size, product.variants.count - 1)].id : nil,
      surcharge: random.once(in: 3) ? random.within(1...15) * 1_000 : 0)
  }
}

extension [SlotOption] {
  /// The checksum of products and surcharges. Lists that differ only in sizes count as equal.
  fileprivate var contentChecksum: Checksum {
    var checksum = Checksum()
    for option in self {
      checksum.add(option.productID)
      checksum.add(option.surcharge)
    }
    return checksum
  }
}

/// The number of options of each slot, and the number of different lists of each length.
///
/// In a public menu of a real store, 7 of 31 slots show 2 to 5 options and 24 show 22. A plan keeps
/// these proportions and matches the total exactly. If slots are too short on average, or products
/// too few for such long lists, all slots show the average.
struct OptionPlan {
  /// Slots that show the same number of options.
  struct Group: Equatable {
    let length: Int
    let slots: Int
    var lists = 1
  }

  /// The lengths of a real store's short lists: 32 options in every seven slots.
  private static let shortLengths = [5, 5, 5, 5, 5, 5, 2, 5, 4, 5, 3, 5, 5, 5]
  static let longestShort = 5

  /// One group for each length, the long lists first.
  private(set) var groups: [Group]

  init(_ shape: MenuShape) {
    guard shape.slots > 0 else {
      groups = []
      return
    }
    let usual = (shape.slots * 49 / 31).squareRoot
    let wanted = shape.spreads[.optionlists]?.range.lowerBound ?? usual
    if let spread = shape.spreads[.options] {
      groups = Self.groups(spread.numbers(shape.slots))
      share(wanted: wanted, among: shape.slots)
      return
    }
    let isLongEnough = shape.options >= 8 * shape.slots
    groups = Self.groups(shape, short: isLongEnough ? shape.slots * 7 / 31 : 0)
    if groups.contains(where: { $0.length > shape.products }) {
      groups = Self.groups(shape, short: 0)
    }
    share(wanted: wanted, among: shape.slots)
  }

  /// Returns one group for each length, the longest first.
  private static func groups(_ lengths: [Int]) -> [Group] {
    let slots = lengths.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    return slots.sorted { $0.key > $1.key }.map { Group(length: $0.key, slots: $0.value) }
  }

  var lists: Int { groups.reduce(0) { $0 + $1.lists } }

  private static func groups(_ shape: MenuShape, short: Int) -> [Group] {
    let short = shortGroups(short)
    let slots = shape.slots - short.reduce(0) { $0 + $1.slots }
    let options = shape.options - short.reduce(0) { $0 + $1.slots * $1.length }
    let (length, longer) = options.quotientAndRemainder(dividingBy: slots)
    let long = [
      Group(length: length + 1, slots: longer), Group(length: length, slots: slots - longer),
    ]
    return (long + short).filter { $0.slots > 0 }
  }

  private static func shortGroups(_ slots: Int) -> [Group] {
    let (rounds, rest) = slots.quotientAndRemainder(dividingBy: shortLengths.count)
    return (2...longestShort).reversed().map { length in
      let inRound = shortLengths.count { $0 == length }
      let inRest = shortLengths.prefix(rest).count { $0 == length }
      return Group(length: length, slots: rounds * inRound + inRest)
    }
  }

  /// Gives every length one list, and additional lists to lengths with many slots.
  private mutating func share(wanted: Int, among slots: Int) {
    let further = max(0, wanted - groups.count)
    var left = further
    for index in groups.indices {
      let fair = min(further * groups[index].slots / slots, groups[index].slots - 1)
      groups[index].lists += fair
      left -= fair
    }
    for index in groups.indices {
      let more = min(left, groups[index].slots - groups[index].lists)
      groups[index].lists += more
      left -= more
    }
  }
}

extension Int {
  /// The integer part of the square root, by Newton's method. It is 0 for negative numbers.
  var squareRoot: Int {
    guard self > 1 else { return Swift.max(self, 0) }
    var root = self
    var next = (root + 1) / 2
    while next < root {
      root = next
      next = (root + self / root) / 2
    }
    return root
  }
}

/// A deck of cards to draw without replacement. Every draw starts with the whole deck.
struct ShuffledDeck {
  private var cards: [Int]

  init(_ cards: some Sequence<Int>) {
    self.cards = Array(cards)
  }

  var count: Int { cards.count }

  /// Returns different cards in random order, at most all of them.
  ///
  /// Does the first steps of a Fisher-Yates shuffle, so the cost depends on the drawn cards.
  mutating func draw(_ wanted: Int, using random: inout SplitMix64) -> ArraySlice<Int> {
    let drawn = min(wanted, cards.count)
    for position in 0..<drawn {
      cards.swapAt(position, position + random.below(cards.count - position))
    }
    return cards[..<drawn]
  }
}

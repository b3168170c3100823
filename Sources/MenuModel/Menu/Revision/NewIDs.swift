/// Ids that nothing of a menu has, others in every revision.
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

  /// New ids of one kind of thing.
  struct Series {
    private let taken: Set<Int>
    private var last: Int

    init(_ taken: [Int], _ turn: Int) {
      self.taken = Set(taken)
      // A revision takes fewer new ids than the menu has.
      last = turn * (taken.count + 1)
    }

    mutating func next() -> Int {
      repeat { last += 1 } while taken.contains(last)
      return last
    }
  }
}

import MenuModel

/// Finds what an app shows first in a store of entities.
protocol ScreenLookup: EntityLookup {
  /// The entities of a kind in the menu's order, the first so many.
  func entities(_ kind: EntityKind, first count: Int) throws -> [StoredEntity]
  /// The products of the first of the categories that has any, in the menu's order; others may stand
  /// between them.
  func shelf(_ categories: [Category], _ coder: EntityCoder) throws -> [Product]
}

extension ScreenLookup {
  /// The screen; every list and product that combos share is fetched and decoded once.
  ///
  /// - Throws: ``StorageError`` where an entity is no JSON of its kind.
  func firstScreen(_ coder: EntityCoder) throws -> FirstScreen {
    // Of a menu of these parts alone the first screen is that of the whole menu.
    var menu = Menu(id: 0, revision: 0, locale: "", currency: "", city: "")
    menu.categories = try entities(.category, first: .max)
      .map { try coder.decode(Category.self, $0) }
    menu.products = try shelf(menu.categories, coder)
    menu.combos = try entities(.combo, first: FirstScreen.combos)
      .map { try coder.decode(Combo.self, $0) }
    menu.optionLists = try optionLists(of: menu.combos, coder)
    menu.products += try products(named: menu, coder)
    return menu.firstScreen()
  }

  private func optionLists(
    of combos: [Combo], _ coder: EntityCoder
  ) throws -> [OptionList] {
    var seen: Set<Int> = []
    return try combos.flatMap(\.slots).filter { $0.options == nil }.compactMap(\.optionListID)
      .filter { seen.insert($0).inserted }
      .compactMap { try first(.optionList, $0) }.map { try coder.decode(OptionList.self, $0) }
  }

  /// The products that a menu's options name and that it has not.
  private func products(named menu: Menu, _ coder: EntityCoder) throws -> [Product] {
    let resolver = SlotResolver(menu)
    var known = Set(menu.products.map(\.id))
    return try menu.combos.flatMap(\.slots).flatMap { resolver.options(of: $0) }
      .map(\.productID).filter { known.insert($0).inserted }
      .compactMap { try product($0, coder) }
  }
}

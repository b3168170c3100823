import MenuModel

/// A table and which of its rows belong to one part of a menu: a product, or a combo with all that
/// it shows. The condition's parameter is the part's id.
///
/// Tables are kept in the order of their keys, which begin with the parent's id, so that the
/// children of a parent lie together; variants and slots have keys of their own and an index.
struct PartTable: Sendable {
  let table: MenuTable
  private let condition: String

  private init<Row: TableRow>(
    _ path: any WritableKeyPath<MenuRows, [Row]> & Sendable, where condition: String
  ) {
    table = MenuTable(path)
    self.condition = condition
  }

  /// The rows in the order of the table's key.
  func selection(_ schema: MenuSchema) -> String {
    schema.table(table.table).selection(where: condition)
  }
}

extension PartTable {
  /// A product.
  static let product = products("?1")

  /// A combo, its slots, their options and the products behind them.
  static let combo = products(named(by: "?1")) + combos("?1")

  /// What an app shows first, as `FirstScreen` has it.
  static let screen =
    [PartTable(\.categories, where: "TRUE")]
    + products("\(shelf) UNION ALL \(named(by: firstCombos))") + combos(firstCombos)

  /// Combos of the ids that a query gives, their slots and options.
  private static func combos(_ ids: String) -> [PartTable] {
    let lists = lists(of: ids)
    return [
      PartTable(\.optionLists, where: "id IN (\(lists))"),
      PartTable(\.listOptions, where: "option_list_id IN (\(lists))"),
      PartTable(\.combos, where: "id IN (\(ids))"),
      PartTable(\.slots, where: "combo_id IN (\(ids))"),
      PartTable(\.slotOptions, where: "slot_id IN (\(slots(of: ids)))"),
    ]
  }

  /// Products of the ids that a query gives.
  private static func products(_ ids: String) -> [PartTable] {
    let variants = "SELECT id FROM variant WHERE product_id IN (\(ids))"
    return [
      PartTable(\.products, where: "id IN (\(ids))"),
      PartTable(\.productTags, where: "product_id IN (\(ids))"),
      PartTable(\.productIngredients, where: "product_id IN (\(ids))"),
      PartTable(\.productModifierGroups, where: "product_id IN (\(ids))"),
      PartTable(\.variants, where: "product_id IN (\(ids))"),
      PartTable(\.priceTiers, where: "variant_id IN (\(variants))"),
      PartTable(\.nutrition, where: "variant_id IN (\(variants))"),
    ]
  }

  private static func slots(of combos: String) -> String {
    "SELECT id FROM slot WHERE combo_id IN (\(combos))"
  }

  private static func lists(of combos: String) -> String {
    "SELECT option_list_id FROM slot WHERE combo_id IN (\(combos))"
  }

  /// The products that combos' options name. IN keeps each once by itself.
  private static func named(by combos: String) -> String {
    """
    SELECT product_id FROM slot_option WHERE slot_id IN (\(slots(of: combos))) \
    UNION ALL SELECT product_id FROM list_option WHERE option_list_id IN (\(lists(of: combos)))
    """
  }

  private static let firstCombos =
    "SELECT id FROM combo ORDER BY position LIMIT \(FirstScreen.combos)"
  /// The products of the first category that has any. No index leads to them: products are looked
  /// through.
  private static let shelf = """
    SELECT id FROM product WHERE category_id = (SELECT id FROM category \
    WHERE id IN (SELECT category_id FROM product) ORDER BY position LIMIT 1)
    """
}

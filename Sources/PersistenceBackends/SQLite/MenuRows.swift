/// A menu as rows, one array a table, each in the order of its table's key.
///
/// A payload's size is that of the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// nothing for NULL.
public struct MenuRows: Hashable, Sendable {
  var menus: [MenuRow] = []
  var categories: [CategoryRow] = []
  var ingredients: [IngredientRow] = []
  var modifierGroups: [ModifierGroupRow] = []
  var modifierOptions: [ModifierOptionRow] = []
  var modifierPrices: [ModifierPriceRow] = []
  var products: [ProductRow] = []
  var productTags: [ProductTagRow] = []
  var productIngredients: [ProductIngredientRow] = []
  var productModifierGroups: [ProductModifierGroupRow] = []
  var variants: [VariantRow] = []
  var priceTiers: [PriceTierRow] = []
  var nutrition: [NutritionRow] = []
  var optionLists: [OptionListRow] = []
  var listOptions: [SlotOptionRow<SharedList>] = []
  var combos: [ComboRow] = []
  var slots: [SlotRow] = []
  var slotOptions: [SlotOptionRow<OwnList>] = []
  var stopList: [StopListRow] = []
  var translations: [TranslationRow] = []
}

extension MenuRows {
  /// Every table, parents before their children.
  static let tables: [MenuTable] = [
    MenuTable(\.menus),
    MenuTable(\.categories),
    MenuTable(\.ingredients),
    MenuTable(\.modifierGroups),
    MenuTable(\.modifierOptions),
    MenuTable(\.modifierPrices),
    MenuTable(\.products),
    MenuTable(\.productTags),
    MenuTable(\.productIngredients),
    MenuTable(\.productModifierGroups),
    MenuTable(\.variants),
    MenuTable(\.priceTiers),
    MenuTable(\.nutrition),
    MenuTable(\.optionLists),
    MenuTable(\.listOptions),
    MenuTable(\.combos),
    MenuTable(\.slots),
    MenuTable(\.slotOptions),
    MenuTable(\.stopList),
    MenuTable(\.translations),
  ]

  /// Itself; throws where there is no menu, as before the first write.
  func written() throws -> MenuRows {
    guard !menus.isEmpty else { throw SQLiteFailure.nothingWritten }
    return self
  }

  /// The bytes of every value.
  var bytes: Int { Self.tables.reduce(0) { $0 + $1.bytes(self) } }
}

/// A table and the array that its rows are held in.
struct MenuTable: Sendable {
  let table: Table
  /// Adds the array's rows by the table's prepared INSERT.
  let insert: @Sendable (MenuRows, PreparedStatement) throws -> Void
  /// Fills the array by the table's prepared SELECT.
  let select: @Sendable (PreparedStatement, inout MenuRows) throws -> Void
  /// The bytes of the array's rows.
  let bytes: @Sendable (MenuRows) -> Int

  /// Ties an array to its table.
  ///
  /// Closures rather than a generic type behind an `any`: the compiler specialises these for the
  /// row's type, and a row costs no dynamic dispatch.
  init<Row: TableRow>(_ path: any WritableKeyPath<MenuRows, [Row]> & Sendable) {
    table = Row.table
    insert = { try $1.insert($0[keyPath: path]) }
    select = { $1[keyPath: path] = try $0.rows(Row.self) }
    bytes = { rows in
      var counter = SizeCounter()
      for row in rows[keyPath: path] { row.put(into: &counter) }
      return counter.bytes
    }
  }
}

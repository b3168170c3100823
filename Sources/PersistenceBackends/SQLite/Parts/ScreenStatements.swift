import MenuModel

/// The statements that fetch what an app shows first.
struct ScreenStatements {
  private let menu: PreparedStatement
  private let tables: [PreparedStatement]

  /// Prepares them; whoever prepares keeps and finalises them.
  init(_ schema: MenuSchema, prepare: (String) throws -> OpaquePointer) rethrows {
    menu = PreparedStatement(try prepare("SELECT id FROM \(MenuRow.table.name)"))
    tables = try PartTable.screen.map {
      PreparedStatement(try prepare($0.selection(schema)))
    }
  }

  /// The screen, read of one state of the store.
  ///
  /// - Throws: ``SQLiteFailure`` where no menu was written.
  func screen() throws -> FirstScreen {
    let rows = try menu.holdingRow {
      var rows = MenuRows()
      for (part, selection) in zip(PartTable.screen, tables) {
        try part.table.select(selection, &rows)
      }
      return rows
    }
    guard let rows else { throw SQLiteFailure.nothingWritten }
    let products = try ProductAssembly(rows).products
    let combos = try ComboAssembly(rows, Catalogue(products))
    // Of a menu of these parts alone the first screen is that of the whole menu.
    return Menu(
      id: 0, revision: 0, locale: "", currency: "", city: "", categories: rows.categoryList,
      products: products, optionLists: combos.lists, combos: combos.combos
    ).firstScreen()
  }
}

import MenuModel

/// The statements of what is done with a part of the stored menu.
struct PartStatements {
  private let menu: PreparedStatement
  private let productTables: [PreparedStatement]
  private let comboTables: [PreparedStatement]
  private let names: PreparedStatement
  /// The statements that change prices and availability.
  let patch: MenuPatchStatements

  /// Prepares them; whoever prepares keeps and finalises them.
  init(_ schema: MenuSchema, prepare: (String) throws -> OpaquePointer) throws {
    func prepared(_ sql: String) throws -> PreparedStatement {
      PreparedStatement(try prepare(sql))
    }
    menu = try prepared("SELECT id FROM \(MenuRow.table.name)")
    productTables = try PartTable.product.map { try prepared($0.selection(schema)) }
    comboTables = try PartTable.combo.map { try prepared($0.selection(schema)) }
    names = try prepared(NameQuery.sql)
    patch = try MenuPatchStatements(prepare: prepared)
  }

  /// A product; nil where the menu has none of that id.
  func product(_ id: Int) throws -> Product? {
    let rows = try fetch(PartTable.product, by: productTables, id)
    return try ProductAssembly(rows).products.first
  }

  /// A combo with its options and products; nil where the menu has none of that id.
  func combo(_ id: Int) throws -> ResolvedCombo? {
    let rows = try fetch(PartTable.combo, by: comboTables, id)
    let products = try ProductAssembly(rows).products
    let combos = try ComboAssembly(rows, Catalogue(products))
    // A menu of this combo alone, so that resolving it means what it means for every menu.
    let menu = Menu(
      id: 0, revision: 0, locale: "", currency: "", city: "", products: products,
      optionLists: combos.lists, combos: combos.combos)
    return menu.resolvedCombo(id)
  }

  /// The ids of the products whose names' keys hold another key, in the order of results.
  func products(named key: String) throws -> [Int] {
    try stored {
      try names.bind { $0.put(key) }
      return try names.collect { $0.int() }
    }
  }

  /// Over how many rows the SELECTs of products and combos went because no index led to them.
  var scannedRows: Int { (productTables + comboTables).reduce(0) { $0 + $1.scannedRows } }

  private func fetch(
    _ tables: [PartTable], by selections: [PreparedStatement], _ id: Int
  ) throws -> MenuRows {
    try stored {
      var rows = MenuRows()
      for (part, selection) in zip(tables, selections) {
        try selection.bind { $0.put(id) }
        try part.table.select(selection, &rows)
      }
      return rows
    }
  }

  /// Runs queries on one state of the store; throws where no menu was written.
  private func stored<Result>(_ body: () throws -> Result) throws -> Result {
    guard let result = try menu.holdingRow(body) else { throw SQLiteFailure.nothingWritten }
    return result
  }
}

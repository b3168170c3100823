import BackendKit
import GRDB
import MenuModel

extension MenuRows {
  /// Every table, parents before their children.
  static let tables: [MenuTable] = [
    MenuTable(\.menus),
    MenuTable(\.categories),
    MenuTable(\.ingredients),
    MenuTable(\.modifiers.groups),
    MenuTable(\.modifiers.options),
    MenuTable(\.modifiers.prices),
    MenuTable(\.modifiers.nextGroups),
    MenuTable(\.products.rows),
    MenuTable(\.products.categories),
    MenuTable(\.products.hours),
    MenuTable(\.products.allergens),
    MenuTable(\.products.tags),
    MenuTable(\.products.ingredients),
    MenuTable(\.products.modifierGroups),
    MenuTable(\.products.variants),
    MenuTable(\.products.priceTiers),
    MenuTable(\.products.nutrition),
    MenuTable(\.combos.optionLists),
    MenuTable(\.combos.listOptions),
    MenuTable(\.combos.rows),
    MenuTable(\.combos.slots),
    MenuTable(\.combos.slotOptions),
    MenuTable(\.stopList),
    MenuTable(\.storeOverrides),
    MenuTable(\.translations),
  ]

  var bytes: Int { Self.tables.reduce(0) { $0 + $1.bytes(self) } }
}

/// A table, and operations on the array of ``MenuRows`` that has its rows.
struct MenuTable: Sendable {
  let table: Table
  /// Inserts the array's rows with the table's prepared INSERTs.
  let insert: @Sendable (MenuRows, Insertion) throws -> Void
  /// Fills the array with the table's prepared SELECT.
  let select: @Sendable (PreparedStatement, inout MenuRows) throws -> Void
  let bytes: @Sendable (MenuRows) -> Int
  /// Deletes every row with a statement that GRDB caches. `deleteAll` would build and prepare its SQL
  /// each time.
  let deleteRecords: @Sendable (Database) throws -> Void
  /// Inserts the array's rows through GRDB.
  let insertRecords: @Sendable (MenuRows, Database) throws -> Void
  /// Fills the array through GRDB, with all rows or those that fulfil a condition.
  let fetchRecords:
    @Sendable (_ condition: String?, StatementArguments, Database, inout MenuRows) throws -> Void

  /// Connects an array with its table.
  ///
  /// Closures instead of a generic type behind an `any`: the compiler specialises them for the row's
  /// type, so there is no dynamic dispatch per row.
  init<Row: TableRow>(_ path: any WritableKeyPath<MenuRows, [Row]> & Sendable) {
    table = Row.table
    insert = { try $1.add($0[keyPath: path]) }
    select = { $1[keyPath: path] = try $0.rows(Row.self) }
    bytes = { rows in
      var counter = SizeCounter()
      for var row in rows[keyPath: path] { row.fields(&counter) }
      return counter.bytes
    }
    let deletion = Row.table.deletion
    deleteRecords = { try $0.cachedStatement(sql: deletion).execute() }
    insertRecords = { try $1.insert($0[keyPath: path]) }
    fetchRecords = { condition, arguments, db, rows in
      let records = try RowRecord<Row>.request(where: condition, arguments).fetchAll(db)
      rows[keyPath: path] = records.map(\.fields)
    }
  }
}

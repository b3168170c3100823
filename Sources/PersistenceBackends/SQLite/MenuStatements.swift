/// The statements that replace and fetch a menu, prepared once for all writes and reads.
struct MenuStatements {
  /// Whose column names they use.
  let schema: MenuSchema
  private let deletions: [PreparedStatement]
  private let insertions: [PreparedStatement]
  private let selections: [PreparedStatement]

  /// Prepares them by whichever route; whoever prepares keeps and finalises them.
  init(_ schema: MenuSchema, prepare: (String) throws -> OpaquePointer) rethrows {
    self.schema = schema
    let tables = MenuRows.tables.map { schema.table($0.table) }
    deletions = try tables.reversed().map { PreparedStatement(try prepare($0.deletion)) }
    insertions = try tables.map { PreparedStatement(try prepare($0.insertion)) }
    selections = try tables.map { PreparedStatement(try prepare($0.selection())) }
  }

  /// Removes the old menu, children first so that no parent's removal finds any, and adds the new.
  /// To be called in a transaction.
  func replace(with rows: MenuRows) throws {
    for deletion in deletions { try deletion.run() }
    for (table, insertion) in zip(MenuRows.tables, insertions) { try table.insert(rows, insertion) }
  }

  /// Fetches every row. To be called in a transaction.
  func fetch() throws -> MenuRows {
    var rows = MenuRows()
    for (table, selection) in zip(MenuRows.tables, selections) {
      try table.select(selection, &rows)
    }
    return rows
  }
}

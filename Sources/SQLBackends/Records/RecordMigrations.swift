import GRDB
import MenuModel

extension RecordSchema {
  /// The identifier of a migration in GRDB.
  static func identifier(of change: SchemaChange) -> String {
    switch change {
    case .optional: "addProductCode"
    case .required: "addProductKind"
    case .split: "splitProductLabel"
    case .type: "countPricesInMinorUnits"
    case .back: "addProductRating"
    }
  }

  /// Runs the migration of the release that made a change. For ``SchemaChange/back`` it is that of the
  /// newer program.
  static func migrate(_ db: Database, across change: SchemaChange) throws {
    switch change {
    case .optional:
      try db.alter(table: "product") { $0.add(column: "code", .text) }
    case .required:
      try db.alter(table: "product") {
        $0.add(column: "kind", .text).notNull().defaults(to: "other")
      }
      try db.execute(
        sql: """
          UPDATE product SET kind = 'pizza' WHERE EXISTS (
            SELECT 1 FROM variant WHERE productId = product.id AND dough IS NOT NULL)
          """)
    case .split: try splitLabel(db)
    case .type:
      try db.alter(table: "variant") {
        $0.add(column: "price", .integer).notNull().defaults(to: 0)
      }
      try db.execute(sql: "UPDATE variant SET price = CAST(ROUND(amount * 100) AS INTEGER)")
      try db.alter(table: "variant") { $0.drop(column: "amount") }
    case .back:
      try db.alter(table: "product") { $0.add(column: "rating", .integer).defaults(to: 5) }
    }
  }

  private static func splitLabel(_ db: Database) throws {
    try db.alter(table: "product") {
      $0.add(column: "name", .text).notNull().defaults(to: "")
      $0.add(column: "details", .text).notNull().defaults(to: "")
    }
    try db.execute(
      sql: """
        UPDATE product SET
          name = iif(instr(label, ': '), substr(label, 1, instr(label, ': ') - 1), label),
          details = iif(instr(label, ': '), substr(label, instr(label, ': ') + 2), '')
        """)
    try db.alter(table: "product") { $0.drop(column: "label") }
  }

  /// Changes a store to that of the program on the other side of a change: an older one without the
  /// change's migration, or one that a newer program migrated.
  static func leave(_ database: any DatabaseWriter, across change: SchemaChange) throws {
    guard change == .back else { return try database.write { try undo(change, $0) } }
    var newer = migrator
    newer.registerMigration(identifier(of: change)) { try migrate($0, across: change) }
    try newer.migrate(database)
  }

  private static func undo(_ change: SchemaChange, _ db: Database) throws {
    // SQLite refuses to drop a column that an index uses.
    if change == .split { try NameKeys.dropIndex(db) }
    // The columns of these changes have the same names in `sqlite`.
    for statement in MenuSchema.away(across: change).columnStatements {
      try db.execute(sql: statement)
    }
    try db.execute(
      sql: "DELETE FROM grdb_migrations WHERE identifier = ?", arguments: [identifier(of: change)])
  }
}

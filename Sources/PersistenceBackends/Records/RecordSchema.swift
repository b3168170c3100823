import GRDB

/// The tables of the records, made by GRDB's migrations.
enum RecordSchema {
  /// What an app registers once and calls on every start.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("createMenu", migrate: createTables)
    return migrator
  }()

  /// Checks a database before anything of it is changed.
  ///
  /// - Throws: ``SQLiteFailure`` where migrations ran that we don't know, or where its tables are
  ///   others than ours.
  static func check(_ db: Database) throws {
    let tables = try Set(
      String.fetchAll(
        db,
        sql: """
          SELECT name FROM sqlite_master
          WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
          """))
    guard !tables.isEmpty else { return }
    let applied = try migrator.appliedIdentifiers(db)
    guard try !migrator.hasBeenSuperseded(db) else {
      let newer = applied.subtracting(migrator.migrations).sorted().joined(separator: ", ")
      throw SQLiteFailure("it was migrated by a newer program: \(newer)")
    }
    guard tables == expected(applied) else { throw refusal(tables, applied) }
  }

  private static func expected(_ applied: Set<String>) -> Set<String> {
    let ours = applied.isEmpty ? [] : MenuRecords.tables.map { $0.databaseTableName }
    return Set(ours + ["grdb_migrations"])
  }

  private static func refusal(_ tables: Set<String>, _ applied: Set<String>) -> SQLiteFailure {
    guard applied.isEmpty else {
      let odd = tables.symmetricDifference(expected(applied)).sorted().joined(separator: ", ")
      return SQLiteFailure("its tables are not those of its migrations: \(odd)")
    }
    return SQLiteFailure(
      "not a store of records: no migration, and the tables "
        + tables.sorted().joined(separator: ", "))
  }
}

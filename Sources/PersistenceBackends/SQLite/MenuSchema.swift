/// A version of the `sqlite` backend's schema.
///
/// The version decides one name: that of the column with the text under a product's name.
struct MenuSchema: Sendable {
  /// Kept in the database's `user_version`.
  let version: Int
  /// The column of the product's table.
  let detailsColumn: String

  /// From the first, which a new store gets, to the newest.
  static let all = [
    MenuSchema(version: 1, detailsColumn: "details"),
    MenuSchema(version: 2, detailsColumn: "description"),
    MenuSchema(version: 3, detailsColumn: "summary"),
  ]

  /// What each version's database is made of.
  static let stores = all.map(\.store)

  /// The schema of a version; throws ``SQLiteFailure`` where there is none.
  static func version(_ version: Int) throws -> MenuSchema {
    guard let schema = all.first(where: { $0.version == version }) else {
      throw SQLiteFailure("there is no schema \(version), only 1 to \(all.count)")
    }
    return schema
  }

  /// The schema that a store has by now.
  static func stored(in connection: some SQLConnection) throws -> MenuSchema {
    let text = try connection.texts("PRAGMA user_version").first ?? ""
    return try version(Int(text) ?? 0)
  }

  /// A table as this version has it.
  func table(_ table: Table) -> Table {
    guard table.name == ProductRow.table.name else { return table }
    return table.renaming("details", to: detailsColumn)
  }

  /// Makes a store of this schema one of another. To be called in a transaction.
  ///
  /// SQLite rewrites the table's declaration and no row (sqlite.org/lang_altertable.html).
  func change(to target: MenuSchema, in connection: some SQLConnection) throws {
    guard version != target.version else { return }
    let table = ProductRow.table.name
    try connection.run(
      "ALTER TABLE \(table) RENAME COLUMN \(detailsColumn) TO \(target.detailsColumn)")
    try connection.run("PRAGMA user_version = \(target.version)")
  }

  private var store: StoreSchema {
    // The first owner of such databases never wrote who it is.
    StoreSchema(
      content: "menu", owner: 0, version: version,
      creation: MenuRows.tables.flatMap { table($0.table).creation })
  }
}

/// The schema of an object store: makes it where there is none, refuses what isn't it.
enum ObjectSchema {
  /// Kept in the database's `user_version`; grows with every change of a table.
  static let version = 1

  /// Checks the store, sets the connection up and makes the tables where there are none; nothing of
  /// a store that is refused is changed.
  static func prepare(_ connection: some SQLConnection, _ durability: Durability) throws {
    let isMissing = try isMissing(in: connection)
    try StoreSettings(durability).apply(to: connection)
    if isMissing { try create(in: connection) }
  }

  private static var statements: [String] { ObjectGraph.tables.flatMap(\.table.creation) }

  private static func isMissing(in connection: some SQLConnection) throws -> Bool {
    let stored = try connection.texts("PRAGMA user_version").first ?? ""
    let found = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if stored == "0", found.isEmpty { return true }
    if let number = Int(stored), number > version {
      throw SQLiteFailure(
        "its schema is \(stored), newer than \(version), which this program knows")
    }
    let ours = Set(statements)
    guard stored == String(version), !ours.isDisjoint(with: found) else {
      let tables = found.isEmpty ? "no tables" : "the tables \(try names(in: connection))"
      throw SQLiteFailure("not an object store: schema \(stored) with \(tables)")
    }
    guard ours == Set(found) else {
      let known = ours.intersection(found).count
      throw SQLiteFailure(
        "its tables are not those of schema \(version): of \(ours.count) tables and indexes it has "
          + "\(known), and \(found.count - known) others")
    }
    return false
  }

  private static func names(in connection: some SQLConnection) throws -> String {
    try connection.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL ORDER BY name"
    ).joined(separator: ", ")
  }

  private static func create(in connection: some SQLConnection) throws {
    try connection.run("BEGIN IMMEDIATE")
    do {
      for statement in statements { try connection.run(statement) }
      try connection.run("PRAGMA user_version = \(version)")
      try connection.run("COMMIT")
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }
}

/// The schema of a store: makes it where there is none, refuses what isn't it.
enum StoreSchema {
  /// Kept in the database's `user_version`; grows with every change of a table.
  static let version = 1

  /// Checks a database before anything of it is changed.
  ///
  /// - Returns: whether it is empty and wants its tables.
  /// - Throws: ``SQLiteFailure`` where it is of another version or has other tables than ours.
  static func isMissing(in connection: some SQLConnection) throws -> Bool {
    let stored = try connection.texts("PRAGMA user_version").first ?? ""
    let objects = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if stored == "0", objects.isEmpty { return true }
    guard stored == String(version) else { throw refusal(stored, objects) }
    let foreign = Set(objects).symmetricDifference(statements)
    guard foreign.isEmpty else {
      throw SQLiteFailure(
        "its tables are not those of schema \(version): \(names(Array(foreign)))")
    }
    return false
  }

  /// Makes the tables, all or none.
  static func create(in connection: some SQLConnection) throws {
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

  private static var statements: [String] { MenuRows.tables.flatMap(\.table.creation) }

  private static func refusal(_ stored: String, _ objects: [String]) -> SQLiteFailure {
    if let stored = Int(stored), stored > version {
      return SQLiteFailure(
        "its schema is \(stored), newer than \(version), which this program knows")
    }
    let tables = objects.isEmpty ? "no tables" : "the tables \(names(objects))"
    return SQLiteFailure("not a menu store: schema \(stored) with \(tables)")
  }

  /// `CREATE TABLE name (…)` by its third word.
  private static func names(_ creations: [String]) -> String {
    let names = creations.compactMap { creation -> Substring? in
      let words = creation.split(maxSplits: 3) { $0 == " " || $0 == "(" || $0 == "\n" }
      return words.count > 2 ? words[2] : nil
    }
    return Set(names).sorted().joined(separator: ", ")
  }
}

extension SQLConnection {
  /// Checks the store, sets the connection up and makes the tables where there are none.
  func prepareStore(_ durability: Durability) throws {
    let isMissing = try StoreSchema.isMissing(in: self)
    try StoreSettings(durability).apply(to: self)
    if isMissing { try StoreSchema.create(in: self) }
  }
}

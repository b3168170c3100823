/// The schema of a document store: a row an entity, and an index of what patches look for.
///
/// Text functions of SQLite's JSON only: 3.40 has no JSONB. `json_extract` ends a text at its first
/// NUL (seen in 3.40.1), so names are taken as JSON, by `->`, which copies the text as it stands.
enum DocumentSchema {
  /// Kept in the database's `user_version`; grows with every change of a table.
  static let version = 1
  /// Kept in the database's `application_id`: `MBED` in ASCII.
  static let application = 0x4D42_4544

  /// Checks a database before anything of it is changed.
  ///
  /// - Returns: whether it is empty and wants its tables.
  /// - Throws: ``SQLiteFailure`` where it is of another version, another backend's or anybody's.
  static func isMissing(in connection: some SQLConnection) throws -> Bool {
    let owner = try connection.texts("PRAGMA application_id").first ?? ""
    let stored = try connection.texts("PRAGMA user_version").first ?? ""
    let objects = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if owner == "0", stored == "0", objects.isEmpty { return true }
    guard owner == String(application), let number = Int(stored), number >= version else {
      throw SQLiteFailure(
        "not a document store: application \(owner), schema \(stored), \(names(objects))")
    }
    guard number == version else {
      throw SQLiteFailure(
        "its schema is \(number), newer than \(version), which this program knows")
    }
    let foreign = Set(objects).symmetricDifference(statements)
    guard foreign.isEmpty else {
      throw SQLiteFailure("its tables are not those of schema \(version): \(names(foreign))")
    }
    return false
  }

  /// Makes the tables, all or none.
  static func create(in connection: some SQLConnection) throws {
    try connection.run("BEGIN IMMEDIATE")
    do {
      for statement in statements { try connection.run(statement) }
      try connection.run("PRAGMA application_id = \(application)")
      try connection.run("PRAGMA user_version = \(version)")
      try connection.run("COMMIT")
    } catch {
      try? connection.run("ROLLBACK")
      throw error
    }
  }

  /// Generated columns look at products alone: SQLite computes them for every row inserted, and
  /// nobody asks for a combo's.
  private static let statements = [
    """
    CREATE TABLE entity (place INTEGER PRIMARY KEY, kind INTEGER NOT NULL, id INTEGER NOT NULL, \
    position INTEGER NOT NULL, body TEXT NOT NULL, \
    name_key TEXT AS (CASE kind WHEN \(product) THEN name_key(body -> '$.name') END) VIRTUAL, \
    category_id INTEGER AS \
    (CASE kind WHEN \(product) THEN json_extract(body, '$.categoryID') END) VIRTUAL, \
    availability TEXT AS \
    (CASE kind WHEN \(product) THEN json_extract(body, '$.availability') END) VIRTUAL) STRICT
    """,
    "CREATE UNIQUE INDEX entity_key ON entity (kind, id, position)",
    "CREATE INDEX entity_name ON entity (name_key, id) WHERE kind = \(product)",
    "CREATE INDEX entity_shelf ON entity (category_id, availability) WHERE kind = \(product)",
    """
    CREATE TABLE holder (held INTEGER NOT NULL, id INTEGER NOT NULL, entity INTEGER NOT NULL, \
    PRIMARY KEY (held, id, entity)) STRICT, WITHOUT ROWID
    """,
  ]

  private static var product: UInt8 { EntityKind.product.rawValue }

  /// `the tables a, b` by the third words of `CREATE TABLE name (…)`.
  private static func names(_ creations: some Collection<String>) -> String {
    let names = creations.compactMap { creation in
      creation.split(maxSplits: 4) { $0 == " " || $0 == "(" || $0 == "\n" }
        .first { !["CREATE", "TABLE", "UNIQUE", "INDEX"].contains($0) }
    }
    return names.isEmpty
      ? "no tables" : "the tables \(Set(names).sorted().joined(separator: ", "))"
  }
}

import BackendKit
import GRDB

/// The properties that identify a backend's database: its owner, its version and its tables.
struct StoreSchema: Sendable {
  /// The content for error messages, such as `a menu`.
  let content: String
  /// The program that owns it, stored in `application_id`.
  let owner: Int
  /// Stored in `user_version`. Grows with every change of a table.
  let version: Int
  /// The statements that create its tables and their indexes.
  let creation: [String]
  /// The statements that upgrade a store to this program's schema, or none if it already
  /// has that schema.
  var upgrade: [String] = []

  /// Finds out which schema a database has, before anything is changed.
  ///
  /// - Parameter known: The schemas of one backend. The first is this program's, which an empty
  ///   database gets.
  /// - Returns: The schema, and the statements that must still be run to create it.
  /// - Throws: ``SQLiteFailure`` if the database has another version, belongs to another backend, or
  ///   has tables that differ from the schema's.
  static func find(
    among known: [StoreSchema], in connection: Database
  ) throws -> (schema: StoreSchema, missing: [String]) {
    let owner = try connection.texts("PRAGMA application_id").first ?? ""
    let version = try connection.texts("PRAGMA user_version").first ?? ""
    let objects = try connection.texts(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
    if owner == "0", version == "0", objects.isEmpty, let first = known.first {
      return (first, first.creation)
    }
    let ours = known.filter { String($0.owner) == owner }
    let alike = ours.filter { String($0.version) == version }
    // One version may have several schemas: an upgraded table is declared differently from a new one.
    for schema in alike where schema.difference(from: objects).isEmpty { return (schema, []) }
    guard let nearest = alike.first(where: { $0.shares(objects) }) else {
      let isOurs = ours.contains { objects.isEmpty || $0.shares(objects) }
      throw SQLiteFailure(refusal(version, objects, known.first, isOurs: isOurs))
    }
    let odd = names(Array(nearest.difference(from: objects)))
    throw SQLiteFailure("its tables are not those of schema \(nearest.version): \(odd)")
  }

  private func shares(_ objects: [String]) -> Bool { !Set(creation).isDisjoint(with: objects) }

  /// Runs the missing statements in one transaction and sets the owner and the version.
  func run(_ missing: [String], version: Int, in connection: Database) throws {
    try connection.execute(sql: "BEGIN IMMEDIATE")
    do {
      for statement in missing { try connection.execute(sql: statement) }
      try connection.execute(sql: "PRAGMA application_id = \(owner)")
      try connection.execute(sql: "PRAGMA user_version = \(version)")
      try connection.execute(sql: "COMMIT")
    } catch {
      try? connection.execute(sql: "ROLLBACK")
      throw error
    }
  }

  private func difference(from objects: [String]) -> Set<String> {
    Set(creation).symmetricDifference(objects)
  }

  private static func refusal(
    _ stored: String, _ objects: [String], _ ours: StoreSchema?, isOurs: Bool
  ) -> String {
    if isOurs, let ours, let stored = Int(stored), stored > ours.version {
      return "its schema is \(stored), newer than \(ours.version), which this program knows"
    }
    let tables = objects.filter { $0.hasPrefix("CREATE TABLE") }
    let found = tables.isEmpty ? "no tables" : "the tables \(names(tables))"
    return "not \(ours?.content ?? "a known") store: schema \(stored) with \(found)"
  }

  /// The names in `CREATE TABLE name (…)`, `CREATE UNIQUE INDEX name ON …` and similar statements.
  private static func names(_ creations: [String]) -> String {
    let names = creations.compactMap { creation in
      creation.split(maxSplits: 4) { $0 == " " || $0 == "(" || $0 == "\n" }
        .first { !["CREATE", "VIRTUAL", "TABLE", "UNIQUE", "INDEX"].contains($0) }
    }
    return Set(names).sorted().joined(separator: ", ")
  }
}

import Basics
import GRDB

enum HistorySchema {
  /// The newest version that this program knows (`user_version`).
  static let version = 1
  /// The application id of a history, `MBHi` (sqlite.org/pragma.html#pragma_application_id).
  static let owner = 0x4D42_4869

  /// A series is a key within a context, so that figures of one series are always comparable. Figures are
  /// in the order of series and time, so that the newest of a series are read without reading others.
  private static let creation = """
    CREATE TABLE context (
      id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE, facts TEXT NOT NULL);
    CREATE TABLE run (
      id INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE, began TEXT NOT NULL, revision TEXT,
      tags TEXT NOT NULL, figures INTEGER NOT NULL, context INTEGER NOT NULL REFERENCES context);
    CREATE INDEX run_by_time ON run (began);
    CREATE TABLE series (
      id INTEGER PRIMARY KEY, backend TEXT NOT NULL, menu TEXT NOT NULL, workload TEXT NOT NULL,
      durability TEXT NOT NULL, phase TEXT NOT NULL, metric TEXT NOT NULL, unit TEXT NOT NULL,
      better TEXT NOT NULL, exact INTEGER NOT NULL, fingerprint TEXT NOT NULL,
      context INTEGER NOT NULL REFERENCES context,
      UNIQUE (
        backend, menu, workload, durability, phase, metric, unit, better, exact, fingerprint,
        context));
    CREATE TABLE figure (
      series INTEGER NOT NULL REFERENCES series, began TEXT NOT NULL,
      run INTEGER NOT NULL REFERENCES run, p50 REAL NOT NULL, low REAL, high REAL,
      blocks INTEGER NOT NULL, samples INTEGER NOT NULL,
      PRIMARY KEY (series, began, run)) WITHOUT ROWID;
    PRAGMA application_id = \(owner);
    PRAGMA user_version = \(version);
    """

  /// Creates the tables of a new file. Refuses databases of other programs and of newer versions.
  static func prepare(_ connection: Database, at path: String, creating: Bool) throws {
    if try isEmpty(connection) {
      guard creating else { throw Refusal.notAHistory(path, "it is empty") }
      try connection.inTransaction(.immediate) {
        // Another process may have created the tables meanwhile.
        if try isEmpty(connection) { try connection.execute(sql: creation) }
        return .commit
      }
    }
    guard try number("PRAGMA application_id", connection) == owner else {
      throw Refusal.notAHistory(path, "it is a database of another program")
    }
    let found = try number("PRAGMA user_version", connection)
    guard found <= version else {
      throw Refusal(
        "\(path) has version \(found), and this program knows up to version \(version)",
        help: "use the newer program that made it")
    }
  }

  private static func isEmpty(_ connection: Database) throws -> Bool {
    try number("PRAGMA application_id", connection) == 0
      && number("PRAGMA user_version", connection) == 0
      && number("SELECT count(*) FROM sqlite_master", connection) == 0
  }

  private static func number(_ sql: String, _ connection: Database) throws -> Int {
    try Int.fetchOne(connection, sql: sql) ?? 0
  }
}

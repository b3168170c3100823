import Basics
import GRDB

enum HistorySchema {
  /// The newest version that this program knows (`user_version`).
  static let version = 2
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
    """

  /// What version 2 adds: the number of figures of each series, and a checksum of each run and figure that is
  /// added from then on.
  private static let checks = """
    ALTER TABLE run ADD COLUMN sum INTEGER;
    ALTER TABLE figure ADD COLUMN sum INTEGER;
    ALTER TABLE series ADD COLUMN figures INTEGER NOT NULL DEFAULT 0;
    UPDATE series SET figures = (SELECT count(*) FROM figure WHERE figure.series = series.id);
    CREATE TRIGGER count_figure AFTER INSERT ON figure BEGIN
      UPDATE series SET figures = figures + 1 WHERE id = new.series;
    END;
    PRAGMA user_version = \(version);
    """

  /// Creates the tables of a new file, and adds to an older one what it lacks. Refuses databases of other
  /// programs and of newer versions, and damaged ones.
  static func prepare(_ connection: Database, at path: String, creating: Bool) throws {
    let isNew = try isEmpty(connection)
    guard creating || !isNew else { throw Refusal.notAHistory(path, "it is empty") }
    guard try isNew || number("PRAGMA application_id", connection) == owner else {
      throw Refusal.notAHistory(path, "it is a database of another program")
    }
    let found = try number("PRAGMA user_version", connection)
    guard found <= version else {
      throw Refusal(
        "\(path) has version \(found), and this program knows up to version \(version)",
        help: "use the newer program that made it")
    }
    if !isNew { try check(connection, at: path) }
    guard found < version else { return }
    try connection.inTransaction(.immediate) {
      // Another process may have done it meanwhile.
      if try isEmpty(connection) { try connection.execute(sql: creation) }
      if try number("PRAGMA user_version", connection) < version {
        try connection.execute(sql: checks)
      }
      return .commit
    }
  }

  /// Refuses a file that was cut, and tables that contradict their indexes, which have most of their values
  /// again. The figures have no index. They are checked when they are read.
  private static func check(_ connection: Database, at path: String) throws {
    // In a transaction no other process changes the size.
    try connection.inTransaction(.deferred) {
      let pages = try number("PRAGMA page_count", connection)
      let size = try number("PRAGMA page_size", connection) * pages
      guard try length(ofFile: path) == size else {
        throw DatabaseError.damage("it should have \(size) bytes")
      }
      for table in ["context", "run", "series"] {
        let found = try String.fetchOne(connection, sql: "PRAGMA integrity_check(\(table))")
        guard found == "ok" else { throw DatabaseError.damage("a \(table) contradicts its index") }
      }
      return .commit
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

import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// The tables of a history.
enum HistorySchema {
  /// The newest version that this program knows (`user_version`).
  static let version = 1
  /// What tells a history from other databases: `MBHi` (sqlite.org/pragma.html#pragma_application_id).
  static let owner = 0x4D42_4869

  /// A series is a key within a context, so that what does not compare never lies in one; figures lie in the order of
  /// their series and its runs, so that the newest of one are read without a look at any other's.
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

  /// Makes the tables of a new file, and refuses one that is not ours or is newer than we are.
  static func prepare(_ connection: Database, at path: String, creating: Bool) throws {
    if try isEmpty(connection) {
      guard creating else {
        throw HistoryIndexError.notAHistory(path: path, reason: "it is empty")
      }
      try connection.inTransaction(.immediate) {
        // Another process may have been first.
        if try isEmpty(connection) { try connection.execute(sql: creation) }
        return .commit
      }
    }
    guard try number("application_id", connection) == owner else {
      throw HistoryIndexError.notAHistory(path: path, reason: "it is a database of something else")
    }
    let found = try number("user_version", connection)
    guard found <= version else {
      throw HistoryIndexError.newer(path: path, found: found, supported: version)
    }
  }

  private static func isEmpty(_ connection: Database) throws -> Bool {
    try number("application_id", connection) == 0 && number("user_version", connection) == 0
      && Int.fetchOne(connection, sql: "SELECT count(*) FROM sqlite_master") == 0
  }

  private static func number(_ pragma: String, _ connection: Database) throws -> Int {
    try Int.fetchOne(connection, sql: "PRAGMA \(pragma)") ?? 0
  }
}

/// Adds runs, within one transaction.
struct HistoryWriter {
  private let connection: Database
  private var known: [Place: Int64] = [:]

  /// A key within a context.
  private struct Place: Hashable {
    let key: HistoryKey
    let context: Int64
  }

  init(_ connection: Database) { self.connection = connection }

  /// - Returns: whether the run was not there yet.
  mutating func add(_ entry: HistoryEntry) throws -> Bool {
    let run = entry.run
    guard try find("SELECT id FROM run WHERE content = ?", [run.id]) == nil else { return false }
    let context = try id(of: entry.context)
    let tags = String(decoding: try JSONEncoder().encode(run.tags), as: UTF8.self)
    let runID = try insert(
      """
      INSERT INTO run (content, began, revision, tags, figures, context) VALUES (?, ?, ?, ?, ?, ?)
      """,
      [run.id, run.began.stored, run.revision?.stored, tags, entry.rows.count, context])
    for part in entry.parts {
      let measuredIn = try id(of: part.context)
      for row in part.rows {
        let series = try id(of: row.key, in: measuredIn)
        let (figure, interval) = (row.figure, row.figure.interval)
        // Names that differ in nothing but what cannot be stored would be one.
        try insert(
          "INSERT OR IGNORE INTO figure VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          [
            series, run.began.stored, runID, figure.p50, interval?.low, interval?.high,
            figure.blocks, figure.samples,
          ])
      }
    }
    return true
  }

  private func id(of context: HistoryContext) throws -> Int64 {
    let facts = try context.facts
    let content = HistoryReader.id(ofFacts: facts)
    return try find("SELECT id FROM context WHERE content = ?", [content])
      ?? insert("INSERT INTO context (content, facts) VALUES (?, ?)", [content, facts])
  }

  private mutating func id(of key: HistoryKey, in context: Int64) throws -> Int64 {
    let place = Place(key: key, context: context)
    if let id = known[place] { return id }
    let columns = HistoryReader.columns
    var values = StatementArguments(key.ids.map(\.stored))
    values += [
      key.metric.unit.rawValue, key.metric.better.rawValue, key.metric.isExact, key.menu.stored,
      context,
    ]
    let wanted = columns.map { "\($0) = ?" }.joined(separator: " AND ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let found =
      try find("SELECT id FROM series WHERE \(wanted)", values)
      ?? insert(
        "INSERT INTO series (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
    known[place] = found
    return found
  }

  private func find(_ sql: String, _ values: StatementArguments) throws -> Int64? {
    try SQLRequest<Int64>(sql: sql, arguments: values, cached: true).fetchOne(connection)
  }

  /// - Returns: the id of what was inserted.
  @discardableResult
  private func insert(_ sql: String, _ values: StatementArguments) throws -> Int64 {
    try connection.cachedStatement(sql: sql).execute(arguments: values)
    return connection.lastInsertedRowID
  }
}

extension String {
  /// The text as SQLite takes it, which ends at a NUL.
  fileprivate var stored: String { replacing("\0", with: "\u{FFFD}") }
}

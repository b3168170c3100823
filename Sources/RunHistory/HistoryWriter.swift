import Basics
import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// Adds runs to a history. The caller opens the transaction.
struct HistoryWriter {
  let connection: Database

  /// - Returns: whether the run was new.
  func add(_ entry: HistoryEntry) throws -> Bool {
    let run = entry.run
    guard try find("SELECT id FROM run WHERE content = ?", [run.id]) == nil else { return false }
    let context = try id(of: entry.context)
    let tags = String(decoding: try JSONEncoder().encode(run.tags), as: UTF8.self)
    // Names that differ only in what cannot be stored share a series, which keeps the first figure.
    let series = try entry.rows.map { try id(of: $0.key, in: context) }
    let (began, revision, count) = (run.began.stored, run.revision?.stored, Set(series).count)
    let sum = checksum([Double(count), Double(context)], [run.id, began, revision, tags])
    let runID = try insert(
      "INSERT INTO run VALUES (NULL, ?, ?, ?, ?, ?, ?, ?)",
      [run.id, began, revision, tags, count, context, sum])
    for (row, series) in zip(entry.rows, series) {
      let (figure, interval) = (row.figure, row.figure.interval)
      try insert(
        "INSERT OR IGNORE INTO figure VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          series, began, runID, figure.p50, interval?.low, interval?.high, figure.blocks,
          figure.samples, figure.sum(series, runID),
        ])
    }
    return true
  }

  private func id(of context: HistoryContext) throws -> Int64 {
    let facts = try context.facts
    let content = fnv1a(facts.utf8).hexadecimal
    return try find("SELECT id FROM context WHERE content = ?", [content])
      ?? insert("INSERT INTO context VALUES (NULL, ?, ?)", [content, facts])
  }

  private func id(of key: HistoryKey, in context: Int64) throws -> Int64 {
    let columns = """
      (backend, menu, workload, durability, phase, metric, unit, better, fingerprint, exact, context)
      """
    let marks = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    let texts = key.ids + [key.metric.unit.rawValue, key.metric.better.rawValue, key.menu]
    let values = StatementArguments(texts.map(\.stored)) + [key.metric.isExact, context]
    return try find("SELECT id FROM series WHERE \(columns) = \(marks)", values)
      ?? insert("INSERT INTO series \(columns) VALUES \(marks)", values)
  }

  private func find(_ sql: String, _ values: StatementArguments) throws -> Int64? {
    try SQLRequest<Int64>(sql: sql, arguments: values, cached: true).fetchOne(connection)
  }

  /// - Returns: the id of the inserted row.
  @discardableResult
  private func insert(_ sql: String, _ values: StatementArguments) throws -> Int64 {
    try connection.cachedStatement(sql: sql).execute(arguments: values)
    return connection.lastInsertedRowID
  }
}

extension String {
  /// The text with NUL characters replaced, because SQLite would end it there.
  fileprivate var stored: String { replacing("\0", with: "\u{FFFD}") }
}

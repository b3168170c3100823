import Basics
import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// What it takes to read figures of a history.
struct HistoryReader {
  /// Every series, in the order in which they came.
  let series: [StoredSeries]
  /// Every context, by the checksum of its facts.
  let contexts: [String: HistoryContext]
  private let runs: [Int64: StoredHistoryRun]
  private let newestRun: Int64

  init(_ connection: Database) throws {
    series = try StoredSeries.all(connection)
    contexts = try Self.contexts(connection)
    runs = try Self.runs(last: .max, connection)
    newestRun = runs.keys.max() ?? .max
  }

  /// The figures of a series, the newest first. By the table's own order, down from its end.
  static let newest = """
    SELECT run, p50, low, high, blocks, samples FROM figure WHERE series = ? ORDER BY began DESC
    """

  /// By what a context is known: a checksum of its facts.
  static func id(ofFacts facts: String) -> String { fnv1a(facts.utf8).hexadecimal }

  /// The newest figures of a series; nil of none. Those of runs that were added since are left out.
  func line(_ series: StoredSeries, last: Int?, _ connection: Database) throws -> HistoryLine? {
    let statement = try connection.cachedStatement(sql: Self.newest)
    let rows = try Row.fetchCursor(statement, arguments: [series.id])
    var points: [HistoryPoint] = []
    while let row = try rows.next() {
      let id: Int64 = try row.decode(atIndex: 0)
      guard let run = runs[id]?.run else {
        if id > newestRun { continue }
        throw DatabaseError.damage("a run is missing")
      }
      // Of one second all: which of them come last is not for the table to say.
      if let last, points.count >= last, points.last?.run.began != run.began { break }
      points.append(HistoryPoint(run: run, figure: try HistoryFigure(row)))
    }
    guard !points.isEmpty else { return nil }
    let ordered = points.reversed().sorted { $0.run.isOlder(than: $1.run) }
    return HistoryLine(
      key: series.key, context: series.context, points: Array(ordered.suffix(last ?? .max)))
  }

  private static func contexts(_ connection: Database) throws -> [String: HistoryContext] {
    let texts = try String.fetchAll(connection, sql: "SELECT facts FROM context")
    return try texts.reduce(into: [:]) { contexts, facts in
      contexts[id(ofFacts: facts)] = try HistoryContext(facts: scanned(facts))
    }
  }

  /// The newest runs by their numbers, with all that began in the same second as the oldest of them: which of these
  /// come last is not for the table to say.
  static func runs(last: Int, _ connection: Database) throws -> [Int64: StoredHistoryRun] {
    let contexts = try Self.contexts(connection)
    let rows = try Row.fetchCursor(
      connection,
      sql: """
        SELECT run.id, run.content, began, revision, tags, figures, context.content FROM run
        JOIN context ON context.id = run.context
        WHERE began >= coalesce((SELECT began FROM run ORDER BY began DESC LIMIT 1 OFFSET ?), '')
        """, arguments: [last - 1])
    var runs: [Int64: StoredHistoryRun] = [:]
    while let row = try rows.next() {
      guard let context = contexts[try row.decode(String.self, atIndex: 6)] else {
        throw DatabaseError.damage("a context is missing")
      }
      let (number, tags): (Int64, String) = (try row.decode(atIndex: 0), try row.decode(atIndex: 4))
      let run = HistoryRun(
        id: try row.decode(atIndex: 1), began: try row.decode(atIndex: 2),
        revision: try row.decode(String?.self, atIndex: 3),
        // Most runs have none, and there may be thousands.
        tags: tags == "{}"
          ? [:] : try JSONDecoder().decode([String: String].self, from: Data(scanned(tags).utf8)),
        side: context.side)
      runs[number] = StoredHistoryRun(
        run: run, context: context, figures: try row.decode(atIndex: 5))
    }
    return runs
  }

  /// A text that is JSON: Foundation's decoder traps on some that are not.
  private static func scanned(_ text: String) throws -> String {
    guard let fault = RunFile.fault(of: [UInt8](text.utf8)) else { return text }
    throw DatabaseError.damage("of a text in it, \(fault)")
  }
}

/// A row of `series`.
struct StoredSeries: FetchableRecord {
  let id: Int64
  let key: HistoryKey
  /// What its context is known by.
  let context: String

  /// What a series is of, in the order of the row.
  static let columns = [
    "backend", "menu", "workload", "durability", "phase", "metric", "unit", "better", "exact",
    "fingerprint", "context",
  ]

  /// Every series, in the order in which they came.
  static func all(_ connection: Database) throws -> [StoredSeries] {
    let names = columns.dropLast().joined(separator: ", ")
    return try fetchAll(
      connection,
      sql: """
        SELECT series.id, \(names), context.content FROM series
        JOIN context ON context.id = series.context ORDER BY series.id
        """)
  }

  init(row: Row) throws {
    let texts = try [1, 2, 3, 4, 5, 6, 7, 8, 10, 11].map {
      try row.decode(String.self, atIndex: $0)
    }
    guard let unit = BenchResults.Unit(rawValue: texts[6]),
      let better = Direction(rawValue: texts[7])
    else { throw DatabaseError.damage("a series has an unknown unit") }
    id = try row.decode(atIndex: 0)
    key = HistoryKey(
      cell: Cell(backend: texts[0], menu: texts[1], workload: texts[2], durability: texts[3]),
      phase: texts[4],
      metric: Metric(
        id: texts[5], unit: unit, better: better, isExact: try row.decode(atIndex: 9)),
      menu: texts[8])
    context = texts[9]
  }
}

extension HistoryFigure {
  /// A row of ``HistoryReader/newest``, behind the run.
  fileprivate init(_ row: Row) throws {
    let p50: Double = try row.decode(atIndex: 1)
    let ends = try [2, 3].map { try row.decode(Double?.self, atIndex: $0) }
    // Of infinite figures there is no chart.
    guard (ends + [p50]).allSatisfy({ (0...Series.most).contains($0 ?? 0) }) else {
      throw DatabaseError.damage("a figure is none: a value is from 0 to \(Series.most)")
    }
    let interval: Interval? =
      if let low = ends[0], let high = ends[1] { Interval(low: low, high: high) } else { nil }
    self.init(
      p50: p50, interval: interval, blocks: try row.decode(atIndex: 4),
      samples: try row.decode(atIndex: 5))
  }
}

extension DatabaseError {
  /// What is in a history contradicts itself.
  static func damage(_ reason: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
  }
}

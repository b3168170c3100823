import Basics
import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// What it takes to read figures of a history.
struct HistoryReader {
  /// Every series, in the order in which they came.
  let series: [StoredSeries]
  /// Every context, by what it is known by.
  let contexts: [String: HistoryContext]
  private let runs: [Int64: HistoryRun]
  private let newestRun: Int64

  init(_ connection: Database) throws {
    let contexts = try Self.contexts(connection)
    series = try Self.series(connection)
    self.contexts = contexts
    let stored = try StoredRun.fetchAll(connection, sql: StoredRun.selection)
    let numbered = stored.map { ($0.id, $0.run(in: contexts[$0.context])) }
    runs = Dictionary(numbered) { first, _ in first }
    newestRun = runs.keys.max() ?? .max
  }

  /// The figures of a series, the newest first. By the table's own order, down from its end.
  static let newest = """
    SELECT run, p50, low, high, blocks, samples FROM figure WHERE series = ? ORDER BY began DESC
    """

  /// What a series is of, in the order of ``StoredSeries``.
  static let columns = [
    "backend", "menu", "workload", "durability", "phase", "metric", "unit", "better", "exact",
    "fingerprint", "context",
  ]

  /// By what a context is known: a checksum of its facts.
  static func id(ofFacts facts: String) -> String { fnv1a(facts.utf8).hexadecimal }

  /// The newest figures of a series; nil of none. Those of runs that were added since are left out.
  func line(_ series: StoredSeries, last: Int?, _ connection: Database) throws -> HistoryLine? {
    let statement = try connection.cachedStatement(sql: Self.newest)
    let rows = try Row.fetchCursor(statement, arguments: [series.id])
    var points: [HistoryPoint] = []
    while let row = try rows.next() {
      let id = try row.decode(Int64.self, atIndex: 0)
      guard let run = runs[id] else {
        if id > newestRun { continue }
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a run is missing")
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

  /// Every series, in the order in which they came.
  static func series(_ connection: Database) throws -> [StoredSeries] {
    let names = columns.dropLast().joined(separator: ", ")
    return try StoredSeries.fetchAll(
      connection,
      sql: """
        SELECT series.id, \(names), context.content FROM series
        JOIN context ON context.id = series.context ORDER BY series.id
        """)
  }

  /// How many figures each series has, by its id.
  static func counts(_ connection: Database) throws -> [Int64: Int] {
    let rows = try Row.fetchAll(
      connection, sql: "SELECT series, count(*) FROM figure GROUP BY series")
    return try rows.reduce(into: [:]) { counts, row in
      counts[try row.decode(Int64.self, atIndex: 0)] = try row.decode(Int.self, atIndex: 1)
    }
  }

  /// Every context, by what it is known by.
  static func contexts(_ connection: Database) throws -> [String: HistoryContext] {
    let texts = try String.fetchAll(connection, sql: "SELECT facts FROM context")
    return try texts.reduce(into: [:]) { contexts, facts in
      contexts[id(ofFacts: facts)] = try HistoryContext(facts: scanned(facts))
    }
  }

  /// A text that is JSON: Foundation's decoder traps on some that are not.
  static func scanned(_ text: String) throws -> String {
    guard let fault = RunFile.fault(of: [UInt8](text.utf8)) else { return text }
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "of a text in it, \(fault)")
  }
}

/// A row of `series`.
struct StoredSeries: FetchableRecord {
  let id: Int64
  let key: HistoryKey
  /// What its context is known by.
  let context: String

  init(row: Row) throws {
    func text(_ index: Int) throws -> String { try row.decode(String.self, atIndex: index) }
    guard let unit = BenchResults.Unit(rawValue: try text(7)),
      let better = Direction(rawValue: try text(8))
    else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a series has an unknown unit")
    }
    id = try row.decode(Int64.self, atIndex: 0)
    key = HistoryKey(
      cell: Cell(
        backend: try text(1), menu: try text(2), workload: try text(3), durability: try text(4)),
      phase: try text(5),
      metric: Metric(
        id: try text(6), unit: unit, better: better,
        isExact: try row.decode(Bool.self, atIndex: 9)),
      menu: try text(10))
    context = try text(11)
  }
}

/// A row of `run`.
struct StoredRun: FetchableRecord {
  let id: Int64
  /// The run, without what its context says of it.
  private let run: HistoryRun
  /// What its context is known by.
  let context: String
  let figures: Int

  static let selection = """
    SELECT run.id, run.content, began, revision, tags, context.content, figures FROM run
    JOIN context ON context.id = run.context
    """

  init(row: Row) throws {
    let tags = try row.decode(String.self, atIndex: 4)
    id = try row.decode(Int64.self, atIndex: 0)
    run = HistoryRun(
      id: try row.decode(String.self, atIndex: 1), began: try row.decode(String.self, atIndex: 2),
      revision: try row.decode(String?.self, atIndex: 3),
      // Most runs have none, and there may be thousands.
      tags: tags == "{}"
        ? [:]
        : try JSONDecoder().decode(
          [String: String].self, from: Data(HistoryReader.scanned(tags).utf8)))
    context = try row.decode(String.self, atIndex: 5)
    figures = try row.decode(Int.self, atIndex: 6)
  }

  /// The run, with what its context says of it.
  func run(in context: HistoryContext?) -> HistoryRun {
    HistoryRun(
      id: run.id, began: run.began, revision: run.revision, tags: run.tags, side: context?.side)
  }
}

extension StoredHistoryRun {
  /// So many runs, the newest first.
  static func newest(_ last: Int, in connection: Database) throws -> [StoredHistoryRun] {
    let contexts = try HistoryReader.contexts(connection)
    // Of the oldest second among them all: which of those come last is not for the table to say.
    let oldest = "SELECT began FROM run ORDER BY began DESC LIMIT 1 OFFSET ?"
    let sql = StoredRun.selection + " WHERE began >= coalesce((\(oldest)), '')"
    let found = try StoredRun.fetchAll(connection, sql: sql, arguments: [last - 1]).map { stored in
      guard let context = contexts[stored.context] else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a context is missing")
      }
      return StoredHistoryRun(
        run: stored.run(in: context), context: context, figures: stored.figures)
    }
    return Array(found.sorted { $1.run.isOlder(than: $0.run) }.prefix(last))
  }
}

extension HistoryFigure {
  /// A row of ``HistoryReader/newest``, behind the run.
  fileprivate init(_ row: Row) throws {
    let p50 = try row.decode(Double.self, atIndex: 1)
    let low = try row.decode(Double?.self, atIndex: 2)
    let high = try row.decode(Double?.self, atIndex: 3)
    // Of infinite figures there is no chart.
    guard [p50, low ?? p50, high ?? p50].allSatisfy({ (0...Series.most).contains($0) }) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "a figure is none: a value is from 0 to \(Series.most)")
    }
    let interval: Interval? =
      if let low, let high { Interval(low: low, high: high) } else { nil }
    self.init(
      p50: p50, interval: interval, blocks: try row.decode(Int.self, atIndex: 4),
      samples: try row.decode(Int.self, atIndex: 5))
  }
}

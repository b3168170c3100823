import Basics
import BenchAnalysis
import BenchDocuments
import BenchResults
import Foundation
import GRDB

struct HistoryReader {
  let series: [StoredSeries]
  private let runs: [Int64: StoredHistoryRun]
  private let newestRun: Int64

  init(_ connection: Database) throws {
    series = try StoredSeries.all(connection)
    runs = try Self.runs(last: .max, connection)
    newestRun = runs.keys.max() ?? .max
  }

  /// The figures of a series, the newest first: the table's own order, read backwards.
  static let newest = """
    SELECT run, p50, low, high, blocks, samples, sum FROM figure WHERE series = ?
    ORDER BY began DESC, run DESC
    """
  /// The number of figures of a series, if the table has as many.
  private static let count = """
    SELECT figures FROM series
    WHERE id = ? AND figures = (SELECT count(*) FROM figure WHERE figure.series = series.id)
    """

  /// Returns the newest figures of a series, or nil if it has none. Runs added since then are left out.
  func line(
    _ series: StoredSeries, last: Int?, _ connection: Database
  ) throws -> (HistoryLine, HistoryContext)? {
    let statement = try connection.cachedStatement(sql: Self.newest)
    let rows = try Row.fetchCursor(statement, arguments: [series.id])
    var points: [HistoryPoint] = []
    var context: HistoryContext?
    var found = 0
    var later: (String, Int64)?
    while let row = try rows.next() {
      found += 1
      let id: Int64 = try row.decode(atIndex: 0)
      let figure = try HistoryFigure(row)
      try DatabaseError.check(
        row.decode(Int64?.self, atIndex: 6), is: figure.sum(series.id, id))
      guard let stored = runs[id] else {
        if id > newestRun { continue }
        throw DatabaseError.damage("a run is missing")
      }
      let place = (stored.run.began, id)
      if let later, place >= later { throw DatabaseError.damage("figures are out of order") }
      // Read all runs of one second, because the table's order does not decide which of them come last.
      if let last, points.count >= last, let later, later.0 != place.0 { break }
      later = place
      points.append(HistoryPoint(run: stored.run, figure: figure))
      context = stored.context
    }
    let counted = SQLRequest<Int>(sql: Self.count, arguments: [series.id], cached: true)
    guard let all = try counted.fetchOne(connection), found == all || points.count >= last ?? .max
    else { throw DatabaseError.damage("a figure is missing") }
    let ordered = points.reversed().sorted { $0.run.isOlder(than: $1.run) }
    let line = HistoryLine(
      key: series.key, context: series.context, points: ordered.suffix(last ?? .max))
    return context.map { (line, $0) }
  }

  /// Returns the newest runs by row id, and all others of the same second as the oldest of them.
  /// The table's order does not decide which of these come last.
  static func runs(last: Int, _ connection: Database) throws -> [Int64: StoredHistoryRun] {
    var contexts: [Int64: HistoryContext] = [:]
    for row in try Row.fetchAll(connection, sql: "SELECT id, facts, content FROM context") {
      let facts = try scanned(try row.decode(atIndex: 1))
      let content: String = try row.decode(atIndex: 2)
      guard content == fnv1a(facts.utf8).hexadecimal else { throw DatabaseError.wrongSum }
      contexts[try row.decode(atIndex: 0)] = try HistoryContext(facts: facts)
    }
    let rows = try Row.fetchCursor(
      connection,
      sql: """
        SELECT * FROM run
        WHERE began >= coalesce((SELECT began FROM run ORDER BY began DESC LIMIT 1 OFFSET ?), '')
        """, arguments: [last - 1])
    var runs: [Int64: StoredHistoryRun] = [:]
    while let row = try rows.next() {
      let place: Int64 = try row.decode(forColumn: "context")
      guard let context = contexts[place] else {
        throw DatabaseError.damage("a context is missing")
      }
      let tags: String = try row.decode(forColumn: "tags")
      let figures: Int = try row.decode(forColumn: "figures")
      let run = HistoryRun(
        id: try row.decode(forColumn: "content"), began: try row.decode(forColumn: "began"),
        revision: try row.decode(String?.self, forColumn: "revision"),
        // Most runs have no tags, and there may be thousands of runs.
        tags: tags == "{}"
          ? [:] : try JSONDecoder().decode([String: String].self, from: Data(scanned(tags).utf8)),
        side: context.side)
      try DatabaseError.check(
        row.decode(Int64?.self, forColumn: "sum"),
        is: checksum([Double(figures), Double(place)], [run.id, run.began, run.revision, tags]))
      runs[try row.decode(forColumn: "id")] = StoredHistoryRun(
        run: run, context: context, figures: figures)
    }
    return runs
  }

  /// Checks that a text is JSON, because Foundation's decoder traps on some texts that are not.
  private static func scanned(_ text: String) throws -> String {
    guard let fault = RunFile.fault(of: [UInt8](text.utf8)) else { return text }
    throw DatabaseError.damage("a text in it is invalid: \(fault)")
  }
}

/// A row of `series`. The columns of its cell and its metric have the names of the keys in `run.json`.
struct StoredSeries: FetchableRecord, Decodable {
  let id: Int64
  let key: HistoryKey
  /// The checksum of the context's facts.
  let context: String
  let figures: Int

  /// Returns every series, in the order of insertion.
  static func all(_ connection: Database) throws -> [StoredSeries] {
    try fetchAll(
      connection,
      sql: """
        SELECT series.*, content FROM series JOIN context ON context.id = series.context
        ORDER BY series.id
        """)
  }

  private enum CodingKeys: CodingKey { case id, phase, fingerprint, content, figures }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    id = try values.decode(Int64.self, forKey: .id)
    key = HistoryKey(
      cell: try Cell(from: decoder), phase: try values.decode(String.self, forKey: .phase),
      metric: try Metric(from: decoder),
      menu: try values.decode(String.self, forKey: .fingerprint))
    context = try values.decode(String.self, forKey: .content)
    figures = try values.decode(Int.self, forKey: .figures)
  }
}

extension HistoryFigure {
  /// Reads a row of ``HistoryReader/newest``, after the run.
  fileprivate init(_ row: Row) throws {
    let p50: Double = try row.decode(atIndex: 1)
    let low: Double? = try row.decode(atIndex: 2)
    let high: Double? = try row.decode(atIndex: 3)
    // Infinite figures cannot be charted.
    guard [p50, low, high].allSatisfy({ (0...Series.most).contains($0 ?? 0) }) else {
      throw DatabaseError.damage("a figure is not a number from 0 to \(Series.most)")
    }
    let interval: Interval? = if let low, let high { Interval(low: low, high: high) } else { nil }
    self.init(
      p50: p50, interval: interval, blocks: try row.decode(atIndex: 4),
      samples: try row.decode(atIndex: 5))
  }

  /// Returns a checksum of the figure and its place.
  func sum(_ series: Int64, _ run: Int64) -> Int64 {
    let counts: [Double?] = [Double(series), Double(run), Double(blocks), Double(samples)]
    return checksum(counts + [p50, interval?.low, interval?.high])
  }
}

/// Returns a checksum of a row, of 32 bits. SQLite stores -0 as 0. A sum with 0 makes it 0 here, too.
func checksum(_ numbers: [Double?], _ texts: [String?] = []) -> Int64 {
  var sum = Checksum()
  for number in numbers { sum.add(number.map { $0 + 0 }) }
  for text in texts { sum.add(text) }
  return Int64(Int32(truncatingIfNeeded: sum.value))
}

extension DatabaseError {
  /// Returns the error for a history that contradicts itself.
  static func damage(_ reason: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: reason)
  }

  static var wrongSum: DatabaseError { damage("a checksum is wrong") }

  /// Checks a row's checksum, which rows of version 1 lack.
  static func check(_ sum: Int64?, is right: Int64) throws {
    guard sum ?? right == right else { throw wrongSum }
  }
}

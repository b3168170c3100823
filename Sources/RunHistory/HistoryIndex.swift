import Basics
import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// The figures of all runs in one SQLite file: each figure's median and interval, but not its
/// samples. Ten thousand runs of 289 series take 140 MB, and a series is read by its key alone.
package final class HistoryIndex: Sendable {
  package let path: String
  private let queue: DatabaseQueue

  /// Opens a history.
  ///
  /// - Parameters:
  ///   - creating: whether to create the file and its folder if they do not exist.
  ///   - timeLimit: how many seconds an operation waits for another process that is writing.
  /// - Throws: `Refusal`.
  package init(_ path: String, creating: Bool = false, timeLimit: Double = 3) throws {
    self.path = path
    // SQLite treats an empty name and `:memory:` as a database that vanishes with the process.
    let file = path.hasPrefix("/") ? path : "./" + path
    var configuration = Configuration()
    configuration.busyMode = .timeout(timeLimit)
    queue = try Refusal.wording(path) {
      if creating {
        try makeFolder(TemporarySibling.folder(of: file))
      } else if access(path, F_OK) != 0 {
        guard errno == ENOENT else { throw Refusal.unusable(path, errnoMessage()) }
        throw Refusal(
          "there is no history at \(path)", help: "start one: bench history add",
          kind: .nothingToCompare)
      }
      let queue = try DatabaseQueue(path: file, configuration: configuration)
      try queue.writeWithoutTransaction {
        try HistorySchema.prepare($0, at: path, creating: creating)
      }
      return queue
    }
  }

  /// Reads in one transaction.
  private func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try Refusal.wording(path) { try queue.read(body) }
  }

  /// Adds the runs that are not there yet, all of them or none on an error.
  ///
  /// - Returns: the number of runs added.
  package func add(_ entries: [HistoryEntry]) throws -> Int {
    try Refusal.wording(path) {
      try queue.write { connection in
        try entries.count { try HistoryWriter(connection: connection).add($0) }
      }
    }
  }

  package func count() throws -> Int {
    try reading { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") ?? 0 }
  }

  /// Returns the newest runs, the newest one first.
  package func runs(last: Int) throws -> [StoredHistoryRun] {
    let found = try reading { try HistoryReader.runs(last: last, $0).values }
    return Array(found.sorted { $1.run.isOlder(than: $0.run) }.prefix(last))
  }

  /// Returns the keys of all series, in the order of their insertion.
  package func keys() throws -> [HistoryKey] {
    try reading { try StoredSeries.all($0).map(\.key).distinct }
  }

  /// Returns the number of figures of each series.
  package func figures() throws -> [(key: HistoryKey, figures: Int)] {
    try reading { try StoredSeries.all($0).map { (key: $0.key, figures: $0.figures) } }
  }

  /// Returns the newest figures of the wanted series, or all of their figures if `last` is nil.
  package func content(
    last: Int? = nil, where wanted: (HistoryKey) -> Bool
  ) throws -> HistoryContent {
    var content = HistoryContent()
    try read(last: last, where: wanted) { line, context in
      content.lines.append(line)
      content.contexts[line.context] = context
    }
    return content
  }

  /// Passes the newest figures of the wanted series to a closure, one series after the other, so that
  /// they need not fit into memory. Others can add runs meanwhile. Those runs are not included.
  package func read(
    last: Int? = nil, where wanted: (HistoryKey) -> Bool,
    _ body: (HistoryLine, HistoryContext) throws -> Void
  ) throws {
    let reader = try reading { try HistoryReader($0) }
    for series in reader.series where wanted(series.key) {
      let found = try reading { try reader.line(series, last: last, $0) }
      if let (line, context) = found { try body(line, context) }
    }
  }
}

extension Refusal {
  static func notAHistory(_ path: String, _ reason: String) -> Self {
    Self("\(path) is not a history: \(reason)", help: "give a history's file with --index")
  }

  private static func damaged(_ path: String, _ reason: String) -> Self {
    Self(
      "\(path) is damaged: \(reason)",
      help: "move it away, and add the runs again: bench history add")
  }

  fileprivate static func unusable(_ path: String, _ reason: String) -> Self {
    Self("\(path) cannot be used: \(reason)", help: "choose another place with --index")
  }

  /// Runs an operation and converts the errors of GRDB and of the system to `Refusal`.
  static func wording<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as POSIXError {
      throw unusable(path, systemReason(error))
    } catch is RowDecodingError {
      throw damaged(path, "a value is missing, or of another type")
    } catch let error as DecodingError {
      throw damaged(
        path, error.place.isEmpty ? "a text in it is not a record of bench" : error.briefly)
    } catch let error as DatabaseError {
      let reason = error.message ?? "SQLite \(error.resultCode.rawValue)"
      throw switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        Self(
          "\(path) is locked: another process is writing to it",
          help: "try again once it is done")
      case .SQLITE_NOTADB: notAHistory(path, "it is not an SQLite database")
      // One of our tables or columns is missing or different.
      case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
        damaged(path, reason)
      default: unusable(path, reason)
      }
    }
  }
}

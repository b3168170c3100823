import Basics
import BenchAnalysis
import BenchResults
import Foundation
import GRDB

/// What all runs came to, in one SQLite file: every figure's middle, never its samples, so that ten thousand runs of
/// 289 series are 140 MB and a series is read by its key alone.
package final class HistoryIndex: Sendable {
  package let path: String
  private let queue: DatabaseQueue

  /// Opens a history.
  ///
  /// - Parameters:
  ///   - creating: whether it is made, and its folder, where it is not there.
  ///   - patience: seconds that an operation waits for another process that is writing.
  /// - Throws: `Refusal`.
  package init(_ path: String, creating: Bool = false, patience: Double = 3) throws {
    self.path = path
    // SQLite would take no name at all, or `:memory:`, for a database that goes with the process.
    let file = path.hasPrefix("/") ? path : "./" + path
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    queue = try Refusal.wording(path) {
      if creating {
        try makeFolder(AsideFile.folder(of: file))
      } else if access(path, F_OK) != 0 {
        guard errno == ENOENT else { throw Refusal.unusable(path, errnoMessage()) }
        throw Refusal(
          "there is no history at \(path)", help: "begin one: bench history add",
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

  /// Adds runs that are not there yet, all of them or none.
  ///
  /// - Returns: how many were not.
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

  /// The runs, those of the newest first.
  package func runs(last: Int) throws -> [StoredHistoryRun] {
    let found = try reading { try HistoryReader.runs(last: last, $0).values }
    return Array(found.sorted { $1.run.isOlder(than: $0.run) }.prefix(last))
  }

  /// What there are series of, in the order in which they came.
  package func keys() throws -> [HistoryKey] {
    try reading { try StoredSeries.all($0).map(\.key).distinct }
  }

  /// How many figures there are of each.
  package func figures() throws -> [HistoryKey: Int] {
    try reading { connection in
      try StoredSeries.all(connection).reduce(into: [:]) { figures, series in
        let count = SQLRequest<Int>(
          sql: "SELECT count(*) FROM figure WHERE series = ?", arguments: [series.id], cached: true)
        figures[series.key, default: 0] += try count.fetchOne(connection) ?? 0
      }
    }
  }

  /// The newest figures of some series; all of them where nobody says how many.
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

  /// Goes through the newest figures of some series, one series after the other: more of them than fit in memory. Nobody
  /// who adds a run meanwhile waits for what is done with them; that run is not among them.
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
    Self("\(path) is not a history: \(reason)", help: "give the file of one with --index")
  }

  private static func damaged(_ path: String, _ reason: String) -> Self {
    Self(
      "\(path) is damaged: \(reason)",
      help: "move it away, and begin another from the runs: bench history add")
  }

  fileprivate static func unusable(_ path: String, _ reason: String) -> Self {
    Self("\(path) cannot be used: \(reason)", help: "choose another place with --index")
  }

  /// Runs an operation; what GRDB and the system throw becomes an error of ours.
  static func wording<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as POSIXError {
      throw unusable(path, systemReason(error))
    } catch is RowDecodingError {
      throw damaged(path, "a value is missing, or of another type")
    } catch let error as DecodingError {
      throw damaged(
        path, error.place.isEmpty ? "a text in it is no record of ours" : error.briefly)
    } catch let error as DatabaseError {
      let reason = error.message ?? "SQLite \(error.resultCode.rawValue)"
      throw switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED:
        Self(
          "\(path) is locked: another process is writing to it",
          help: "try again once it is done")
      case .SQLITE_NOTADB: notAHistory(path, "it is no SQLite database")
      // A table or a column of ours that is not there, or is another.
      case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
        damaged(path, reason)
      default: unusable(path, reason)
      }
    }
  }
}

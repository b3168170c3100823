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
  /// - Throws: ``HistoryIndexError``.
  package init(_ path: String, creating: Bool = false, patience: Double = 3) throws {
    self.path = path
    if creating {
      try Self.makeFolder(of: path)
    } else if access(path, F_OK) != 0 {
      throw errno == ENOENT
        ? HistoryIndexError.missing(path: path)
        : HistoryIndexError.unusable(path: path, reason: errnoMessage())
    }
    // SQLite would take no name at all, or `:memory:`, for a database that goes with the process.
    let file = path.hasPrefix("/") ? path : "./" + path
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    queue = try HistoryIndexError.wording(path) {
      let queue = try DatabaseQueue(path: file, configuration: configuration)
      try queue.writeWithoutTransaction {
        try HistorySchema.prepare($0, at: path, creating: creating)
      }
      return queue
    }
  }

  private static func makeFolder(of path: String) throws {
    guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return }
    do {
      try Basics.makeFolder(String(path[..<end]))
    } catch {
      throw HistoryIndexError.unusable(path: path, reason: systemReason(error))
    }
  }

  /// Reads in one transaction.
  private func reading<Result>(_ body: (Database) throws -> Result) throws -> Result {
    try HistoryIndexError.wording(path) { try queue.read(body) }
  }
}

extension HistoryIndex {
  /// Adds runs that are not there yet, all of them or none.
  ///
  /// - Returns: how many were not.
  package func add(_ entries: [HistoryEntry]) throws -> Int {
    try HistoryIndexError.wording(path) {
      try queue.write { connection in
        let writer = HistoryWriter(connection: connection)
        return try entries.count { try writer.add($0) }
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
      let series = try StoredSeries.all(connection)
      let keys = Dictionary(uniqueKeysWithValues: series.map { ($0.id, $0.key) })
      let counts = try Row.fetchAll(
        connection, sql: "SELECT series, count(*) FROM figure GROUP BY series")
      return try counts.reduce(into: [:]) { figures, row in
        guard let key = keys[try row.decode(Int64.self, atIndex: 0)] else { return }
        figures[key, default: 0] += try row.decode(Int.self, atIndex: 1)
      }
    }
  }

  /// The newest figures of some series; all of them where nobody says how many.
  package func content(
    last: Int? = nil, where wanted: (HistoryKey) -> Bool
  ) throws -> HistoryContent {
    try reading { connection in
      let reader = try HistoryReader(connection)
      return HistoryContent(
        contexts: reader.contexts,
        lines: try reader.series.filter { wanted($0.key) }.compactMap {
          try reader.line($0, last: last, connection)
        })
    }
  }

  /// Goes through all figures of some series, one series after the other: more of them than fit in memory. Nobody who
  /// adds a run meanwhile waits for what is done with them; that run is not among them.
  package func read(
    where wanted: (HistoryKey) -> Bool, _ body: (HistoryLine, HistoryContext) throws -> Void
  ) throws {
    let reader = try reading { try HistoryReader($0) }
    for series in reader.series where wanted(series.key) {
      let line = try reading { try reader.line(series, last: nil, $0) }
      guard let line else { continue }
      guard let context = reader.contexts[line.context] else {
        throw HistoryIndexError.damaged(path: path, reason: "a context is missing")
      }
      try body(line, context)
    }
  }
}

/// Why a history could not be used.
package enum HistoryIndexError: Error, Equatable {
  case missing(path: String)
  /// Another process has it, for longer than we wait.
  case locked(path: String)
  /// What is in it contradicts itself.
  case damaged(path: String, reason: String)
  case notAHistory(path: String, reason: String)
  case newer(path: String, found: Int, supported: Int)
  /// The system, or SQLite, does not let us.
  case unusable(path: String, reason: String)

  /// Runs an operation; what GRDB throws becomes an error of ours.
  static func wording<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw Self(error, path)
    } catch is RowDecodingError {
      throw Self.damaged(path: path, reason: "a value is missing, or of another type")
    } catch let error as DecodingError {
      let reason = error.place.isEmpty ? "a text in it is no record of ours" : error.briefly
      throw Self.damaged(path: path, reason: reason)
    }
  }

  private init(_ error: DatabaseError, _ path: String) {
    let reason = error.message ?? "SQLite \(error.resultCode.rawValue)"
    self =
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
      case .SQLITE_NOTADB: .notAHistory(path: path, reason: "it is no SQLite database")
      // A table or a column of ours that is not there, or is another.
      case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
        .damaged(path: path, reason: reason)
      default: .unusable(path: path, reason: reason)
      }
  }
}

extension HistoryIndexError: UserFacingError {
  package var message: String {
    switch self {
    case .missing(let path): "there is no history at \(path)"
    case .locked(let path): "\(path) is locked: another process is writing to it"
    case .damaged(let path, let reason): "\(path) is damaged: \(reason)"
    case .notAHistory(let path, let reason): "\(path) is not a history: \(reason)"
    case .newer(let path, let found, let supported):
      "\(path) has version \(found), this program knows up to version \(supported)"
    case .unusable(let path, let reason): "\(path) cannot be used: \(reason)"
    }
  }

  package var help: String? {
    switch self {
    case .missing: "begin one: bench history add"
    case .locked: "try again once it is done"
    case .damaged: "move it away, and begin another from the runs: bench history add"
    case .notAHistory: "give the file of one with --index"
    case .newer: "use the newer program that made it"
    case .unusable: "choose another place with --index"
    }
  }

  package var kind: FailureKind {
    if case .missing = self { .nothingToCompare } else { .failed }
  }
}

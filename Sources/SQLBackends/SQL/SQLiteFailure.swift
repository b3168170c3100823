import BackendKit
import Basics
import Foundation
import GRDB
import GRDBSQLite

/// Why a database could not be used; becomes a ``StoreError`` where its path is known.
struct SQLiteFailure: Error {
  /// What is wrong.
  let reason: String
  /// SQLite's extended result code; nil where the failure is of our own finding.
  let code: Int32?

  /// What we found wrong.
  init(_ reason: String) {
    self.reason = reason
    code = nil
  }

  /// What SQLite said on a connection, with its extended result code.
  init(code: Int32, on connection: OpaquePointer?) {
    self.init(code: code, message: connection.flatMap(sqlite3_errmsg).map { String(cString: $0) })
  }

  /// A GRDB error, in the same words.
  init(_ error: DatabaseError) {
    self.init(code: error.extendedResultCode.rawValue, message: error.message)
  }

  /// A store that no menu or document was put in.
  static var nothingWritten: Self { Self("nothing was written") }

  private init(code: Int32, message: String?) {
    let text = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "failed"
    // Of what we bind to such a column only NaN becomes NULL (sqlite.org/floatingpoint.html).
    let cause = code == notNull ? "; SQLite keeps NaN as NULL: the number is not finite" : ""
    reason = "\(text) (SQLite \(code))\(cause)"
    self.code = code
  }

  /// The failure with what was being done; a lock is blamed on who holds it.
  ///
  /// - Parameter patience: How long the connection waits for a lock, in milliseconds. What comes
  ///   after that wait is the plain code; an extended one, such as SQLITE_BUSY_SNAPSHOT, comes at
  ///   once, where waiting is no help (sqlite.org/rescode.html#busy_snapshot).
  func error(_ operation: String, _ path: String, patience: Int) -> StoreError {
    if code == SQLITE_TOOBIG {
      return StoreError(
        operation: operation, path: path,
        reason: "a row is longer than SQLite takes (SQLITE_LIMIT_LENGTH): \(reason)")
    }
    guard code == SQLITE_BUSY else {
      return StoreError(operation: operation, path: path, reason: reason)
    }
    let holder = LockHolders(of: StoreFiles(path: path)).description
    return StoreError(
      operation: operation, path: path,
      reason: "\(holder) holds it, gave up after \(patience) ms: \(reason)")
  }
}

/// `SQLITE_CONSTRAINT_NOTNULL`, a macro that Swift does not import.
private let notNull = SQLITE_CONSTRAINT | 5 << 8

extension SQLiteFailure {
  /// What `PRAGMA foreign_key_check` found: a row, by its rowid where it has one, that names none.
  init(danglingIn child: String, row: Int?, parent: String) {
    let place = row.map { "\(child) \($0)" } ?? "a row of \(child)"
    self.init("FOREIGN KEY constraint failed: \(place) names a row that is not in \(parent)")
  }
}

/// Runs an operation on a database; what SQLite or GRDB throw becomes a ``StoreError``.
func storing<Result>(
  _ operation: String, _ path: String, patience: Int, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let failure as SQLiteFailure {
    throw failure.error(operation, path, patience: patience)
  } catch let error as DatabaseError {
    throw SQLiteFailure(error).error(operation, path, patience: patience)
  } catch let error as RowDecodingError {
    // What follows is the whole row.
    let facts = "\(error)".split(separator: ", row: ", maxSplits: 1).first ?? ""
    throw SQLiteFailure(String(facts)).error(operation, path, patience: patience)
  } catch let error as DecodingError {
    throw SQLiteFailure("a record can't be decoded: \(error.brieflyUnscanned)")
      .error(operation, path, patience: patience)
  }
}

/// The files that SQLite keeps for one database.
struct StoreFiles {
  let path: String

  /// The files that are there.
  func identities() throws -> [FileIdentity] {
    try ["", "-wal", "-shm", "-journal"].compactMap { try FileIdentity.find(path + $0) }
  }
}

/// Who holds locks on files, by the list that Linux keeps (proc_locks(5)); no other system has one.
///
/// The files are not opened: closing one would drop this process's own locks on it ("POSIX advisory
/// locks canceled" in sqlite.org/howtocorrupt.html).
struct LockHolders {
  private let processes: [Int32]
  private let own: Int32

  /// Of the files of a database as they are now.
  init(of files: StoreFiles) {
    let table = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    let own = ProcessInfo.processInfo.processIdentifier
    self.init(table: table, files: (try? files.identities()) ?? [], own: own)
  }

  /// Of files, by a list of locks. Who may write comes before who only reads.
  init(table: String, files: [FileIdentity], own: Int32) {
    let locks = table.split(separator: "\n").compactMap(Lock.init).filter { lock in
      files.contains { $0.number == lock.file && $0.device == lock.device }
    }
    let writers = locks.filter(\.isExclusive)
    processes = (writers.isEmpty ? locks : writers).map(\.process)
    self.own = own
  }

  /// Names the other process, or this one where only it has locks.
  var description: String {
    if let other = processes.first(where: { $0 != own }) {
      return "process \(other)\(Self.name(of: other))"
    }
    return processes.isEmpty ? "another connection" : "another connection of this process"
  }

  private static func name(of process: Int32) -> String {
    guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8) else {
      return ""
    }
    return " (\(name.trimmingCharacters(in: .newlines)))"
  }
}

/// A line of the list: `1: POSIX  ADVISORY  WRITE 4711 fe:00:16228388 120 120`.
private struct Lock {
  let process: Int32
  let isExclusive: Bool
  let device: UInt64
  let file: UInt64

  /// nil for what waits for a lock and for what is written in another way.
  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count == 8, let process = Int32(fields[4]) else { return nil }
    let place = fields[5].split(separator: ":")
    guard place.count == 3, let major = UInt64(place[0], radix: 16),
      let minor = UInt64(place[1], radix: 16), let file = UInt64(place[2])
    else { return nil }
    self.process = process
    isExclusive = fields[3] == "WRITE"
    device = Self.device(major, minor)
    self.file = file
  }

  /// The number that stat(2) gives: gnu_dev_makedev(3).
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }
}

import BackendKit
import Basics
import CLMDB
import Foundation

/// An open LMDB environment: the map of `data.mdb` in a folder, its one database and its locks.
///
/// LMDB does not allow a process to open an environment twice, so ``LMDBEnvironments`` shares it.
final class LMDBEnvironment: @unchecked Sendable {
  private let folder: String
  let content: LMDBMarker
  private let handle: OpaquePointer
  private let database: MDB_dbi
  private let file: Int32
  private let gate = LMDBGate()
  private let writer: LMDBWriterLock

  /// Opens or creates the environment of a folder. LMDB checks only the two meta pages of its file.
  /// Damage in other pages can end the process.
  ///
  /// Flags (lmdb.h): NOTLS, because any thread may use a reader. Each write sets how its commit is
  /// flushed. WRITEMAP is not set, because a full disk would then end the process.
  init(
    folder: String, content: LMDBMarker, mapSize: Int, wait: TimeInterval
  ) throws {
    self.folder = folder
    self.content = content
    let length = try LMDBMap.fileLength(in: folder)
    let opened = try Self.open(folder, LMDBMap.size(for: length, atLeast: mapSize))
    handle = opened
    do {
      var found: Int32 = -1
      try LMDBFailure.check(mdb_env_get_fd(opened, &found))
      file = found
      // Readers that were killed would keep LMDB from reusing pages (lmdb.h).
      try LMDBFailure.check(mdb_reader_check(opened, nil))
      writer = LMDBWriterLock(descriptor: found, wait: wait)
      database = try gate.adopting(opened) { try LMDBEnvironment.database(in: opened) }
      try sign()
    } catch {
      mdb_env_close(opened)
      throw error
    }
  }

  /// Unmaps the file. No transaction may be running.
  func close() { mdb_env_close(handle) }

  /// Runs reads on the last committed state.
  func read<Result>(_ body: (inout LMDBTransaction) throws -> Result) throws -> Result {
    try gate.adopting(handle) { try transact(UInt32(MDB_RDONLY), body) }
  }

  /// Runs reads and writes and commits them. An error leaves the store unchanged. If the map is full,
  /// frees the pages of killed readers or, if there are none, enlarges the map, and runs the body again.
  func write<Result>(
    _ durability: Durability, _ body: (inout LMDBTransaction) throws -> Result
  ) throws -> Result {
    try writer.holding {
      let flush = LMDBFlush(durability: durability)
      try flush.prepare(handle)
      while true {
        do {
          let result = try gate.adopting(handle) { try transact(0, body) }
          try flush.finish(file)
          return result
        } catch let failure as LMDBFailure where failure.code == MDB_MAP_FULL {
          if try !forgetKilledReaders() { try grow() }
        }
      }
    }
  }

  var mapSize: Int {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return information.me_mapsize
  }

  private func transact<Result>(
    _ flags: UInt32, _ body: (inout LMDBTransaction) throws -> Result
  ) throws -> Result {
    try gate.passing {
      var begun: OpaquePointer?
      try LMDBFailure.check(mdb_txn_begin(handle, nil, flags, &begun))
      guard let begun else { throw LMDBFailure(code: ENOMEM) }
      var transaction = LMDBTransaction(begun, database)
      let result: Result
      do {
        result = try body(&transaction)
        transaction.finish()
      } catch {
        transaction.finish()
        mdb_txn_abort(begun)
        throw error
      }
      guard flags == 0 else {
        mdb_txn_abort(begun)
        return result
      }
      // A commit ends the transaction even if it fails, so it must stay outside the code that aborts.
      try LMDBFailure.check(mdb_txn_commit(begun))
      return result
    }
  }

  /// Releases the pages that killed readers still held. Returns false if there were none.
  private func forgetKilledReaders() throws -> Bool {
    var killed: Int32 = 0
    try LMDBFailure.check(mdb_reader_check(handle, &killed))
    return killed > 0
  }

  private func grow() throws {
    let size = try LMDBMap.size(
      after: mapSize, fileLength: try LMDBMap.fileLength(in: folder),
      free: try LMDBMap.free(in: folder))
    try gate.resize(handle, to: size)
  }

  /// Checks that the store has our marker. Writes the marker into an empty store.
  private func sign() throws {
    let isEmpty = try read { transaction in
      var isEmpty = true
      try transaction.entries(from: LMDBKey.marker) { _, _ in
        isEmpty = false
        return false
      }
      if !isEmpty { try content.check(try transaction.value(LMDBKey.marker).map(Array.init)) }
      return isEmpty
    }
    if isEmpty { try write(.atomic) { try $0.put(LMDBKey.marker, content.bytes) } }
  }

  static func open(_ folder: String, _ mapSize: Int) throws -> OpaquePointer {
    var created: OpaquePointer?
    try LMDBFailure.check(mdb_env_create(&created))
    guard let created else { throw LMDBFailure(code: ENOMEM) }
    do {
      try LMDBFailure.check(mdb_env_set_mapsize(created, mapSize))
      try LMDBFailure.check(mdb_env_open(created, folder, UInt32(MDB_NOTLS), 0o644))
    } catch {
      mdb_env_close(created)
      throw error
    }
    return created
  }

  private static func database(in handle: OpaquePointer) throws -> MDB_dbi {
    var transaction: OpaquePointer?
    try LMDBFailure.check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    var database: MDB_dbi = 0
    try LMDBFailure.check(mdb_dbi_open(transaction, nil, 0, &database))
    return database
  }
}

/// The open environments of this process. Each is open once, however many backends use it.
enum LMDBEnvironments {
  private struct Shared {
    let environment: LMDBEnvironment
    var users = 1
  }

  /// Not a Mutex, whose lock the thread sanitizer on Linux does not see: it would report races.
  private static let lock = NSLock()
  /// By the resolved path of a folder, because several paths may lead to it.
  nonisolated(unsafe) private static var open: [String: Shared] = [:]

  /// Returns the environment of a folder, and opens it if it is not open.
  static func take(
    _ path: String, _ content: LMDBMarker, mapSize: Int, wait: TimeInterval
  ) throws -> (folder: String, environment: LMDBEnvironment) {
    guard let folder = resolvedPath(path) else { throw LMDBFailure(code: errno) }
    return try lock.withLock {
      if let shared = open[folder] {
        try content.check(shared.environment.content.bytes)
        open[folder]?.users += 1
        return (folder, shared.environment)
      }
      let environment = try LMDBEnvironment(
        folder: path, content: content, mapSize: mapSize, wait: wait)
      open[folder] = Shared(environment: environment)
      return (folder, environment)
    }
  }

  /// Releases an environment and closes it after the last user.
  static func release(_ folder: String) {
    lock.withLock {
      open[folder]?.users -= 1
      guard let shared = open[folder], shared.users == 0 else { return }
      shared.environment.close()
      open[folder] = nil
    }
  }
}

/// The flushes of each durability in LMDB (lmdb.h, on `mdb_env_open`).
///
/// LMDB never overwrites a page that the last menu or the one before uses, and it writes the meta page
/// last. `none` flushes nothing (MDB_NOSYNC). The system may write the meta page before the pages that
/// it refers to, so a power cut can leave no menu at all. `atomic` flushes the pages before the meta
/// page is written, but the meta page only with the next commit (MDB_NOMETASYNC), so a power cut can
/// undo the last save. `durable` is LMDB's default: it flushes the pages, then writes the meta page
/// through.
struct LMDBFlush {
  let durability: Durability

  /// Sets the flags for a commit. Only the one writer may call it.
  func prepare(_ environment: OpaquePointer) throws {
    for (flag, level) in [(MDB_NOSYNC, Durability.none), (MDB_NOMETASYNC, .atomic)] {
      try LMDBFailure.check(
        mdb_env_set_flags(environment, UInt32(flag), durability == level ? 1 : 0))
    }
  }

  /// Finishes a commit: the fsync of LMDB 0.9 does not flush the drive's cache on Apple's systems.
  func finish(_ descriptor: Int32) throws {
    #if canImport(Darwin)
      guard durability != .durable || fcntl(descriptor, F_FULLFSYNC) == 0 else {
        throw LMDBFailure(code: errno)
      }
    #endif
  }

  /// Flushes the folder, so that the names of new files survive a power cut.
  func keepNames(in folder: String) throws {
    guard durability == .durable else { return }
    let descriptor = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBFailure(code: errno) }
    defer { _ = Foundation.close(descriptor) }
    guard fsync(descriptor) == 0 else { throw LMDBFailure(code: errno) }
  }
}

/// Counts the running transactions. None may run while the map grows: LMDB requires this for
/// `mdb_env_set_mapsize` but does not check it.
final class LMDBGate: @unchecked Sendable {
  private let condition = NSCondition()
  private var running = 0
  private var isClosed = false

  /// Runs a transaction, and runs it again if another process enlarged the map.
  func adopting<Result>(
    _ environment: OpaquePointer, _ body: () throws -> Result
  ) throws -> Result {
    while true {
      do { return try body() } catch let failure as LMDBFailure
        where failure.code == MDB_MAP_RESIZED
      {
        try resize(environment, to: 0)
      }
    }
  }

  /// Waits while the map is being resized, then runs a transaction.
  func passing<Result>(_ body: () throws -> Result) rethrows -> Result {
    change {
      while isClosed { condition.wait() }
      running += 1
    }
    defer { change { running -= 1 } }
    return try body()
  }

  /// Sets the size of the map. 0 adopts the size that another process set. Call it outside a
  /// transaction.
  func resize(_ environment: OpaquePointer, to size: Int) throws {
    change {
      while isClosed { condition.wait() }
      isClosed = true
      while running > 0 { condition.wait() }
    }
    defer { change { isClosed = false } }
    try LMDBFailure.check(mdb_env_set_mapsize(environment, size))
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }
}

/// Admits one writer at a time, within a process and across processes, and limits the wait. LMDB's own
/// lock waits forever and does not say which process holds it.
///
/// Across processes it is a POSIX record lock on the data file, which the system releases when a
/// process ends (fcntl(2)). LMDB itself locks only `lock.mdb`.
final class LMDBWriterLock {
  private let descriptor: Int32
  private let wait: TimeInterval
  private let writer = NSLock()

  init(descriptor: Int32, wait: TimeInterval) {
    self.descriptor = descriptor
    self.wait = wait
  }

  /// Runs a write. When the wait is over, throws ``LMDBFailure`` that names the holder of the lock.
  func holding<Result>(_ body: () throws -> Result) throws -> Result {
    let end = Date(timeIntervalSinceNow: wait)
    guard writer.lock(before: end) else {
      throw LMDBFailure("locked by another writer of this process")
    }
    defer { writer.unlock() }
    try lock(until: end)
    defer { _ = ask(F_SETLK, F_UNLCK) }
    return try body()
  }

  private func lock(until end: Date) throws {
    while ask(F_SETLK, F_WRLCK).code != 0 {
      guard errno == EACCES || errno == EAGAIN || errno == EINTR else {
        throw LMDBFailure(code: errno)
      }
      guard Date() < end else { throw LMDBFailure("locked by \(holder)") }
      usleep(1_000)
    }
  }

  /// The holder of the lock. It may have released it by now, or its lock may have no process.
  private var holder: String {
    let answer = ask(F_GETLK, F_WRLCK)
    guard answer.code == 0, answer.process > 0 else { return "another writer" }
    return "process \(answer.process)"
  }

  private func ask(_ command: Int32, _ type: Int32) -> (code: Int32, process: Int32) {
    var request = flock()
    request.l_type = Int16(type)
    request.l_whence = Int16(SEEK_SET)
    let code = fcntl(descriptor, command, &request)
    return (code, request.l_pid)
  }
}

import CLMDB
import Foundation

/// An open LMDB environment: the map of `data.mdb` in a folder, its one database and its locks.
///
/// LMDB forbids to open an environment twice in one process, so ``LMDBEnvironments`` shares it.
final class LMDBEnvironment: @unchecked Sendable {
  private let folder: String
  private let handle: OpaquePointer
  private let database: MDB_dbi
  private let file: Int32
  private let gate = LMDBGate()
  private let writer: LMDBWriterLock

  /// Opens or creates the environment of a folder and checks its file.
  ///
  /// Flags, from LMDB's lmdb.h: NOTLS, since a reader may be used from any thread. How a commit is
  /// flushed is set for each write. WRITEMAP is left alone: a full disk would kill the process.
  init(folder: String, mapSize: Int, wait: TimeInterval) throws {
    self.folder = folder
    let length = try Self.check(folder)
    handle = try Self.open(folder, LMDBMap.size(for: length, atLeast: mapSize))
    do {
      var descriptor: Int32 = -1
      try LMDBFailure.check(mdb_env_get_fd(handle, &descriptor))
      file = descriptor
      writer = LMDBWriterLock(descriptor: descriptor, wait: wait)
      database = try Self.database(in: handle, descriptor, folder)
    } catch {
      mdb_env_close(handle)
      throw error
    }
    do { try sign() } catch {
      mdb_env_close(handle)
      throw error
    }
  }

  /// Unmaps the file; nothing may be running.
  func close() { mdb_env_close(handle) }

  /// Runs reads on the state that was committed last.
  func read<Result>(_ body: (LMDBTransaction) throws -> Result) throws -> Result {
    try adopting { try transact(UInt32(MDB_RDONLY), body) }
  }

  /// Runs reads and writes and commits them; an error leaves the store as it was. A map that is too
  /// small is made larger, and the body run again.
  func write<Result>(
    _ durability: Durability, _ body: (LMDBTransaction) throws -> Result
  ) throws -> Result {
    try writer.holding {
      let flush = LMDBFlush(durability)
      try flush.prepare(handle)
      while true {
        do {
          let result = try adopting { try transact(0, body) }
          try flush.finish(file)
          return result
        } catch let failure as LMDBFailure where failure.code == MDB_MAP_FULL {
          try grow()
        }
      }
    }
  }

  /// The size of the map.
  var mapSize: Int {
    var information = MDB_envinfo()
    mdb_env_info(handle, &information)
    return information.me_mapsize
  }

  private func transact<Result>(
    _ flags: UInt32, _ body: (LMDBTransaction) throws -> Result
  ) throws -> Result {
    try gate.passing {
      var begun: OpaquePointer?
      try LMDBFailure.check(mdb_txn_begin(handle, nil, flags, &begun))
      guard let begun else { throw LMDBFailure(code: ENOMEM) }
      let transaction = LMDBTransaction(begun, database)
      do {
        let result = try body(transaction)
        transaction.finish()
        guard flags == 0 else {
          mdb_txn_abort(begun)
          return result
        }
        // Ends the transaction whether it succeeds or not, and so runs outside of what aborts.
        let code = mdb_txn_commit(begun)
        guard code == MDB_SUCCESS else { throw Ended(failure: LMDBFailure(code: code)) }
        return result
      } catch let ended as Ended {
        throw ended.failure
      } catch {
        transaction.finish()
        mdb_txn_abort(begun)
        throw error
      }
    }
  }

  /// A commit that failed: there is nothing left to abort.
  private struct Ended: Error { let failure: LMDBFailure }

  /// Runs a transaction again where another process has made the map larger.
  private func adopting<Result>(_ body: () throws -> Result) throws -> Result {
    while true {
      do { return try body() } catch let failure as LMDBFailure
        where failure.code == MDB_MAP_RESIZED
      {
        try gate.closing { try LMDBFailure.check(mdb_env_set_mapsize(handle, 0)) }
      }
    }
  }

  private func grow() throws {
    let size = try LMDBMap.size(
      after: mapSize, fileLength: try LMDBFile.length(of: Self.path(folder)),
      free: try LMDBMap.free(in: folder))
    try gate.closing { try LMDBFailure.check(mdb_env_set_mapsize(handle, size)) }
  }

  /// Checks that the store is ours, and makes it so where it is empty.
  private func sign() throws {
    let isEmpty = try read { transaction in
      var isEmpty = true
      try transaction.entries(from: LMDBKey.marker) { _, _ in
        isEmpty = false
        return false
      }
      if !isEmpty { try LMDBMarker.check(try transaction.value(LMDBKey.marker).map(Array.init)) }
      return isEmpty
    }
    if isEmpty { try write(.atomic) { try $0.put(LMDBKey.marker, LMDBMarker.bytes) } }
  }
}

import CLMDB
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension LMDBEnvironment {
  static func path(_ folder: String) -> String { "\(folder)/data.mdb" }

  /// Looks at a file before LMDB does; gives its length, 0 where there is none.
  static func check(_ folder: String) throws -> Int {
    let path = path(folder)
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else { throw LMDBFailure(code: errno) }
      return 0
    }
    defer { _ = Foundation.close(descriptor) }
    let file = try LMDBFile(descriptor: descriptor, path: path)
    if file.length > 0 { _ = try file.meta() }
    return file.length
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

  /// Checks the file's pages within a transaction, which keeps other processes from reusing them,
  /// then opens the one database.
  static func database(
    in handle: OpaquePointer, _ descriptor: Int32, _ folder: String
  ) throws -> MDB_dbi {
    var transaction: OpaquePointer?
    try LMDBFailure.check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction))
    defer { mdb_txn_abort(transaction) }
    let file = try LMDBFile(descriptor: descriptor, path: path(folder))
    let meta = try file.meta()
    guard meta.transaction == mdb_txn_id(transaction) else {
      throw LMDBFailure("another process wrote while it was opened")
    }
    try LMDBFileCheck.run(file, meta)
    var database: MDB_dbi = 0
    try LMDBFailure.check(mdb_dbi_open(transaction, nil, 0, &database))
    return database
  }
}

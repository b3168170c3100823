/// The files that SQLite keeps for one database.
struct StoreFiles {
  let path: String

  /// The bytes of the database, its log and the log's index, as far as they are there.
  func size() throws -> Size { .bytes(try identities().reduce(0) { $0 + $1.length }) }

  /// The files that are there.
  func identities() throws -> [FileIdentity] {
    try ["", "-wal", "-shm", "-journal"].compactMap { try FileIdentity(of: path + $0) }
  }
}

/// A backend whose files keep room that its menu no longer needs, and that can give it back.
///
/// A file that is replaced whole has none. LMDB has, but only copies a store in compact form
/// (`mdb_env_copy2` with MDB_CP_COMPACT, lmdb.h): put in the old file's place, it would be one that
/// other handles and processes, which have the old one mapped, neither see nor write.
public protocol Compacting: Backend {
  /// Makes the store as small as its menu allows, which is the same afterwards. Needs as much room
  /// again while it works.
  ///
  /// - Throws: ``StorageError``; the menu is then as it was.
  func compact() throws
}

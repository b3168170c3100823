import BackendKit
import CLMDB
import Foundation

extension PlaceEntry {
  /// `lmdb`: one value in LMDB.
  public static var lmdb: Self {
    Self(
      id: "lmdb", summary: "as one value in LMDB, memory-mapped", caveat: LMDBPlace.caveat,
      library: .lmdb, promises: .durable, belowFloor: LMDBPlace.belowFloor,
      advice: LMDBPlace.advice
    ) { store, _ in try LMDBPlace(store) }
  }
}

/// Stores bytes as the value of the only key of an LMDB store. The value lies in consecutive pages and
/// is copied out of the map, because the next write may overwrite them.
package final class LMDBPlace: ConcurrentPlace {
  static let caveat =
    "LMDB trusts its file, so a page that is damaged later can end the process that reads it. "
    + "The file never shrinks"

  static let belowFloor = [
    "write":
      "LMDB overwrites and flushes pages of an existing file. The floor makes a file, flushes it "
      + "and renames it, as all backends with one file do"
  ]

  package var location: String { store.path }
  static let advice = [
    Advice(
      "values are read where they are mapped, as long as the transaction lasts",
      source: "http://www.lmdb.tech/doc/starting.html",
      here: "not followed: a value is copied before it is decoded. A value that outlives its "
        + "transaction would keep old pages in use"),
    Advice(
      "short transactions, and mdb_reader_check now and then to clean up after killed readers",
      source: "http://www.lmdb.tech/doc/index.html#caveats_sec",
      here: "followed: the check runs on opening and before the map would grow"),
    Advice(
      "a read transaction that is reset and renewed, rather than a new one",
      source: "http://www.lmdb.tech/doc/group__mdb.html",
      here: "not followed: any thread that asks gets a transaction, which ends with its answer"),
    Advice(
      "a map as large as the data can ever become",
      source: "http://www.lmdb.tech/doc/group__mdb.html",
      here: "not followed: it begins at 16 MB and doubles, and a save that finds it full runs again"
    ),
  ]

  private static let key: [UInt8] = [1]
  private let store: LMDBStore

  /// Opens or creates `data.mdb` and `lock.mdb` in the store's folder.
  ///
  /// - Throws: ``StoreError`` if the file is not LMDB's, has another format or another owner.
  package init(_ store: StoreContext) throws { self.store = try LMDBStore(store, .bytes) }

  /// Replaces the value in one transaction. Throws ``StoreError`` and then leaves it unchanged.
  package func write(_ bytes: Data) throws {
    try store.write("write") { try $0.put(Self.key, bytes) }
  }

  /// Copies the value. Throws ``StoreError`` if nothing was written.
  package func read() throws -> Data {
    try store.read { transaction in
      guard let bytes = try transaction.value(Self.key) else {
        throw LMDBFailure("nothing was written")
      }
      return bytes
    }
  }

  /// Opens a reader with its own transactions on the same map. LMDB's readers do not wait for a writer.
  package func openReader() throws -> LMDBPlace { try LMDBPlace(store.context) }

  /// Releases the environment, which closes it unless a reader still uses it.
  package func close() throws { store.close() }
}

import BackendKit
import Foundation
import GRDB
import MenuModel

extension BackendEntry {
  /// `sqlite-blob`: the output of `JSONEncoder`, in one row of an SQLite table.
  public static var sqliteBlob: Self { Self(.json, in: .sqliteRow, id: "sqlite-blob") }
}

extension PlaceEntry {
  /// `sqlite-row`: the one row of an SQLite table.
  public static var sqliteRow: Self {
    Self(
      id: "sqlite-row", summary: "in one row of an SQLite table by GRDB",
      caveat:
        "SQLite copies its log into the database when a commit takes it past 1,000 pages. "
        + "Every write of a document above 4 MB does that",
      library: .grdb, flushedFrom: .durable, promises: .durable,
      advice: [
        Advice(
          "blobs below about 100 kB read faster from a database, larger ones from files",
          source: "https://www.sqlite.org/intern-v-extern-blob.html",
          here: "not followed, to show the cost: the whole menu is one blob"),
        Advice(
          "WAL with synchronous NORMAL", source: "https://www.sqlite.org/wal.html",
          here: "followed at atomic, FULL at durable"),
      ]
    ) { store, _ in try SQLiteRowPlace(store) }
  }
}

/// Stores bytes in the single row of an SQLite table, through GRDB.
///
/// GRDB opens and sets up the connection as for the `sqlite` backend, and statements are prepared for
/// their first use. SQLite's C API binds the bytes in place and reads them out of the pages, so that
/// they are copied once in each direction.
package final class SQLiteRowPlace: ConcurrentPlace {
  package var location: String { store.description.path }
  let store: StoreConnection
  private var replacement: (deletion: PreparedStatement, insertion: PreparedStatement)?
  private var selection: PreparedStatement?

  /// Opens or creates `menu-blob.sqlite` in the store's folder.
  ///
  /// - Throws: ``StoreError`` if the file is not a database or belongs to another backend or program.
  package convenience init(_ store: StoreContext) throws {
    try self.init(
      StoreDescription(
        path: store.path("menu-blob.sqlite"), durability: store.durability,
        schemas: [Self.schema]))
  }

  init(_ description: StoreDescription) throws {
    store = try StoreConnection(description)
  }

  /// Replaces the row in one transaction. SQLite overwrites bytes of the same length in their pages,
  /// and logs only pages that change. For another length, an UPDATE would take new pages and free
  /// the old ones afterwards. Deleted first, the old bytes leave their pages to the new ones. Without
  /// the row's id, the deletion would copy them into a statement journal.
  ///
  /// - Throws: ``StoreError``. The row is then unchanged. SQLite accepts at most SQLITE_MAX_LENGTH
  ///   bytes, which is 1,000,000,000 by default.
  package func write(_ bytes: Data) throws {
    let statements = try store.prepared(&replacement, for: "write") {
      (
        deletion: try $0("DELETE FROM document WHERE id = 1 AND length(bytes) <> ?1"),
        insertion: try $0(
          """
          INSERT INTO document (id, bytes) VALUES (1, ?1) \
          ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
          """)
      )
    }
    try store.transact("write", .immediate) { _ in
      try statements.deletion.run { $0.put(bytes.count) }
      try statements.insertion.run(blob: bytes)
    }
  }

  /// Reads the row. Throws ``StoreError`` if nothing was written.
  package func read() throws -> Data {
    let statement = try store.prepared(&selection) { try $0("SELECT id FROM document") }
    return try store.run("read") { _ in
      let bytes = try statement.first { try $0.blob("bytes", of: "document") }
      guard let bytes else { throw SQLiteFailure.nothingWritten }
      return bytes
    }
  }

  package func dropCaches() throws { store.releaseMemory() }

  /// Opens a connection that only reads. It waits for writers as that of ``SQLiteBackend`` does.
  package func openReader() throws -> SQLiteRowPlace {
    try SQLiteRowPlace(store.description.reader)
  }

  package func close() throws { try store.close() }

  /// The owner is `MBdc` in ASCII.
  private static let schema = StoreSchema(
    content: "a document", owner: 0x4d42_6463, version: 1,
    creation: [
      "CREATE TABLE document (id INTEGER PRIMARY KEY CHECK (id = 1), bytes BLOB NOT NULL) STRICT"
    ])
}

extension CodecBackend: ConnectionBackend, LogKeeping, Compacting where P == SQLiteRowPlace {
  var store: StoreConnection { place.store }
}

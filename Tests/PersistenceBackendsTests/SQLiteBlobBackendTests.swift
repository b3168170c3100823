import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The sqlite-blob backend")
struct SQLiteBlobBackendTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu-blob.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func place(_ durability: Durability = .atomic) throws -> SQLiteRowPlace {
    try SQLiteRowPlace(folder.store(durability))
  }

  private func refusal(_ operation: String, _ reason: String) -> StoreError {
    StoreError(operation: operation, path: path, reason: reason)
  }

  @Test("keeps one row, which has the codec's bytes", arguments: Durability.allCases)
  func oneRow(durability: Durability) throws {
    let place = try place(durability)
    let long = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for bytes in [Data("{}".utf8), Data(), Data([0, 255, 0]), long] {
      try place.write(bytes)
      #expect(try place.read() == bytes)
      try place.dropCaches()
      #expect(try place.read() == bytes)
    }
    try place.close()
    for (sql, found) in [("count(*)", "1"), ("length(bytes)", "100000")] {
      let texts = try folder.texts("SELECT \(sql) FROM document", in: "menu-blob.sqlite")
      #expect(texts == [found])
    }
  }

  @Test("prepares statements at their first use, and keeps no bytes bound")
  func prepares() throws {
    let place = try place()
    let replacement = [
      "DELETE FROM document WHERE id = 1 AND length(bytes) <> 1",
      """
      INSERT INTO document (id, bytes) VALUES (1, NULL) \
      ON CONFLICT (id) DO UPDATE SET bytes = excluded.bytes
      """,
    ]
    let selection = "SELECT id FROM document"
    func prepared(in place: SQLiteRowPlace) throws -> [String] {
      try place.store.prepared().filter { $0.contains("document") }.sorted()
    }
    #expect(try prepared(in: place) == [])
    try place.write(Data([0]))
    #expect(try prepared(in: place) == replacement)
    for byte in [UInt8(1), 2] {
      try place.write(Data([byte]))
      #expect(try place.read() == Data([byte]))
      #expect(try prepared(in: place) == replacement + [selection])
    }
    let reader = try place.openReader()
    #expect(try reader.read() == Data([2]))
    #expect(try prepared(in: reader) == [selection])
    try reader.close()
    try place.close()
  }

  @Test("takes the pages of the old document again, so that neither file has room for two")
  func pages() throws {
    let place = try place()
    let documents = [Data(count: 1_000_000), Data(count: 1_000_050)]
    for turn in 0..<4 { try place.write(documents[turn % 2]) }
    try place.store.deferCheckpoints(true)
    try place.store.checkpoint()
    try place.write(documents[0])
    let pages = try #require(place.store.logFill) * Double(WriteAheadLog.bound)
    #expect(pages * 4_096 < 1_100_000)
    try place.store.checkpoint()
    var other = documents[0]
    other[500_000] = 1
    try place.write(other)
    #expect(try #require(place.store.logFill) * Double(WriteAheadLog.bound) == 1)
    try place.close()
    #expect(try folder.size(of: "menu-blob.sqlite") < 1_100_000)
  }

  @Test("refuses a document over SQLite's limit and keeps the old")
  func limit() throws {
    let place = try place()
    try place.write(Data("old".utf8))
    try place.store.limitRows(to: 1_000)
    // The row's own header counts, too.
    for count in [1_001, 1_000] {
      #expect(throws: refusal("write", "string or blob too big (SQLite 18)")) {
        try place.write(Data(count: count))
      }
    }
    #expect(try place.read() == Data("old".utf8))
    try place.write(Data(count: 900))
    #expect(try place.read() == Data(count: 900))
    try place.close()
  }

  @Test("refuses another backend's database, and the reverse")
  func otherBackend() throws {
    let menus = try SQLiteBackend(folder.store())
    try replace(Fixtures.full, in: menus)
    try menus.close()
    let blob = try place()
    try blob.write(Data("{}".utf8))
    try blob.close()
    let files = FileManager.default
    let path = folder.path
    try files.moveItem(atPath: path + "/menu.sqlite", toPath: path + "/swap")
    try files.moveItem(atPath: path + "/menu-blob.sqlite", toPath: path + "/menu.sqlite")
    try files.moveItem(atPath: path + "/swap", toPath: path + "/menu-blob.sqlite")
    let error = #expect(throws: StoreError.self) { try place() }
    #expect(
      error?.reason.hasPrefix("not a document store: schema 5 with the tables category,") == true)
    #expect(
      throws: StoreError(
        operation: "open", path: path + "/menu.sqlite",
        reason: "not a menu store: schema 1 with the tables document")
    ) { try SQLiteBackend(folder.store()) }
  }

  @Test("refuses a newer schema, foreign tables and a file that is not a database")
  func foreign() throws {
    try place().close()
    try folder.run("PRAGMA user_version = 2", in: "menu-blob.sqlite")
    #expect(
      throws: refusal("open", "its schema is 2, newer than 1, which this program knows")
    ) { try place() }
    try folder.run("PRAGMA user_version = 1", "CREATE TABLE notes (id)", in: "menu-blob.sqlite")
    #expect(throws: refusal("open", "its tables are not those of schema 1: notes")) {
      try place()
    }
    try FileManager.default.removeItem(atPath: path)
    try folder.run("CREATE TABLE notes (id)", in: "menu-blob.sqlite")
    #expect(
      throws: refusal("open", "not a document store: schema 0 with the tables notes")
    ) { try place() }
    try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(throws: refusal("open", "file is not a database (SQLite 26)")) { try place() }
  }

  @Test("lets a reader see the last document during a write")
  func reader() throws {
    let place = try place()
    try place.write(Data("old".utf8))
    let reader = try place.openReader()
    let writer = try CConnection(path: path)
    try writer.run("BEGIN IMMEDIATE")
    try writer.run("UPDATE document SET bytes = x'00'")
    #expect(try reader.read() == Data("old".utf8))
    try writer.run("COMMIT")
    #expect(try reader.read() == Data([0]))
    writer.close()
    try reader.close()
    try place.close()
  }

  @Test("refuses to read before the first write and once it is closed")
  func nothingWritten() throws {
    let place = try place()
    #expect(throws: refusal("read", "nothing was written")) { try place.read() }
    try place.close()
    #expect(throws: refusal("read", "the store is closed")) { try place.read() }
    #expect(throws: refusal("write", "the store is closed")) { try place.write(Data()) }
  }
}

import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A store of the object-graph backends")
struct ObjectGraphStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/objects.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func change(_ statements: String...) throws {
    let connection = try CConnection(path: path)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  private func refusal(_ reason: String) -> StoreError {
    StoreError(operation: "open", path: path, reason: reason)
  }

  @Test("is refused if its schema is newer, with both numbers", arguments: ObjectAccess.both)
  func newerVersion(access: ObjectAccess) throws {
    try ObjectBackend(folder.store(), access).close()
    try change("PRAGMA user_version = 7")
    #expect(throws: refusal("its schema is 7, newer than 2, which this program knows")) {
      try ObjectBackend(folder.store(), access)
    }
  }

  @Test("is refused and unchanged if it has other tables")
  func foreignTables() throws {
    try change("CREATE TABLE notes (id)", "CREATE TABLE album(id)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: refusal("not an object store: schema 0 with the tables album, notes")) {
      try ObjectBackend(folder.store(), .prefetching)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("is refused if the sqlite backend wrote it, and the reverse")
  func anotherBackends() throws {
    let theirs = folder.path + "/menu.sqlite"
    try SQLiteBackend(folder.store()).close()
    try FileManager.default.moveItem(atPath: theirs, toPath: path)
    let error = #expect(throws: StoreError.self) {
      try ObjectBackend(folder.store(), .prefetching)
    }
    #expect(error?.reason.hasPrefix("not an object store: schema 5 with the tables cat") == true)
    try FileManager.default.removeItem(atPath: path)
    try ObjectBackend(folder.store(), .faulting).close()
    try FileManager.default.moveItem(atPath: path, toPath: theirs)
    #expect(throws: StoreError.self) { try SQLiteBackend(folder.store()) }
  }

  @Test("is refused if its tables were changed, with their names")
  func changedTables() throws {
    try ObjectBackend(folder.store(), .prefetching).close()
    try change("ALTER TABLE combo ADD COLUMN mine TEXT", "CREATE TABLE notes (id)")
    #expect(
      throws: refusal("its tables are not those of schema 2: combo, notes")
    ) { try ObjectBackend(folder.store(), .prefetching) }
  }

  @Test("is refused if it is not a database")
  func notADatabase() throws {
    try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: path))
    #expect(throws: refusal("file is not a database (SQLite 26)")) {
      try ObjectBackend(folder.store(), .prefetching)
    }
  }

  @Test(
    "is refused if it lacks an object or a link",
    arguments: [
      "DELETE FROM variant WHERE id = 31", "DELETE FROM category WHERE id = 9",
      "DELETE FROM nutrition_facts WHERE pk = 2", "DELETE FROM product WHERE id = 100",
      "DELETE FROM option_list WHERE id = 8", "DELETE FROM slot_option WHERE pk = 3",
      "UPDATE slot SET shared_list = 99 WHERE id = 63", "UPDATE product SET category = -1",
      "UPDATE variant SET nutrition = 7 WHERE id = 33", "UPDATE product SET kind = 'soup'",
      "INSERT INTO menu SELECT 2, 2, 0, revision, locale, currency, city FROM menu",
    ], ObjectAccess.both)
  func halfWritten(change sql: String, access: ObjectAccess) throws {
    try write()
    try change(sql)
    let backend = try ObjectBackend(folder.store(.none), access)
    #expect(throws: StoreError.self) { try restored(from: backend) }
    try backend.close()
  }

  @Test(
    "is refused at a whole read if nothing links to one of its objects",
    arguments: [
      "DELETE FROM menu_products WHERE target = 3", "DELETE FROM product_tags WHERE source = 1",
      "INSERT INTO product_tags VALUES (99, 0, 1)", "INSERT INTO tag VALUES (99, 0, 99, 'x')",
      "INSERT INTO product_tags VALUES (1, 7, 1)",
    ])
  func leftovers(change sql: String) throws {
    try write()
    try change(sql)
    let backend = try ObjectBackend(folder.store(.none), .prefetching)
    #expect(throws: StoreError.self) { try restored(from: backend) }
    try backend.close()
  }

  private func write() throws {
    let backend = try ObjectBackend(folder.store(.none), .prefetching)
    try replace(Fixtures.full, in: backend)
    try backend.close()
  }
}

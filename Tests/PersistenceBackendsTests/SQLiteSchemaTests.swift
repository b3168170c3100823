import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The schema of a sqlite store")
struct SQLiteSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func change(_ statements: String...) throws {
    let connection = try CConnection(path: path)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  private let column =
    "SELECT name FROM pragma_table_info('product') WHERE name IN ('details','description','summary')"

  @Test("changes in place, forwards and back, and everything works in each", arguments: 0...2)
  func changes(durability: Int) throws {
    let store = folder.store(Durability.allCases[durability])
    var menu = Fixtures.full
    let first = try SQLiteBackend(store)
    #expect(try first.schema == 1)
    try replace(menu, in: first)
    try first.close()
    for (version, name) in [
      (2, "description"), (3, "summary"), (3, "summary"), (1, "details"), (3, "summary"),
    ] {
      let backend = try SQLiteBackend(store)
      _ = try backend.product(300)
      try backend.changeSchema(to: version)
      for backend in [backend, try SQLiteBackend(store)] {
        #expect(try backend.schema == version)
        #expect(try backend.store.texts(column) == [name])
        #expect(try restored(from: backend).fingerprint == menu.fingerprint)
        #expect(try backend.product(300) == menu.product(300))
        #expect(try backend.combo(12) == menu.resolvedCombo(12))
        menu = menu.revised(1)
        try replace(menu, in: backend)
        #expect(try restored(from: backend).fingerprint == menu.fingerprint)
        try backend.close()
      }
    }
  }

  @Test("that there is none of is refused by its number and the store left as it was")
  func unknown() throws {
    let backend = try SQLiteBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    for version in [0, 4, -1] {
      #expect(
        throws: StoreError(
          operation: "change the schema of", path: path,
          reason: "there is no schema \(version), only 1 to 3")
      ) { try backend.changeSchema(to: version) }
    }
    #expect(try backend.schema == 1)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("is brought up to the program's, or refused where it is newer, and left as it was")
  func programs() throws {
    let store = folder.store()
    for (newest, name) in [(1, "details"), (2, "description"), (3, "summary")] {
      let backend = try SQLiteBackend(store, knowing: newest)
      if newest == 1 { try replace(Fixtures.full, in: backend) }
      #expect(try backend.schema == newest)
      #expect(try backend.store.texts(column) == [name])
      #expect(try restored(from: backend) == Fixtures.full)
      try backend.close()
    }
    #expect(
      throws: StoreError(
        operation: "open", path: path,
        reason: "its schema is 3, newer than 2, which this program knows")
    ) { try SQLiteBackend(store, knowing: 2) }
    #expect(
      throws: StoreError(
        operation: "open", path: path, reason: "there is no schema 4, only 1 to 3")
    ) { try SQLiteBackend(store, knowing: 4) }
    #expect(try restored(from: try SQLiteBackend(store, knowing: 3)) == Fixtures.full)
  }

  @Test("is brought from the first to the third by a program that skips the second")
  func skipping() throws {
    let store = folder.store()
    let first = try SQLiteBackend(store, knowing: 1)
    try replace(Fixtures.full, in: first)
    try first.close()
    for _ in 0..<2 {
      let third = try SQLiteBackend(store, knowing: 3)
      #expect(try third.schema == 3)
      #expect(try third.store.texts(column) == ["summary"])
      #expect(try restored(from: third).fingerprint == Fixtures.full.fingerprint)
      #expect(try third.product(300) == Fixtures.full.product(300))
      try third.close()
    }
  }

  @Test("of a new store is the newest that the program knows", arguments: 1...3)
  func new(newest: Int) throws {
    let backend = try SQLiteBackend(folder.store(), knowing: newest)
    #expect(try backend.schema == newest)
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("is not what a number alone says")
  func onlyNumber() throws {
    try SQLiteBackend(folder.store()).close()
    try change("PRAGMA user_version = 2")
    #expect(
      throws: StoreError(
        operation: "open", path: path, reason: "its tables are not those of schema 2: product")
    ) { try SQLiteBackend(folder.store()) }
  }

  @Test("gets the indexes that a store lacks")
  func missingIndexes() throws {
    let first = try SQLiteBackend(folder.store())
    try replace(Fixtures.full, in: first)
    try first.close()
    try change("DROP INDEX variant_product_id", "DROP INDEX slot_combo_id")
    let second = try SQLiteBackend(folder.store())
    #expect(
      try second.store.texts("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name")
        == ["category_parent_id", "slot_combo_id", "variant_product_id"])
    #expect(try second.combo(12) == Fixtures.full.resolvedCombo(12))
    try second.close()
  }

  @Test("of another owner is refused, whatever its number")
  func foreignOwner() throws {
    try SQLiteBackend(folder.store()).close()
    try change("PRAGMA application_id = 77")
    let error = #expect(throws: StoreError.self) { try SQLiteBackend(folder.store()) }
    #expect(error?.reason.hasPrefix("not a menu store: schema 1 with the tables category,") == true)
  }

  @Test("changed by another connection fails what was prepared for the old one, in words")
  func changedMeanwhile() throws {
    let backend = try SQLiteBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let reader = try #require(try backend.openReader() as? SQLiteBackend)
    #expect(try restored(from: reader) == Fixtures.full)
    try backend.changeSchema(to: 3)
    #expect(
      throws: StoreError(
        operation: "read", path: path, reason: "no such column: details (SQLite 1)")
    ) { try reader.read() }
    try reader.close()
    let second = try #require(try backend.openReader() as? SQLiteBackend)
    #expect(try restored(from: second) == Fixtures.full)
    try second.close()
    try backend.close()
  }
}

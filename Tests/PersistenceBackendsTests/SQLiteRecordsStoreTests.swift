import Foundation
import GRDB
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A store of the sqlite-records backend")
struct SQLiteRecordsStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ reason: String) -> StoreError {
    StoreError(operation: "open", path: path, reason: reason)
  }

  @Test(
    "is refused by the migration if a newer program migrated it", arguments: Durability.allCases)
  func newer(durability: Durability) throws {
    try SQLiteRecordsBackend(folder.store(durability)).close()
    try folder.run("INSERT INTO grdb_migrations VALUES ('renameDetails')")
    let reason =
      "a newer program migrated it (renameDetails), and this program's last migration is "
      + "indexProductCategories"
    #expect(throws: refusal(reason)) { try SQLiteRecordsBackend(folder.store(durability)) }
  }

  @Test("is refused and unchanged if it has other tables", arguments: Durability.allCases)
  func foreignTables(durability: Durability) throws {
    try folder.run("CREATE TABLE notes (id)", "CREATE TABLE album (id)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(
      throws: refusal("not a store of records: no migration, and the tables album, notes")
    ) { try SQLiteRecordsBackend(folder.store(durability)) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try folder.files() == ["menu.sqlite"])
  }

  @Test("is refused by sqlite, and the reverse")
  func otherBackend() throws {
    try SQLiteBackend(folder.store()).close()
    let error = #expect(throws: StoreError.self) { try SQLiteRecordsBackend(folder.store()) }
    #expect(
      error?.reason.hasPrefix("not a store of records: no migration, and the tables category, ")
        == true)
    let other = try TemporaryFolder()
    try SQLiteRecordsBackend(other.store()).close()
    let refusal = #expect(throws: StoreError.self) { try SQLiteBackend(other.store()) }
    #expect(refusal?.reason.hasPrefix("not a menu store: schema 0 with the tables ") == true)
  }

  @Test("is refused if its tables were changed, with their names")
  func changedTables() throws {
    try SQLiteRecordsBackend(folder.store()).close()
    try folder.run("DROP TABLE nutrition", "CREATE TABLE notes (id)")
    #expect(throws: refusal("its tables are not those of its migrations: notes, nutrition")) {
      try SQLiteRecordsBackend(folder.store())
    }
  }

  @Test("is migrated if an older program left it", arguments: SchemaChange.allCases)
  func older(change: SchemaChange) throws {
    let other = try SQLiteRecordsBackend(folder.store())
    try other.save(Fixtures.full, across: change)
    try other.close()
    let identifiers = "SELECT identifier FROM grdb_migrations"
    let has = try folder.texts(identifiers).contains(RecordSchema.identifier(of: change))
    #expect(has == (change == .back))
    guard change != .back else { return }
    let backend = try SQLiteRecordsBackend(folder.store())
    #expect(try restored(from: backend) == Fixtures.full.across(change))
    try backend.close()
    #expect(try folder.texts(identifiers).count == 8)
    #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("is completed if it was left before its first migration")
  func halfMade() throws {
    try folder.run("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    let backend = try SQLiteRecordsBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("has a table for each record type, and valid foreign keys", arguments: Durability.allCases)
  func tables(durability: Durability) throws {
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try replace(Fixtures.full, in: backend)
    try backend.close()
    let names = try folder.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    let types = MenuRecords.tables.map { $0.databaseTableName }
    #expect(names == (types + ["grdb_migrations"]).sorted())
    #expect(
      try folder.texts("SELECT identifier FROM grdb_migrations ORDER BY rowid") == [
        "createMenu", "addProductCode", "addProductKind", "splitProductLabel",
        "countPricesInMinorUnits", "indexProductNames", "addWhatRealMenusHave",
        "indexProductCategories",
      ])
    #expect(try folder.texts("PRAGMA foreign_key_check") == [])
    #expect(try folder.texts("PRAGMA foreign_key_list(slotOption)").count == 3)
    #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("can be read while another program locks it, but not written")
  func locked() throws {
    let backend = try SQLiteRecordsBackend(folder.store(), timeLimit: 50)
    try replace(Fixtures.full, in: backend)
    let other = try CConnection(path: path)
    try other.run("BEGIN IMMEDIATE")
    let error = #expect(throws: StoreError.self) { try replace(Fixtures.bare, in: backend) }
    #expect(
      error?.reason == "another connection held it for 50 ms: database is locked (SQLite 5)")
    #expect(try restored(from: backend) == Fixtures.full)
    other.close()
    try replace(Fixtures.bare, in: backend)
    try backend.close()
  }

  @Test("is refused if a column has a value that no record accepts")
  func oddValues() throws {
    let backend = try SQLiteRecordsBackend(folder.store(.none))
    try replace(Fixtures.full, in: backend)
    try folder.run("UPDATE product SET kind = 'soup' WHERE id = 100")
    let error = #expect(throws: StoreError.self) { try backend.read() }
    let start = "could not decode Kind from database value \"soup\""
    #expect(error?.reason.hasPrefix(start) == true)
    #expect(error?.reason.contains("row:") == false)
    try backend.close()
  }
}

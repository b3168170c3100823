import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A store of the sqlite backend")
struct SQLiteStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func refusal(_ reason: String) -> StoreError {
    StoreError(operation: "open", path: path, reason: reason)
  }

  @Test("is refused if its schema is newer, with both numbers")
  func newerVersion() throws {
    try folder.run("PRAGMA user_version = 7")
    #expect(throws: refusal("its schema is 7, newer than 5, which this program knows")) {
      try SQLiteBackend(folder.store())
    }
  }

  @Test("is refused and unchanged if it has other tables")
  func foreignTables() throws {
    try folder.run("CREATE TABLE notes (id)", "CREATE TABLE album(id)")
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: refusal("not a menu store: schema 0 with the tables album, notes")) {
      try SQLiteBackend(folder.store())
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("is refused if its tables were changed, with their names")
  func changedTables() throws {
    try SQLiteBackend(folder.store()).close()
    try folder.run("ALTER TABLE combo ADD COLUMN mine TEXT", "CREATE TABLE notes (id)")
    #expect(throws: refusal("its tables are not those of schema 5: combo, notes")) {
      try SQLiteBackend(folder.store())
    }
  }

  @Test("is refused if its schema number is unknown")
  func unknownVersion() throws {
    try folder.run("PRAGMA user_version = -3")
    #expect(throws: refusal("not a menu store: schema -3 with no tables")) {
      try SQLiteBackend(folder.store())
    }
  }

  @Test("has a table for every kind of thing and every list, and no other")
  func tables() throws {
    try SQLiteBackend(folder.store()).close()
    let names = try folder.texts(
      "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    #expect(
      names == [
        "category", "combo", "ingredient", "list_option", "menu", "modifier_group",
        "modifier_next_group", "modifier_option", "modifier_price", "nutrition", "option_list",
        "price_tier", "product", "product_allergen", "product_category", "product_hours",
        "product_ingredient", "product_modifier_group", "product_tag", "slot", "slot_option",
        "stop_list", "store_override", "translation", "variant",
      ])
    #expect(try folder.texts("PRAGMA user_version") == ["5"])
  }

  @Test("declares valid foreign keys", arguments: Durability.allCases)
  func foreignKeys(durability: Durability) throws {
    let backend = try SQLiteBackend(folder.store(durability))
    try replace(Fixtures.full, in: backend)
    try backend.close()
    #expect(try folder.texts("PRAGMA foreign_key_check") == [])
    #expect(try folder.texts("PRAGMA foreign_key_list(slot_option)").count == 3)
    #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
  }
}

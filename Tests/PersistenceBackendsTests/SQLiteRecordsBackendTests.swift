import GRDB
import GRDBSQLite
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The sqlite-records backend")
struct SQLiteRecordsBackendTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "keeps the old menu if a record of the new one breaks a rule", arguments: Durability.allCases)
  func rollsBack(durability: Durability) throws {
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    let good = try backend.encode(Fixtures.full)
    try backend.write(good)
    var dangling = good
    dangling.combos[0].slots[1].options[0].productId = 999
    var orphan = good
    orphan.categories[0].parentId = 999
    var twice = good
    twice.translations.append(twice.translations[0])
    for (broken, start) in [
      (dangling, "FOREIGN KEY constraint failed"), (orphan, "FOREIGN KEY constraint failed"),
      (twice, "UNIQUE constraint failed: translation.position"),
    ] {
      let error = #expect(throws: StoreError.self) { try backend.write(broken) }
      #expect(error?.operation == "write")
      #expect(error?.path == path)
      #expect(error?.reason.hasPrefix(start) == true)
      #expect(try backend.read() == good)
    }
    try backend.write(good)
    try backend.close()
  }

  @Test("configures its connection like sqlite", arguments: Durability.allCases)
  func sameSettings(durability: Durability) throws {
    let other = try TemporaryFolder()
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    let sqlite = try SQLiteBackend(other.store(durability))
    let pragmas = [
      "journal_mode", "synchronous", "busy_timeout", "wal_autocheckpoint", "page_size",
      "cache_size", "fullfsync", "checkpoint_fullfsync",
    ]
    let ours = try backend.accessing("read") { database in
      try database.writeWithoutTransaction { db in
        try pragmas.flatMap { try db.texts("PRAGMA \($0)") }
      }
    }
    let others = try pragmas.flatMap { try sqlite.store.texts("PRAGMA \($0)") }
    #expect(ours == others)
    let timeout = try backend.reading { try $0.texts("PRAGMA busy_timeout") }
    #expect(timeout == ["5000"])
    // GRDB's records leave a check to SQLite that sqlite does once before it commits.
    #expect(try backend.reading { try $0.texts("PRAGMA foreign_keys") } == ["1"])
    #expect(try sqlite.store.texts("PRAGMA foreign_keys") == ["0"])
    try backend.close()
    try sqlite.close()
  }

  @Test(
    "inserts all records of a table with one prepared statement", arguments: Durability.allCases)
  func preparesOnce(durability: Durability) throws {
    let menu = Menu(shape: MenuShape(.small).with(lists: .repeated))
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try replace(menu, in: backend)
    let runs = try backend.accessing("read") { database in
      try database.writeWithoutTransaction { db in
        let statement = try #require(insertion(into: "slotOption", of: db.sqliteConnection))
        return Int(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0))
      }
    }
    let own = menu.combos.flatMap(\.slots).reduce(0) { $0 + ($1.options ?? []).count }
    #expect(own > 100)
    #expect(runs == own)
    try backend.close()
  }

  private func insertion(into table: String, of connection: SQLiteConnection?) -> SQLiteStatement? {
    var statement = sqlite3_next_stmt(connection, nil)
    while let current = statement {
      let sql = sqlite3_sql(current).map { String(cString: $0) } ?? ""
      if sql.hasPrefix("INSERT INTO \"\(table)\" ") { return current }
      statement = sqlite3_next_stmt(connection, current)
    }
    return nil
  }

  @Test("refuses a menu that SQLite's limit of parameters would not let it read")
  func parameterLimit() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    try backend.accessing("write") { database in
      database.writeWithoutTransaction {
        _ = sqlite3_limit($0.sqliteConnection, SQLITE_LIMIT_VARIABLE_NUMBER, 20)
      }
    }
    let error = StoreError(
      operation: "write", path: path,
      reason: "21 variants: one request fetches the parts of at most 20")
    #expect(throws: error) { try replace(Fixtures.oddTexts, in: backend) }
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("keeps a text without NUL and ESC unchanged", arguments: Fixtures.texts)
  func plainTexts(text: String) throws {
    let isPlain = !text.utf8.contains(0)
    #expect(text.stored.utf8.elementsEqual(text.utf8) == isPlain)
    #expect(!text.stored.utf8.contains(0))
    #expect(try text.stored.restored().utf8.elementsEqual(text.utf8))
  }

  @Test("escapes NUL and ESC, and refuses other escapes")
  func escapes() throws {
    #expect("a\u{0}\u{1B}0".stored == "a\u{1B}0\u{1B}\u{1B}0")
    #expect(try "\u{1B}\u{1B}0\u{1B}0".restored() == "\u{1B}0\u{0}")
    let error = StoreError(
      operation: "decode", path: "records", reason: "a text has an ESC that escapes nothing")
    for damaged in ["\u{1B}", "a\u{1B}1", "\u{1B}\u{1B}\u{1B}"] {
      #expect(throws: error) { try damaged.restored() }
    }
  }

  @Test("has the same payload size as sqlite")
  func sameWeight() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    for menu in [Fixtures.full, Fixtures.extremes, Menu(shape: MenuShape(.small))] {
      #expect(backend.size(of: try backend.encode(menu)) == .bytes(try MenuRows(menu).bytes))
    }
    try backend.close()
  }

  @Test("refuses a product that is embedded with other content")
  func embedded() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    var menu = Fixtures.embedding(Fixtures.full)
    menu.optionLists[0].options[0].product?.name = "Другая"
    let error = StoreError(
      operation: "encode", path: "menu",
      reason: "product 300 is embedded with other content than in the menu")
    #expect(throws: error) { try backend.encode(menu) }
    try backend.close()
  }

  @Test("refuses parts and readers once it is closed", arguments: Durability.allCases)
  func closed(durability: Durability) throws {
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try backend.close()
    func refusal(_ operation: String) -> StoreError {
      StoreError(operation: operation, path: path, reason: "the store is closed")
    }
    #expect(throws: refusal("read")) { try backend.product(1) }
    #expect(throws: refusal("write")) { try backend.apply(MenuPatch(revision: 1)) }
    #expect(throws: refusal("open")) { try backend.openReader() }
  }
}

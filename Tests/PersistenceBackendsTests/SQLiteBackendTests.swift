import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The sqlite backend")
struct SQLiteBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("keeps the old menu if a row of the new one breaks a rule", arguments: Durability.allCases)
  func rollsBack(durability: Durability) throws {
    let backend = try SQLiteBackend(folder.store(durability))
    let good = try backend.encode(Fixtures.full)
    try backend.write(good)
    for broken in try brokenRows() {
      #expect(throws: broken.error(folder.path + "/menu.sqlite")) {
        try backend.write(broken.rows)
      }
      #expect(try backend.read() == good)
    }
    try backend.write(good)
    try backend.close()
  }

  private struct Broken {
    var rows: MenuRows
    var reason: String

    func error(_ path: String) -> StoreError {
      StoreError(operation: "write", path: path, reason: reason)
    }
  }

  /// Rows that violate an immediate foreign key, a deferred one and a primary key.
  private func brokenRows() throws -> [Broken] {
    var dangling = try MenuRows(Fixtures.full)
    dangling.combos.slotOptions[0].productID = 999
    var orphan = try MenuRows(Fixtures.full)
    orphan.categories[0].parentID = 999
    var twice = try MenuRows(Fixtures.full)
    twice.translations.append(twice.translations[0])
    // Among so many rows that they are added several at once.
    var crowded = try MenuRows(Menu(shape: MenuShape(.small)))
    crowded.translations[20] = crowded.translations[3]
    return [
      Broken(
        rows: dangling,
        reason: "FOREIGN KEY constraint failed: "
          + "a row of slot_option names a row that is not in product"),
      Broken(
        rows: orphan,
        reason: "FOREIGN KEY constraint failed: category 1 names a row that is not in category"),
      Broken(
        rows: twice, reason: "UNIQUE constraint failed: translation.position (SQLite 1555)"),
      Broken(
        rows: crowded, reason: "UNIQUE constraint failed: translation.position (SQLite 1555)"),
    ]
  }

  @Test("adds rows in groups and one by one, with empty texts, long texts and NULLs")
  func insertions() throws {
    let backend = try SQLiteBackend(folder.store(.atomic))
    for count in [0, 1, 15, 16, 17, 31, 32, 33, 100] {
      var rows = try MenuRows(Fixtures.full)
      rows.stopList = (0..<count).map { index in
        var row = StopListRow()
        row.position = index
        row.entity = index.isMultiple(of: 3) ? "" : String(repeating: "é", count: 40 * index)
        row.entityID = -index
        row.until = index.isMultiple(of: 2) ? nil : "\(index)"
        return row
      }
      try backend.write(rows)
      #expect(try backend.read() == rows, "\(count) rows")
    }
    try backend.close()
  }

  @Test("configures its connection for the durability", arguments: Durability.allCases)
  func settings(durability: Durability) throws {
    let expected: [Durability: [String]] = [
      .none: ["memory", "0"], .atomic: ["wal", "1"], .durable: ["wal", "2"],
    ]
    let backend = try SQLiteBackend(folder.store(durability))
    let pragmas = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"]
    let found = try pragmas.flatMap { try backend.store.texts("PRAGMA \($0)") }
    #expect(found == expected[durability, default: []] + ["0", "5000"])
    try backend.close()
  }

  @Test(
    "fills its log with each save until a checkpoint", arguments: [Durability.atomic, .durable])
  func fillsLog(durability: Durability) throws {
    let backend = try SQLiteBackend(folder.store(durability))
    try backend.deferCheckpoints(true)
    let menus = [Fixtures.full, Fixtures.oddTexts]
    var before = 0.0
    for turn in 0..<8 {
      // After a checkpoint, the log starts again with the next write.
      if turn == 4 {
        try backend.checkpoint()
        #expect(backend.logFill == 0)
        before = 0
      }
      try backend.write(backend.encode(menus[turn % 2]))
      let fill = try #require(backend.logFill)
      #expect(fill > before)
      before = fill
    }
    try backend.close()
  }

  @Test("prepares the SELECTs of a whole menu at the first read, and keeps them")
  func prepares() throws {
    let backend = try SQLiteBackend(folder.store())
    let selections = Set(MenuRows.tables.map { $0.table.selection() })
    func prepared() throws -> Int {
      try backend.store.prepared().filter { selections.contains($0) }.count
    }
    #expect(try prepared() == 0)
    try replace(Fixtures.full, in: backend)
    _ = try backend.product(300)
    #expect(try prepared() == 0)
    for _ in 0..<2 {
      _ = try backend.read()
      #expect(try prepared() == 25)
    }
    try backend.close()
  }

  @Test("refuses a row over SQLite's limit and keeps the old menu")
  func limit() throws {
    let backend = try SQLiteBackend(folder.store())
    try replace(Fixtures.bare, in: backend)
    try backend.store.limitRows(to: 10_000)
    var menu = Fixtures.full
    menu.products[0].details = String(repeating: "я", count: 6_000)
    let rows = try backend.encode(menu)
    #expect(
      throws: StoreError(
        operation: "write", path: folder.path + "/menu.sqlite",
        reason: "string or blob too big (SQLite 18)")
    ) { try backend.write(rows) }
    #expect(try restored(from: backend) == Fixtures.bare)
    try backend.close()
  }
}

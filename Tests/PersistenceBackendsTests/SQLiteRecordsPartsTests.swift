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

@Suite("Parts of a menu in sqlite-records")
struct SQLiteRecordsPartsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("are found with the index of their category, not with a scan of all products")
  func categoryIndex() throws {
    let backend = try SQLiteRecordsBackend(folder.store())
    let plan = try backend.reading { db in
      let request = ProductRecord.shown(by: 3)
      let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
      return try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + statement.sql, arguments: statement.arguments
      ).map { $0["detail"] as String }
    }
    #expect(plan.contains("SEARCH product USING INDEX product_on_categoryId (categoryId=?)"))
    #expect(!plan.contains("SCAN product"))
    try backend.close()
  }

  @Test("are read without most of the database", arguments: Durability.allCases)
  func partialReads(durability: Durability) throws {
    let menu = Menu(shape: MenuShape(.medium))
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try replace(menu, in: backend)
    let pages = try backend.reading { try Int.fetchOne($0, sql: "PRAGMA page_count") } ?? 0
    #expect(pages > 100)
    let product = try #require(menu.products.last?.id)
    let combo = try #require(menu.combos.first?.id)
    let forProduct = try pagesRead(by: backend) { _ = try $0.product(product) }
    let forCombo = try pagesRead(by: backend) { _ = try $0.combo(combo) }
    let forMenu = try pagesRead(by: backend) { _ = try $0.read() }
    #expect(forProduct < pages / 5)
    #expect(forCombo < pages / 2)
    #expect(forMenu > pages / 2)
    try backend.close()
  }

  /// The pages that an operation takes from the file once caches are dropped.
  private func pagesRead(
    by backend: SQLiteRecordsBackend, _ body: (SQLiteRecordsBackend) throws -> Void
  ) throws -> Int {
    try backend.dropCaches()
    let before = try cacheMisses(of: backend)
    try body(backend)
    return try cacheMisses(of: backend) - before
  }

  private func cacheMisses(of backend: SQLiteRecordsBackend) throws -> Int {
    try backend.reading { db in
      var (current, high): (Int32, Int32) = (0, 0)
      sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &current, &high, 0)
      return Int(current)
    }
  }
}

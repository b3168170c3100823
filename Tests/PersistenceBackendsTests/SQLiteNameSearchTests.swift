import BackendKit
import GRDB
import MenuModel
import Testing

@testable import SQLBackends

@Suite("Names searched with an index of their keys")
struct SQLiteNameSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("A search reads no row and sorts nothing")
  func plan() throws {
    let backend = try SQLiteBackend(folder.store())
    let plan = try backend.store.plan(of: ProductQuery.names)
    #expect(plan == ["SCAN product USING INDEX product_name_key_name_id"])
    try backend.close()
  }

  @Test("A filter uses the index of the category and that of each product's variants")
  func filterPlan() throws {
    let backend = try SQLiteBackend(folder.store())
    let plan = try backend.store.plan(of: ProductQuery.shelf)
    #expect(
      plan == [
        "SEARCH product USING INTEGER PRIMARY KEY (rowid=?)",
        "LIST SUBQUERY 2",
        "COMPOUND QUERY",
        "LEFT-MOST SUBQUERY",
        "SEARCH product USING COVERING INDEX product_category_id_position (category_id=?)",
        "UNION ALL",
        "SEARCH product_category USING COVERING INDEX product_category_category_id (category_id=?)",
        "LIST SUBQUERY 3",
        "SCAN stop_list",
        "SEARCH variant USING INDEX variant_product_id (product_id=?)",
        "LIST SUBQUERY 4",
        "SCAN stop_list",
        "USE TEMP B-TREE FOR ORDER BY",
      ])
    try backend.close()
  }
}

extension StoreConnection {
  /// How SQLite would run a statement, a line a step.
  func plan(of sql: String) throws -> [String] {
    try run("read") { db in
      let bound = sql.replacing("?1", with: "1").replacing("?2", with: "2")
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + bound).map { $0["detail"] }
    }
  }
}

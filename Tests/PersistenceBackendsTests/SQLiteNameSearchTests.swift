import BackendKit
import GRDB
import MenuModel
import Testing

@testable import SQLBackends

@Suite("Names searched by an index of their keys, or by their trigrams")
struct SQLiteNameSearchTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("No row is read for a search, and nothing is sorted")
  func plan() throws {
    let backend = try SQLiteBackend(folder.store())
    let plan = try backend.store.plan(of: SearchStatements.search)
    #expect(plan == ["SCAN product USING INDEX product_name_key_name_id"])
    try backend.close()
  }

  @Test("A filter goes by the index of the category and that of each product's variants")
  func filterPlan() throws {
    let backend = try SQLiteBackend(folder.store())
    let plan = try backend.store.plan(of: FilterStatement.filter)
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

  @Test("Trigrams find what the keys' index finds, with quotes, NUL and texts of any length")
  func trigrams() throws {
    var menu = Fixtures.bare
    let names =
      Fixtures.texts + [
        "say \"cheese\" now", "a\0bcd", "a\u{FFFD}bcd", "ПИЦЦА Сырная", "пи", "🍕🍕🍕🍕", "aaaa",
        "x AND y", "name_key:x", "star*",
      ]
    menu.categories = [MenuModel.Category(id: 1, name: "")]
    menu.products = names.indices.map {
      Product(id: $0, categoryID: 1, kind: .other, name: names[$0], details: "", variants: [])
    }
    let backend = try SQLiteBackend(folder.store(), hasTrigrams: true)
    for menu in [menu, menu.revised(1), menu] {
      try replace(menu, in: backend)
      let queries =
        names + names.map { String($0.dropFirst().prefix(4)) }
        + [
          "\"", "\"\"\"", "e\" n", "\0bc", "bcd", "\u{FFFD}bc", "AND", "🍕🍕🍕", "*", "-", "пиц",
          "ааа",
        ]
      for query in queries {
        #expect(
          try backend.products(named: query) == NameSearch.products(of: menu, named: query),
          "\(query.debugDescription)")
      }
    }
    try backend.close()
  }

  @Test("A store without trigrams is refused by who searches by them, and the other way round")
  func mixed() throws {
    let plain = folder.store()
    try SQLiteBackend(plain).close()
    let error = #expect(throws: StoreError.self) {
      try SQLiteBackend(plain, hasTrigrams: true)
    }
    #expect(error?.reason == "its tables are not those of schema 5: product_search")
    let other = try TemporaryFolder()
    try SQLiteBackend(other.store(), hasTrigrams: true).close()
    #expect(throws: StoreError.self) { try SQLiteBackend(other.store()) }
  }

  @Test("Only what has three characters and no NUL is looked for by trigrams")
  func phrases() {
    #expect(TrigramSearch.phrase("пи") == nil)
    #expect(TrigramSearch.phrase("a\0bc") == nil)
    #expect(TrigramSearch.phrase("a\"b") == "\"a\"\"b\"")
    #expect(TrigramSearch.text("A\0b") == "a\u{FFFD}b")
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

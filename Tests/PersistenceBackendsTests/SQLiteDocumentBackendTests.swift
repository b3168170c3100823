import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The sqlite-document backend")
struct SQLiteDocumentBackendTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func makeDatabase(_ statements: String...) throws {
    let connection = try CConnection(path: path)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  private func expectRefusal(_ reason: String) {
    #expect(throws: StoreError(operation: "open", path: path, reason: reason)) {
      try SQLiteDocumentBackend(folder.store())
    }
  }

  @Test("finds products by a piece of their name as the reference does")
  func search() throws {
    for (_, menu) in EntityMenus.all {
      let folder = try TemporaryFolder()
      let backend = try SQLiteDocumentBackend(folder.store())
      try replace(menu, in: backend)
      let queries =
        ["", "ПЕП", "к", "ё", "а\u{0}", "\u{0} ЕЩЕ", "e\u{301}", "é", "%", "'"]
        + menu.products.map(\.name)
      for query in queries {
        #expect(
          try backend.products(named: query) == NameSearch.products(of: menu, named: query))
      }
      try backend.close()
    }
  }

  @Test("finds names that hold NUL, quotes, escapes and either form of a letter")
  func oddNames() throws {
    var menu = Fixtures.bare
    menu.products = Fixtures.texts.enumerated().map { id, text in
      Product(id: id, categoryID: 0, kind: .other, name: text, details: "", variants: [])
    }
    let backend = try SQLiteDocumentBackend(folder.store())
    try replace(menu, in: backend)
    for query in Fixtures.texts + ["b", "\u{0}b", "/", "\\", "\"", "Ж"] {
      #expect(try backend.products(named: query) == NameSearch.products(of: menu, named: query))
    }
    try backend.close()
  }

  @Test("answers a search, a shelf and a lookup by its indexes")
  func indexes() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let shelf = "SELECT product_id FROM shelf WHERE category_id ="
    #expect(try backend.store.texts("\(shelf) 3") == ["300"])
    let further = try backend.store.texts("\(shelf) 9")
    #expect(further == ["300", "200"])
    #expect(
      try backend.store.texts(
        """
        SELECT id FROM entity INDEXED BY entity_name WHERE kind = 5 AND instr(name_key, 'кол')
        """) == ["100"])
    let unnamed = try backend.store.texts("SELECT count(*) FROM entity WHERE name_key IS NULL")
    #expect(unnamed == ["15"])
    #expect(try backend.store.texts("PRAGMA integrity_check") == ["ok"])
    try backend.close()
  }

  @Test("reads no JSON but that of the first of a kind, whom the key's index tells")
  func listing() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    let plan = try backend.store.plan(of: DocumentStatements.listing)
    #expect(plan.contains("SEARCH entity USING INTEGER PRIMARY KEY (rowid=?)"))
    #expect(plan.contains("SEARCH entity USING COVERING INDEX entity_key (kind=?)"))
    try backend.close()
  }

  @Test("adds places on shelves and holders sixteen at once")
  func severalAtOnce() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    let payload = try backend.encode(Menu(shape: MenuShape(.small)))
    let before = try backend.store.runs()
    try backend.write(payload)
    let (shelves, holders) = (payload.shelves.count, payload.holders.count)
    #expect(shelves > 16 && holders > 16)
    #expect(
      try backend.store.runs() - before
        == 3 + payload.entities.count + shelves / 16 + shelves % 16 + holders / 16 + holders % 16)
    try backend.close()
  }

  @Test("prepares with their first use what writes, reads and patches, and leaves no JSON bound")
  func prepares() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    func prepared() throws -> [String] {
      try backend.store.prepared().filter { sql in
        ["entity", "shelf", "holder"].contains { sql.contains($0) }
      }
    }
    #expect(try prepared().count == 0)
    try replace(Fixtures.full, in: backend)
    #expect(try prepared().count == 8)
    _ = try backend.product(300)
    _ = try backend.read()
    #expect(try prepared().count == 8 + 5)
    for revision in 1...2 {
      try backend.apply(MenuPatch(revision: revision))
      #expect(try prepared().count == 8 + 5 + 7)
    }
    let columns = "place, kind, id, position, body"
    #expect(
      try prepared().contains(
        "INSERT INTO entity (\(columns)) VALUES (NULL, NULL, NULL, NULL, NULL)"))
    try backend.close()
  }

  @Test("opens readers that cannot write")
  func readOnly() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let reader = try #require(try backend.openReader() as? SQLiteDocumentBackend)
    let payload = try reader.encode(Fixtures.bare)
    #expect(
      throws: StoreError(
        operation: "write", path: path, reason: "attempt to write a readonly database (SQLite 8)")
    ) { try reader.write(payload) }
    #expect(try restored(from: reader) == Fixtures.full)
    try reader.close()
    try backend.close()
  }

  @Test("leaves every byte of JSON that a patch does not name")
  func patchKeepsBytes() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    var menu = Fixtures.extremes
    menu.products[0].details = Fixtures.texts.joined()
    try replace(menu, in: backend)
    let before = try backend.read()
    try backend.apply(
      MenuPatch(revision: 0, prices: [.init(variantID: .min, price: .min)]))
    let after = try backend.read()
    #expect(after.entities.count == before.entities.count)
    for (old, new) in zip(before.entities, after.entities) where old.key.kind != .head {
      #expect(old == new)
    }
    #expect(before.entities[0] != after.entities[0])
    try backend.close()
  }

  @Test("refuses a newer schema by both numbers")
  func newer() throws {
    try makeDatabase(
      "PRAGMA application_id = \(DocumentSchema.stores[0].owner)", "PRAGMA user_version = 7")
    expectRefusal("its schema is 7, newer than 5, which this program knows")
  }

  @Test("refuses a store of the sqlite backend, which refuses ours")
  func otherBackend() throws {
    let other = try SQLiteBackend(folder.store())
    try replace(Fixtures.full, in: other)
    try other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try SQLiteDocumentBackend(folder.store()) }
    let words = error?.reason.prefix(55)
    #expect(words == "not a document store: schema 5 with the tables category")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    let second = try TemporaryFolder()
    try SQLiteDocumentBackend(second.store()).close()
    #expect(throws: StoreError.self) { try SQLiteBackend(second.store()) }
  }

  @Test("refuses somebody's tables, and changes to its own")
  func foreignTables() throws {
    try makeDatabase("CREATE TABLE notes (id)")
    expectRefusal("not a document store: schema 0 with the tables notes")
    try FileManager.default.removeItem(atPath: path)
    try SQLiteDocumentBackend(folder.store()).close()
    try makeDatabase("CREATE TABLE notes (id)", "DROP INDEX entity_name")
    expectRefusal("its tables are not those of schema 5: entity_name, notes")
  }

  @Test("refuses a file that is no database")
  func notADatabase() throws {
    try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: path))
    expectRefusal("file is not a database (SQLite 26)")
  }

  @Test("is read or refused, wherever the damage is", arguments: 1...40 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) throws {
    let first = try SQLiteDocumentBackend(folder.store(.none))
    try replace(Fixtures.full, in: first)
    try first.close()
    try folder.damage("menu.sqlite", seed: seed)
    do {
      let reopened = try SQLiteDocumentBackend(folder.store(.none))
      defer { try? reopened.close() }
      for product in try restored(from: reopened).products {
        _ = try reopened.product(product.id)
        _ = try reopened.products(named: product.name)
      }
      try reopened.apply(MenuPatch(revision: 1))
      try replace(Fixtures.full, in: reopened)
    } catch is StoreError {
      return
    }
  }

  @Test("cut short is refused", arguments: [1, 100, 4_095, 4_096, 20_000])
  func cut(length: UInt64) throws {
    let first = try SQLiteDocumentBackend(folder.store(.none))
    try replace(Fixtures.full, in: first)
    try first.close()
    try folder.cut("menu.sqlite", to: length)
    #expect(throws: StoreError.self) {
      try restored(from: try SQLiteDocumentBackend(folder.store(.none)))
    }
  }

  @Test("refuses an entity over SQLite's limit and keeps the old menu")
  func limit() throws {
    let backend = try SQLiteDocumentBackend(folder.store())
    try replace(Fixtures.bare, in: backend)
    try backend.store.limitRows(to: 10_000)
    var menu = Fixtures.full
    menu.products[0].details = String(repeating: "я", count: 6_000)
    let payload = try backend.encode(menu)
    #expect(
      throws: StoreError(
        operation: "write", path: path,
        reason: "a row is longer than SQLite takes (SQLITE_LIMIT_LENGTH): "
          + "string or blob too big (SQLite 18)")
    ) { try backend.write(payload) }
    #expect(try restored(from: backend) == Fixtures.bare)
    try backend.close()
  }

  @Test("waits for a lock no longer than told, then says who holds it")
  func locked() throws {
    var description = SQLiteDocumentBackend.description(folder.store())
    description.patience = 50
    let backend = try SQLiteDocumentBackend(description)
    let other = try CConnection(path: path)
    try other.run("BEGIN IMMEDIATE")
    let payload = try backend.encode(Fixtures.full)
    #expect(
      throws: StoreError(
        operation: "write", path: path,
        reason:
          "another connection of this process holds it, gave up after 50 ms: database is locked (SQLite 5)"
      )
    ) { try backend.write(payload) }
    other.close()
    try backend.write(payload)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }
}

import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The schema of a sqlite store")
struct SQLiteSchemaTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  /// The columns that changes touch, as the store has them.
  private func columns() throws -> [String] {
    let touched = "'code','kind','name','details','label','rating','price','amount'"
    return try ["product", "variant"].flatMap { table in
      try folder.texts("SELECT name FROM pragma_table_info('\(table)') WHERE name IN (\(touched))")
        .map {
          "\(table).\($0)"
        }
    }
  }

  private let own = [
    "product.code", "product.kind", "product.name", "product.details", "variant.code",
    "variant.price",
  ]

  @Test(
    "has another number and other columns in an older program, and is upgraded in place",
    arguments: [
      (SchemaChange.optional, 1, ["product.code"], []), (.required, 2, ["product.kind"], []),
      (.split, 3, ["product.name", "product.details"], ["product.label"]),
      (.type, 4, ["variant.price"], ["variant.amount"]),
    ], Durability.allCases)
  func older(
    change: (is: SchemaChange, number: Int, lacks: [String], has: [String]), durability: Durability
  ) throws {
    let store = folder.store(durability)
    let other = try SQLiteBackend(store)
    try other.save(Fixtures.full, across: change.is)
    try other.close()
    #expect(try folder.texts("PRAGMA user_version") == ["\(change.number)"])
    let expected = Set(own).subtracting(change.lacks).union(change.has)
    #expect(try Set(columns()) == expected)
    for _ in 1...2 {
      let backend = try SQLiteBackend(store)
      #expect(try restored(from: backend) == Fixtures.full.across(change.is))
      try backend.close()
      #expect(try folder.texts("PRAGMA user_version") == ["5"])
      #expect(try Set(columns()) == Set(own))
    }
    #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try folder.texts("PRAGMA foreign_key_check") == [])
  }

  @Test("is refused if a newer program wrote it, with both numbers, and stays unchanged")
  func newer() throws {
    let other = try SQLiteBackend(folder.store())
    try other.save(Fixtures.full, across: .back)
    try other.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(
      throws: StoreError(
        operation: "open", path: path,
        reason: "its schema is 6, newer than 5, which this program knows")
    ) { try SQLiteBackend(folder.store()) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try Set(columns()) == Set(own + ["product.rating"]))
  }

  @Test("cannot be upgraded by a reader")
  func reader() throws {
    let backend = try SQLiteBackend(folder.store())
    try backend.save(Fixtures.full, across: .required)
    #expect(
      throws: StoreError(
        operation: "open", path: path,
        reason: "its schema is 2, which only a writer can upgrade")
    ) { try backend.openReader() }
    try backend.close()
  }

  @Test("is checked by its tables, not by its number alone")
  func onlyNumber() throws {
    try SQLiteBackend(folder.store()).close()
    try folder.run("PRAGMA user_version = 3")
    #expect(
      throws: StoreError(
        operation: "open", path: path,
        reason: "its tables are not those of schema 3: product, product_name_key_name_id")
    ) { try SQLiteBackend(folder.store()) }
  }

  @Test("has every index, or the store is refused")
  func indexes() throws {
    try SQLiteBackend(folder.store()).close()
    let names =
      "SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
    #expect(
      try folder.texts(names) == [
        "category_parent_id", "combo_position", "product_category_category_id",
        "product_category_id_position", "product_name_key_name_id", "slot_combo_id",
        "variant_product_id",
      ])
    try folder.run("DROP INDEX slot_combo_id")
    let error = #expect(throws: StoreError.self) { try SQLiteBackend(folder.store()) }
    #expect(error?.reason == "its tables are not those of schema 5: slot_combo_id")
  }

  @Test("is refused with another owner, whatever its number")
  func foreignOwner() throws {
    try SQLiteBackend(folder.store()).close()
    try folder.run("PRAGMA application_id = 77")
    let error = #expect(throws: StoreError.self) { try SQLiteBackend(folder.store()) }
    #expect(error?.reason.hasPrefix("not a menu store: schema 5 with the tables category,") == true)
  }
}

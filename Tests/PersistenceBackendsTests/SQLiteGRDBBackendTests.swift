import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import SQLBackends

@Suite("The sqlite-grdb backend")
struct SQLiteGRDBBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("adds rows in groups and one by one, with odd texts, long texts and NULLs")
  func insertions() throws {
    let backend = try GRDBBackend(folder.store())
    func runs(_ count: Int) throws -> Int {
      var rows = try MenuRows(Fixtures.full)
      rows.stopList = (0..<count).map { index in
        StopListRow(
          position: index,
          entity: index.isMultiple(of: 3) ? "" : String(repeating: "é\0", count: 40 * index),
          entityID: -index, until: index.isMultiple(of: 2) ? nil : "\(index)")
      }
      let before = try backend.store.runs()
      try backend.write(rows)
      let runs = try backend.store.runs() - before
      #expect(try backend.read() == rows, "\(count) rows")
      return runs
    }
    let none = try runs(0)
    let more = try [1, 15, 16, 17, 31, 32, 33, 100].map { try runs($0) - none }
    #expect(more == [1, 15, 1, 2, 16, 2, 3, 10])
    try backend.close()
  }

  @Test("keeps the old menu if one of the rows that are added at once breaks a rule")
  func rollsBack() throws {
    let backend = try GRDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    var broken = try MenuRows(Menu(shape: MenuShape(.small)))
    let whole = broken
    broken.translations[20] = broken.translations[3]
    #expect(
      throws: StoreError(
        operation: "write", path: folder.path + "/menu.sqlite",
        reason: "UNIQUE constraint failed: translation.position (SQLite 1555)")
    ) { try backend.write(broken) }
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.write(whole)
    #expect(try backend.read() == whole)
    try backend.close()
  }

  @Test("patches with statements that stay prepared, one run for each change")
  func patch() throws {
    let backend = try GRDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let patch = MenuPatch(
      revision: 5, prices: [.init(variantID: 31, price: 1), .init(variantID: 32, price: 2)],
      availability: [.init(productID: 100, availability: .hidden)])
    for _ in 0..<2 {
      let before = try backend.store.runs()
      try backend.apply(patch)
      #expect(try backend.store.runs() - before == 4)
    }
    var menu = Fixtures.full
    try menu.apply(patch)
    #expect(try restored(from: backend).fingerprint == menu.fingerprint)
    try backend.close()
  }

  @Test("reads a part with a SELECT for each table, and looks for the menu only if it finds none")
  func parts() throws {
    let backend = try GRDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    func runs(_ read: () throws -> Void) throws -> Int {
      let before = try backend.store.runs()
      try read()
      return try backend.store.runs() - before
    }
    for _ in 0..<2 {
      let counts = try [
        runs { _ = try backend.product(300) }, runs { _ = try backend.product(-7) },
        runs { _ = try backend.combo(11) }, runs { _ = try backend.combo(-7) },
      ]
      #expect(counts == [10, 11, 15, 16])
    }
    try backend.close()
  }

  @Test("keeps its statements when caches are dropped, and reads the file again")
  func dropsPagesAlone() throws {
    let backend = try GRDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    let selections = Set(MenuRows.tables.map { $0.table.selection() })
    func prepared() throws -> [Int] {
      let all = try backend.store.prepared()
      return [
        all.count { selections.contains($0) }, all.count { $0.hasPrefix("INSERT") },
        all.count { $0.hasPrefix("DELETE") },
      ]
    }
    #expect(try prepared() == [25, 25, 25])
    let pages = try backend.store.pagesFetched()
    try backend.dropCaches()
    #expect(try prepared() == [25, 25, 25])
    #expect(try restored(from: backend) == Fixtures.full)
    #expect(try backend.store.pagesFetched() > pages)
    try replace(Fixtures.full, in: backend)
    #expect(try prepared() == [25, 25, 25])
    try backend.close()
  }

  @Test("adds a stopped product at the end of the list, renews it there, and removes it")
  func stops() throws {
    let backend = try GRDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    var menu = Fixtures.full
    let steps: [(isStopped: Bool, until: String?)] = [
      (true, "2026-12-24"), (true, nil), (false, nil), (true, "a\0b"),
    ]
    for (isStopped, until) in steps {
      let patch = MenuPatch(
        revision: menu.revision + 1,
        stops: [
          .init(entity: .product, entityID: 200, isStopped: isStopped, until: until),
          .init(entity: .variant, entityID: 32, isStopped: isStopped),
        ])
      try backend.apply(patch)
      try menu.apply(patch)
      #expect(try restored(from: backend).fingerprint == menu.fingerprint)
    }
    try backend.close()
  }
}

import BackendKit
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import SQLBackends
import Testing

/// Laws for all that keep a menu in their own tables, however they use SQLite.
@Suite("A backend of tables")
struct TableLawTests {
  private static let ids = ["sqlite", "sqlite-grdb", "sqlite-records"]

  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ id: String, _ durability: Durability) throws -> any Backend<Menu> {
    try EveryBackend.entry(id).open(folder.store(durability))
  }

  @Test("keeps its log after a write if a crash must not lose the menu", arguments: ids)
  func journalModes(id: String) throws {
    for (durability, files) in [
      (Durability.none, ["menu.sqlite"]),
      (.atomic, ["menu.sqlite", "menu.sqlite-shm", "menu.sqlite-wal"]),
      (.durable, ["menu.sqlite", "menu.sqlite-shm", "menu.sqlite-wal"]),
    ] {
      let folder = try TemporaryFolder()
      let backend = try EveryBackend.entry(id).open(folder.store(durability))
      try replace(Fixtures.full, in: backend)
      #expect(try restored(from: backend) == Fixtures.full)
      let reading = try #require(backend.concurrent)
      let reader = try reading.openReader()
      try reader.close()
      #expect(try folder.files() == files)
      let used = try folder.bytes()
      try backend.close()
      #expect(try folder.files() == ["menu.sqlite"])
      // The log counts while there is one.
      #expect(try durability == .none ? used == folder.bytes() : used > folder.bytes())
    }
  }

  @Test(
    "reads the same after it was reopened at another durability", arguments: ids,
    Durability.allCases)
  func otherDurability(id: String, durability: Durability) throws {
    let first = try open(id, .atomic)
    try replace(Fixtures.full, in: first)
    try first.close()
    let second = try open(id, durability)
    #expect(try restored(from: second) == Fixtures.full)
    try replace(Fixtures.bare, in: second)
    #expect(try restored(from: second) == Fixtures.bare)
    try second.close()
  }

  @Test("refuses a file that is not a database", arguments: ids, Durability.allCases)
  func notADatabase(id: String, durability: Durability) throws {
    try Data(repeating: 0x41, count: 4_096).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try open(id, durability) }
    #expect(error?.operation == "open")
    #expect(error?.path == path)
    let words = "file is not a database"
    #expect(
      id == "sqlite-records"
        ? error?.reason.hasPrefix(words) == true : error?.reason == words + " (SQLite 26)")
  }

  @Test("refuses a missing folder", arguments: ids, Durability.allCases)
  func missingFolder(id: String, durability: Durability) throws {
    let store = StoreContext(folder: folder.path + "/none", durability: durability)
    let error = #expect(throws: StoreError.self) { try EveryBackend.entry(id).open(store) }
    #expect(error?.operation == "open")
    #expect(error?.path == folder.path + "/none/menu.sqlite")
  }

  @Test("counts 8 bytes for a number, the UTF-8 of a text, and nothing for NULL", arguments: ids)
  func payloadSize(id: String) throws {
    let backend = try open(id, .atomic)
    var menu = Fixtures.bare
    #expect(try size(of: menu, in: backend) == .bytes(16))
    menu.city = "Уфа"
    menu.categories = [Category(id: 1, name: "é")]
    #expect(try size(of: menu, in: backend) == .bytes(16 + 6 + 8 + 8 + 2))
    menu.categories[0].parentID = 1
    #expect(try size(of: menu, in: backend) == .bytes(16 + 6 + 8 + 8 + 8 + 2))
    try backend.close()
  }

  private func size(of menu: Menu, in backend: some Backend<Menu>) throws -> BackendKit.Size {
    try backend.size(of: backend.encode(menu))
  }
}

/// Laws for all that keep a menu in parts, with any library.
@Suite("A database")
struct PartLawTests {
  private static let files = [
    "sqlite": "menu.sqlite", "sqlite-grdb": "menu.sqlite", "sqlite-records": "menu.sqlite",
    "object-graph": "objects.sqlite", "object-graph-faulting": "objects.sqlite", "lmdb": "data.mdb",
  ]
  /// Those that go to SQLite by one connection of their own.
  private static let connections = files.filter { $0.key != "lmdb" && $0.key != "sqlite-records" }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("refuses everything once it is closed", arguments: files, Durability.allCases)
  func closed(database: (key: String, value: String), durability: Durability) throws {
    let backend = try EveryBackend.entry(database.key).open(folder.store(durability))
    try checkClosed(backend, folder.path + "/" + database.value)
  }

  private func checkClosed(_ backend: some Backend<Menu>, _ path: String) throws {
    let payload = try backend.encode(Fixtures.bare)
    try backend.close()
    func refusal(_ operation: String) -> StoreError {
      StoreError(operation: operation, path: path, reason: "the store is closed")
    }
    #expect(throws: refusal("write")) { try backend.write(payload) }
    #expect(throws: refusal("read")) { try backend.read() }
  }

  @Test("reads the file again after its caches are dropped", arguments: connections)
  func dropsCaches(id: String, file: String) throws {
    let backend = try EveryBackend.entry(id).open(folder.store(.none))
    try replace(Fixtures.full, in: backend)
    // The first page tells SQLite whether another connection wrote, so it must not change.
    for _ in 0..<2 {
      #expect(try restored(from: backend) == Fixtures.full)
      try folder.overwrite(file, from: 4_096)
    }
    try backend.dropCaches()
    #expect(throws: StoreError.self) { try backend.read() }
  }

  @Test("is not written by its readers", arguments: connections)
  func readOnly(id: String, file: String) throws {
    let backend = try EveryBackend.entry(id).open(folder.store())
    try replace(Fixtures.full, in: backend)
    let reading = try #require(backend.concurrent)
    let reader = try #require(try reading.openReader() as? any Backend<Menu>)
    let refusal = StoreError(
      operation: "write", path: folder.path + "/" + file,
      reason: "attempt to write a readonly database (SQLite 8)")
    #expect(throws: refusal) { try replace(Fixtures.bare, in: reader) }
    #expect(throws: refusal) { try patch(reader) }
    try reader.close()
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  private func patch(_ backend: some Backend<Menu>) throws {
    try MenuAccess(backend).store(MenuPatch(revision: 1), making: Fixtures.bare)
  }

  @Test("says why there is no part: nothing was written, or the store is closed", arguments: files)
  func reasons(id: String, file: String) throws {
    let backend = try EveryBackend.entry(id).open(folder.store())
    for reason in ["nothing was written", "the store is closed"] {
      check(backend, reason, folder.path + "/" + file)
      try backend.close()
    }
  }

  private func check(_ backend: some Backend<Menu>, _ reason: String, _ path: String) {
    let access = MenuAccess(backend)
    let filter = ProductFilter(categoryID: 1, priceUpTo: 1)
    let calls: [() throws -> Void] = [
      { _ = try access.product(1) }, { _ = try access.combo(1) }, { _ = try access.firstScreen() },
      { _ = try access.products(named: "") }, { _ = try access.products(passing: filter) },
      { try access.store(MenuPatch(revision: 1), making: Fixtures.bare) },
    ]
    for (place, call) in calls.enumerated() {
      let error = #expect(throws: StoreError.self, "\(place)") { try call() }
      #expect(error?.reason == reason, "\(place)")
      #expect(error?.path == path, "\(place)")
    }
  }
}

@Suite("A damaged database")
struct DamagedDatabaseTests {
  private static let ids = [
    "sqlite", "sqlite-records", "sqlite-blob", "object-graph", "object-graph-faulting",
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(_ id: String) throws -> any Backend<Menu> {
    try EveryBackend.entry(id).open(folder.store(.none))
  }

  /// Writes a menu, and returns the name of the file that has it.
  private func write(_ menu: Menu, by id: String) throws -> String {
    let backend = try open(id)
    try replace(menu, in: backend)
    try backend.close()
    let files = try folder.files()
    try #require(files.count == 1)
    return files[0]
  }

  @Test("is read or refused, wherever the damage is", arguments: ids, 1...40 as ClosedRange<UInt64>)
  func damaged(id: String, seed: UInt64) throws {
    try folder.damage(write(Fixtures.full, by: id), seed: seed)
    do {
      let reopened = try open(id)
      defer { try? reopened.close() }
      if let objects = reopened as? ObjectBackend {
        _ = try? objects.combo(12)
        _ = try? objects.products(named: "п")
      }
      _ = try restored(from: reopened).fingerprint
      if reopened is ObjectBackend { try replace(Fixtures.full, in: reopened) }
    } catch is StoreError {
      return
    } catch let error as DecodingError {
      // The database may be whole, and the document in it not.
      #expect(id == "sqlite-blob", "\(error)")
    }
  }

  @Test("is refused if it is cut short", arguments: ids, [1, 100, 4_095, 4_096, 8_192, 20_000])
  func cut(id: String, length: UInt64) throws {
    try folder.cut(write(Menu(shape: MenuShape(.small)), by: id), to: length)
    #expect(throws: StoreError.self) { try restored(from: try open(id)) }
  }
}

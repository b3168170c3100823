import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private struct Crash: Error {}

/// JSON whose next write ends half-way, as a process that dies leaves it.
private final class Crashing: Wrapper {
  private var path = ""

  override func write(_ payload: Menu) throws {
    let bytes = try JSONEncoder().encode(payload)
    try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: path))
    throw Crash()
  }

  static let entry = BackendEntry<Menu>(id: "crashing", summary: "dies") { store in
    let backend = Crashing(try BackendEntry<Menu>.json.open(store))
    backend.path = store.path("menu.json")
    return backend
  }
}

@Suite("A store with a schema stamp")
final class StampedStoreTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "stamp-\(UUID())")
    .path
  private let old = WorkloadStage.menu
  private let new = WorkloadStage.menu.revised(1)

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func store(
    _ entry: BackendEntry<Menu> = .json, _ durability: Durability = .atomic
  ) -> StampedStore {
    StampedStore(entry, in: StoreContext(folder: folder, durability: durability))
  }

  /// The names of what lies in the folder, sorted.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("is kept by programs of its schema and discarded by others", arguments: Durability.allCases)
  func schemas(durability: Durability) throws {
    let store = store(.json, durability)
    #expect(try store.schema == nil)
    #expect(try store.open(asSchema: 1) { old }.whole() == old)
    #expect(try store.schema == 1)
    #expect(try store.open(asSchema: 1) { throw Crash() }.whole() == old)
    #expect(try store.open(asSchema: 2) { new }.whole() == new)
    #expect(try store.schema == 2)
    #expect(try store.open(asSchema: 1) { old }.whole() == old)
    #expect(try store.schema == 1)
    #expect(try files() == ["schema", "store"])
  }

  @Test("stays unchanged until a menu is fetched")
  func offline() throws {
    _ = try store().open(asSchema: 1) { old }
    #expect(throws: Crash.self) { try store().open(asSchema: 2) { throw Crash() } }
    #expect(try store().schema == 1)
    #expect(try store().open(asSchema: 1) { throw Crash() }.whole() == old)
  }

  @Test("has no schema after a crash half-way, for any program", arguments: [1, 2, 3])
  func crash(next: Int) throws {
    _ = try store().open(asSchema: 1) { old }
    #expect(throws: Crash.self) { try store(Crashing.entry).open(asSchema: 2) { new } }
    #expect(try files() == ["schema", "store"])
    #expect(try store().schema == nil)
    #expect(try store().open(asSchema: next) { new }.whole() == new)
    #expect(try store().schema == next)
  }

  @Test(
    "is discarded if its stamp names no schema",
    arguments: ["", "none", "1 ", "one", "1\n", "99999999999999999999"])
  func strange(stamp: String) throws {
    _ = try store().open(asSchema: 1) { old }
    try stamp.write(toFile: folder + "/schema", atomically: true, encoding: .utf8)
    #expect(try store().schema == nil)
    #expect(try store().open(asSchema: 1) { new }.whole() == new)
  }

  @Test("is not discarded because its stamp cannot be read")
  func unreadable() throws {
    _ = try store().open(asSchema: 1) { old }
    try FileManager.default.removeItem(atPath: folder + "/schema")
    try FileManager.default.createDirectory(
      atPath: folder + "/schema", withIntermediateDirectories: false)
    #expect(throws: StoreError.self) { try store().open(asSchema: 1) { new } }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/store").count == 1)
  }
}

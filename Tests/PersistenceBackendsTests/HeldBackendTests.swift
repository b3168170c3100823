import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

private func held(
  in folder: String, _ durability: Durability = .atomic
) -> HeldBackend<CodableCodec<Menu, JSONCodec>> {
  HeldBackend(
    CodableCodec<Menu, JSONCodec>(JSONCodec()),
    StoreContext(folder: folder, durability: durability), name: "menu.json")
}

@Suite("A held menu")
struct HeldBackendTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.json" }

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ durability: Durability = .atomic
  ) -> HeldBackend<CodableCodec<Menu, JSONCodec>> {
    held(in: folder.path, durability)
  }

  @Test("never reads the file for what it holds", arguments: Durability.allCases)
  func readsMemory(durability: Durability) throws {
    let backend = open(durability)
    try replace(Fixtures.full, in: backend)
    try Data().write(to: URL(filePath: path))
    #expect(try restored(from: backend) == Fixtures.full)
    #expect(try backend.held() == Fixtures.full)
    #expect(try backend.product(300)?.name == "Пепперони")
  }

  @Test("loads from the file after its caches are dropped, and holds the loaded menu")
  func loadsFromFile() throws {
    let backend = open()
    #expect(throws: StoreError.self) { try backend.held() }
    try replace(Fixtures.oddTexts, in: backend)
    try open().put(Fixtures.full)
    #expect(try restored(from: backend) == Fixtures.oddTexts)
    try backend.dropCaches()
    #expect(throws: StoreError.self) { try backend.held() }
    let payload = try backend.read()
    #expect(payload.document == nil)
    #expect(try backend.decode(payload) == Fixtures.full)
    #expect(try backend.held() == Fixtures.full)
  }

  @Test("keeps what it holds if the file could not be written, whatever is dropped")
  func keepsUnsaved() throws {
    let backend = held(in: folder.path + "/none")
    try replace(Fixtures.full, in: backend)
    try backend.dropCaches()
    #expect(try backend.held() == Fixtures.full)
    #expect(throws: StoreError.self) { try backend.close() }
  }

  @Test("keeps no menu that was read before another was written")
  func outdated() throws {
    let backend = open()
    try replace(Fixtures.oddTexts, in: backend)
    try backend.dropCaches()
    let payload = try backend.read()
    try replace(Fixtures.full, in: backend)
    try backend.dropCaches()
    #expect(try backend.decode(payload).fingerprint == Fixtures.oddTexts.fingerprint)
    #expect(throws: StoreError.self) { try backend.held() }
    #expect(try restored(from: backend) == Fixtures.full)
    #expect(try backend.held() == Fixtures.full)
  }

  @Test("reads the file once after it was reopened")
  func readsOnce() throws {
    try replace(Fixtures.oddTexts, in: open())
    let backend = open()
    #expect(try restored(from: backend).fingerprint == Fixtures.oddTexts.fingerprint)
    try FileManager.default.removeItem(atPath: path)
    #expect(try restored(from: backend).fingerprint == Fixtures.oddTexts.fingerprint)
  }

  @Test("keeps what JSON keeps in the file")
  func file() throws {
    let backend = open()
    let payload = try backend.encode(Fixtures.full)
    try backend.write(payload)
    #expect(try folder.files() == ["menu.json"])
    let json = try Data(contentsOf: URL(filePath: path))
    #expect(backend.size(of: payload) == .bytes(json.count))
    #expect(try JSONDecoder().decode(Menu.self, from: json) == Fixtures.full)
    #expect(backend.fileFailure == nil)
  }

  @Test("writes a payload that it read")
  func writesPayloadRead() throws {
    let backend = open()
    try replace(Fixtures.full, in: backend)
    let read = try backend.read()
    try replace(Fixtures.bare, in: backend)
    try backend.write(read)
    #expect(try restored(from: open()) == Fixtures.full)
  }

  @Test("refuses a file that is cut, and names it")
  func cut() throws {
    try replace(Fixtures.full, in: open())
    try folder.cut("menu.json", to: 100)
    let error = #expect(throws: StoreError.self) { try restored(from: open()) }
    #expect(error?.operation == "read")
    #expect(error?.path == path)
    let fault = "it is damaged, or holds a number that is not allowed there"
    #expect(error?.reason == "its 100 bytes cannot be decoded: \(fault)")
  }

  @Test("refuses another backend's file")
  func foreign() throws {
    let writer = try BackendEntry<Menu>.plist.open(folder.store())
    try replace(Fixtures.full, in: writer)
    try FileManager.default.moveItem(atPath: folder.path + "/menu.plist", toPath: path)
    #expect(throws: StoreError.self) { try restored(from: open()) }
  }

  @Test("comes from any codec's file once, and then gives a product from memory")
  func anyCodec() throws {
    let entry = try EveryBackend.entry("protobuf@held")
    try replace(Fixtures.full, in: try entry.open(folder.store()))
    #expect(try folder.files() == ["menu.pb"])
    let backend = try entry.open(folder.store())
    #expect(try restored(from: backend) == Fixtures.full)
    try FileManager.default.removeItem(atPath: folder.path + "/menu.pb")
    let reading = try #require(backend as? any ProductReading)
    #expect(try reading.product(300)?.name == "Пепперони")
  }
}

@Suite("A held menu with an unwritable file")
struct UnwritableFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.json" }
  private var gone: StoreError {
    StoreError(operation: "open", path: path, reason: "No such file or directory")
  }

  init() throws { folder = try TemporaryFolder() }

  /// Takes the folder away while something is done.
  private func withoutFolder(_ body: () throws -> Void) throws {
    let away = folder.path + "-away"
    try FileManager.default.moveItem(atPath: folder.path, toPath: away)
    defer { try? FileManager.default.moveItem(atPath: away, toPath: folder.path) }
    try body()
  }

  @Test(
    "continues in memory, keeps the old file whole, and says so until it can write",
    arguments: [Durability.atomic, .durable])
  func goesOn(durability: Durability) throws {
    let backend = held(in: folder.path, durability)
    try replace(Fixtures.full, in: backend)
    let old = try Data(contentsOf: URL(filePath: path))

    try withoutFolder { try replace(Fixtures.oddTexts, in: backend) }
    #expect(try restored(from: backend).fingerprint == Fixtures.oddTexts.fingerprint)
    #expect(try Data(contentsOf: URL(filePath: path)) == old)
    #expect(backend.fileFailure == gone)
    #expect(throws: gone) { try backend.close() }

    try replace(Fixtures.bare, in: backend)
    #expect(backend.fileFailure == nil)
    try backend.close()
    #expect(try restored(from: held(in: folder.path, durability)) == Fixtures.bare)
  }

  @Test("patches the menu in memory")
  func patches() throws {
    let backend = held(in: folder.path)
    try replace(Fixtures.full, in: backend)
    try withoutFolder { try backend.apply(MenuPatch(revision: 43)) }
    #expect(try restored(from: backend).revision == 43)
    #expect(backend.fileFailure == gone)
    #expect(try restored(from: held(in: folder.path)).revision == 42)
  }

  @Test("continues without a folder for the file")
  func noFolder() throws {
    let backend = held(in: folder.path + "/none")
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    #expect(
      backend.fileFailure
        == StoreError(
          operation: "open", path: folder.path + "/none/menu.json",
          reason: "No such file or directory"))
  }
}

@Suite("Readers of a held menu")
struct HeldReaderTests {
  @Test(
    "read the old menu or the new one while another writes, each by a codec of its own",
    arguments: ["cached-json", "json-simdjson@held", "json-zstd@held"])
  func concurrency(id: String) throws {
    let folder = try TemporaryFolder()
    let store = try EveryBackend.entry(id).open(folder.store())
    let menus = [Fixtures.full, Fixtures.full.revised(1)]
    let known = Set(menus.map(\.fingerprint.value))
    let same = try #require(menus[0].products.first { menus[1].product($0.id) == $0 })
    try replace(menus[0], in: store)
    let reading = try #require(store as? any ConcurrentReading)
    var opened = [store]
    for _ in 1...3 {
      opened.append(try #require(try reading.openReader() as? any Backend<Menu>))
    }
    nonisolated(unsafe) let handles = opened
    // Not a Mutex: on Linux the thread sanitizer does not see it lock.
    let counting = NSLock()
    nonisolated(unsafe) var seen: [UInt64: Int] = [:]
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      let handle = handles[worker]
      for turn in 0..<100 {
        if worker == 0 {
          try? replace(menus[turn % 2], in: handle)
        } else if let fingerprint = try? restored(from: handle).fingerprint.value,
          let product = try? (handle as? any ProductReading)?.product(same.id), product == same
        {
          counting.withLock { seen[fingerprint, default: 0] += 1 }
        }
      }
    }
    #expect(seen.values.reduce(0, +) == 300)
    #expect(known.isSuperset(of: seen.keys))
    for handle in handles.reversed() { try handle.close() }
  }
}

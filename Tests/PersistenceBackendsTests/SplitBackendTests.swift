import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit

@Suite("The json-split backend")
struct SplitBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The folders of generations that there are.
  private func generations() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("generation-") }.sorted()
  }

  @Test("keeps one generation: a file a category, one of all combos, one for the first screen")
  func files() throws {
    let backend = SplitBackend(folder.store())
    try replace(Fixtures.oddTexts, in: backend)
    try replace(Fixtures.full, in: backend)
    let generation = try #require(try generations().first)
    #expect(try generations() == [generation])
    let shelves = Set(Fixtures.full.products.map(\.categoryID)).map { "category-\($0).json" }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + generation)
    #expect(
      names.sorted()
        == (shelves + ["combos.json", "head.json", "index.json", "screen.json"]).sorted())
    #expect(
      try String(contentsOfFile: folder.path + "/current", encoding: .utf8) == generation)
  }

  @Test("lists no generation that another replaced, whose files may be half removed")
  func replacedWhileListed() throws {
    let backend = SplitBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let old = try #require(try generations().first)
    let generations = Generations(folder.store())
    #expect(try generations.files(of: old).count > 4)
    try replace(Fixtures.oddTexts, in: backend)
    let path = folder.path + "/" + old
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data().write(to: URL(fileURLWithPath: path + "/head.json"))
    #expect(
      throws: StoreError(operation: "read", path: path, reason: "it was replaced meanwhile")
    ) { try generations.files(of: old) }
    #expect(try restored(from: backend) == Fixtures.oddTexts)
  }

  @Test("leaves the old menu where a file of the new cannot be written, and nothing beside it")
  func failedWrite() throws {
    let backend = SplitBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    let before = try generations()
    var payload = try backend.encode(Fixtures.oddTexts)
    payload.files["no/such/folder.json"] = Data()
    let error = #expect(throws: StoreError.self) { try backend.write(payload) }
    #expect(error?.operation == "open")
    #expect(try generations() == before)
    #expect(try restored(from: backend) == Fixtures.full)
  }

  @Test("removes what writers that died left, and leaves what somebody writes")
  func leftovers() throws {
    try replace(Fixtures.full, in: SplitBackend(folder.store()))
    let current = try generations()
    let (dead, alive) = ("generation-aaaaaaaaaaaaaaaa", "generation-aaaaaaaaaaaaaaab")
    for name in [dead, alive] {
      try FileManager.default.createDirectory(
        atPath: folder.path + "/" + name, withIntermediateDirectories: false)
      try Data("[]".utf8).write(to: URL(filePath: folder.path + "/\(name)/head.json"))
    }
    let lock = open(folder.path + "/" + alive, O_RDONLY)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let backend = SplitBackend(folder.store())
    #expect(try generations() == (current + [alive]).sorted())
    close(lock)
    try replace(Fixtures.bare, in: backend)
    #expect(try generations().count == 1)
    #expect(try restored(from: backend) == Fixtures.bare)
  }

  @Test("begins a read anew where its files were replaced meanwhile")
  func replacedMeanwhile() throws {
    let writer = SplitBackend(folder.store())
    try replace(Fixtures.full, in: writer)
    let generations = Generations(folder.store())
    var seen: [String] = []
    let head = try generations.reading { generation in
      seen.append(generation)
      // Between the name and the file another writer comes, and the file is gone.
      if seen.count == 1 { try replace(Fixtures.bare, in: writer) }
      return try generations.bytes("head.json", of: generation)
    }
    #expect(seen.count == 2)
    #expect(try JSONDecoder().decode(Menu.self, from: head) == Fixtures.bare)
  }

  @Test(
    "is refused where a file is missing, cut or another's",
    arguments: ["head.json", "combos.json", "index.json", "category-9.json"])
  func damage(file: String) throws {
    let backend = SplitBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    var payload = try backend.read()
    let bytes = try #require(payload.files[file])
    payload.files[file] = bytes.prefix(bytes.count / 2)
    #expect(throws: (any Error).self) { try backend.decode(payload) }
    payload.files[file] = nil
    #expect(
      throws: StoreError(operation: "decode", path: file, reason: "there is no such file")
    ) { try backend.decode(payload) }
    payload.files[file] = payload.files[file == "index.json" ? "head.json" : "index.json"]
    #expect(throws: (any Error).self) { try backend.decode(payload) }
  }

  @Test("is refused where the file that names the others names none")
  func noName() throws {
    let backend = SplitBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    try Data("../../etc".utf8).write(to: URL(filePath: folder.path + "/current"))
    let error = #expect(throws: StoreError.self) { try backend.read() }
    #expect(
      error?.description == "read \(folder.path)/current: its 9 bytes name no generation")
  }

  @Test("keeps every generation where the file that names one cannot be read")
  func unreadableName() throws {
    try replace(Fixtures.full, in: SplitBackend(folder.store()))
    let before = try generations()
    let current = URL(filePath: folder.path + "/current")
    let name = try Data(contentsOf: current)
    try Data("../../etc".utf8).write(to: current)
    _ = SplitBackend(folder.store())
    #expect(try generations() == before)
    try name.write(to: current)
    #expect(try restored(from: SplitBackend(folder.store())) == Fixtures.full)
  }
}

import BackendKit
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

/// Every backend on SQLite keeps its log in the same way.
@Suite("A log that is checkpointed into its store")
struct LogTests {
  static let keeping = BackendRegistry.all.filter { $0.libraries.contains(.grdb) }

  private let folder: TemporaryFolder
  private let menus = [Fixtures.full, Fixtures.full.revised(1)]

  init() throws { folder = try TemporaryFolder() }

  private func open(
    _ entry: BackendEntry<Menu>, _ durability: Durability = .atomic
  ) throws -> any LogKeeping<Menu> {
    try #require(try entry.open(folder.store(durability)) as? any LogKeeping<Menu>)
  }

  @Test("belongs to the six backends on SQLite")
  func registry() {
    #expect(
      Self.keeping.map(\.id).sorted() == [
        "object-graph", "object-graph-faulting", "sqlite", "sqlite-blob", "sqlite-grdb",
        "sqlite-records",
      ])
  }

  @Test("exceeds its bound if checkpoints are deferred, and is empty after one", arguments: keeping)
  func deferred(entry: BackendEntry<Menu>) throws {
    let backend = try open(entry)
    try backend.deferCheckpoints(true)
    var fills: [Double] = []
    while (fills.last ?? 0) < 1.1 {
      try backend.save(menus[fills.count % 2])
      fills.append(try #require(backend.logFill))
      try #require(fills.count < 2_000)
    }
    #expect(fills == fills.sorted(), "no commit copied it")
    try backend.checkpoint()
    #expect(backend.logFill == 0)
    try backend.save(menus[0])
    #expect(try #require(backend.logFill) < 0.2, "it begins anew")
    #expect(try restored(from: backend) == menus[0])
    try backend.close()
  }

  @Test(
    "is checkpointed by the commit that fills it, unless checkpoints are deferred",
    arguments: keeping)
  func byCommit(entry: BackendEntry<Menu>) throws {
    let backend = try open(entry)
    try backend.deferCheckpoints(true)
    try backend.deferCheckpoints(false)
    var (saves, last, begunAnew) = (0, 0.0, false)
    while !begunAnew {
      try backend.save(menus[saves % 2])
      let fill = try #require(backend.logFill)
      // A log that was copied is written from its start by the next commit.
      begunAnew = fill < last
      if !begunAnew { #expect(last < 1, "the commit before had to copy it") }
      (saves, last) = (saves + 1, fill)
      try #require(saves < 2_000)
    }
    try backend.close()
  }

  private static let counters = "/proc/thread-self/io"

  /// The bytes that this thread passed to write calls. Other tests write at the same time.
  private func bytesWritten() throws -> Int {
    let file = try #require(fopen(Self.counters, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    let written = lines.first { $0.hasPrefix("wchar: ") }?.dropFirst("wchar: ".count)
    return try #require(written.flatMap { Int($0) })
  }

  @Test(
    "is all that a save writes, because no statement has a journal",
    .enabled(if: FileManager.default.fileExists(atPath: counters), "needs /proc/thread-self/io"),
    arguments: ["sqlite", "sqlite-grdb", "sqlite-blob"])
  func noJournal(id: String) throws {
    let backend = try open(EveryBackend.entry(id))
    try backend.deferCheckpoints(true)
    let menu = Menu(shape: MenuShape(.large))
    try backend.save(menu)
    try backend.checkpoint()
    let before = try bytesWritten()
    try backend.save(menu.revised(1))
    let written = try bytesWritten() - before
    let pages = try #require(backend.logFill) * 1_000
    // The log's header, then pages with a header each.
    #expect(written == 32 + Int(pages.rounded()) * (24 + 4_096))
    try backend.close()
  }

  @Test("does not exist at durability none", arguments: keeping)
  func none(entry: BackendEntry<Menu>) throws {
    let backend = try open(entry, .none)
    try backend.deferCheckpoints(true)
    try backend.save(menus[0])
    #expect(backend.logFill == nil)
    try backend.close()
  }
}

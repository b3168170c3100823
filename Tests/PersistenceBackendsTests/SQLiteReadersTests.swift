import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("Connections to one sqlite store")
struct SQLiteReadersTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  /// A store that waits 50 ms for a lock.
  private func impatient(_ durability: Durability) throws -> SQLiteBackend {
    var description = SQLiteBackend.description(folder.store(durability))
    description.timeLimit = 50
    return try SQLiteBackend(description)
  }

  private func locked(_ operation: String) -> StoreError {
    StoreError(
      operation: operation, path: path,
      reason: "another connection held it for 50 ms: database is locked (SQLite 5)")
  }

  @Test("wait for each other up to their limit, then say who holds the lock")
  func lockedByWriter() throws {
    let backend = try impatient(.atomic)
    try replace(Fixtures.full, in: backend)
    let other = try CConnection(path: path)
    try other.run("BEGIN IMMEDIATE")
    let rows = try backend.encode(Fixtures.bare)
    #expect(throws: locked("write")) { try backend.write(rows) }
    #expect(throws: locked("write")) { try backend.apply(MenuPatch(revision: 1)) }
    #expect(throws: locked("write")) { try backend.save(Fixtures.full, across: .type) }
    #expect(try restored(from: backend) == Fixtures.full)
    try other.run("ROLLBACK")
    try backend.write(rows)
    #expect(try restored(from: backend) == Fixtures.bare)
    other.close()
    try backend.close()
  }

  @Test("read the last commit during a write", arguments: [Durability.atomic, .durable])
  func snapshot(durability: Durability) throws {
    let backend = try impatient(durability)
    try replace(Fixtures.full, in: backend)
    let reader = try #require(try backend.openReader() as? SQLiteBackend)
    let writer = try CConnection(path: path)
    try writer.run("BEGIN IMMEDIATE")
    try writer.run("UPDATE menu SET revision = 99")
    try writer.run("UPDATE product SET name = 'x'")
    #expect(try restored(from: reader) == Fixtures.full)
    #expect(try reader.product(300) == Fixtures.full.product(300))
    try writer.run("COMMIT")
    #expect(try restored(from: reader).revision == 99)
    #expect(try reader.product(300)?.name == "x")
    writer.close()
    try reader.close()
    try backend.close()
  }

  @Test("wait without a log, up to the limit")
  func noLog() throws {
    let backend = try impatient(.none)
    try replace(Fixtures.full, in: backend)
    let reader = try #require(try backend.openReader() as? SQLiteBackend)
    let writer = try CConnection(path: path)
    try writer.run("BEGIN EXCLUSIVE")
    #expect(throws: locked("read")) { try reader.read() }
    #expect(throws: locked("read")) { try reader.combo(12) }
    #expect(throws: locked("open")) { try backend.openReader() }
    try writer.run("COMMIT")
    #expect(try restored(from: reader) == Fixtures.full)
    writer.close()
    try reader.close()
    try backend.close()
  }
}

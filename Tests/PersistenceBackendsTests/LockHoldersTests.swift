import Basics
import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("Who holds a lock")
struct LockHoldersTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/menu.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  private func holder(_ table: String, own: Int32 = 1) throws -> String {
    try Data().write(to: URL(fileURLWithPath: path))
    let file = try #require(FileIdentity(of: path))
    let major = (file.device >> 8) & 0xfff | (file.device >> 32) & ~0xfff
    let minor = file.device & 0xff | (file.device >> 12) & ~0xff
    let place = String(major, radix: 16) + ":" + String(minor, radix: 16) + ":\(file.number)"
    return LockHolders(
      table: table.replacingOccurrences(of: "FILE", with: place), files: [file], own: own
    ).description
  }

  @Test("is the process that may write before those that read")
  func writer() throws {
    let table = """
      1: POSIX  ADVISORY  READ 999999997 FILE 124 124
      2: POSIX  ADVISORY  WRITE 999999998 FILE 120 120
      2: -> POSIX  ADVISORY  WRITE 999999996 FILE 120 120
      3: FLOCK  ADVISORY  WRITE 999999995 00:01:7 0 EOF
      """
    #expect(try holder(table) == "process 999999998")
    let readers = String(table.prefix { $0 != "\n" })
    #expect(try holder(readers) == "process 999999997")
  }

  @Test("is this process where nobody else has a lock, and unknown where there is no list")
  func own() throws {
    let table = "1: POSIX  ADVISORY  WRITE 4711 FILE 120 120\n"
    #expect(try holder(table, own: 4_711) == "another connection of this process")
    #expect(try holder("") == "another connection")
    #expect(try holder("1: POSIX ADVISORY WRITE x FILE 1 1\nnonsense\n") == "another connection")
  }

  @Test(
    "is named in the error, with the name of its program",
    .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/locks"), "needs /proc/locks"),
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
  func process() throws {
    let backend = try SQLiteRecordsBackend(folder.store(), patience: 50)
    try replace(Fixtures.full, in: backend)
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    other.arguments = [
      "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
        + "c.execute('BEGIN IMMEDIATE'); print('locked', flush=True); sys.stdin.read()", path,
    ]
    let (input, output) = (Pipe(), Pipe())
    other.standardInput = input
    other.standardOutput = output
    try other.run()
    _ = try output.fileHandleForReading.read(upToCount: 6)
    let error = #expect(throws: StoreError.self) { try replace(Fixtures.bare, in: backend) }
    #expect(
      error?.reason
        == "process \(other.processIdentifier) (python3) holds it, gave up after 50 ms: "
        + "database is locked (SQLite 5)")
    #expect(try restored(from: backend) == Fixtures.full)
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    try replace(Fixtures.bare, in: backend)
    #expect(try restored(from: backend) == Fixtures.bare)
    try backend.close()
  }
}

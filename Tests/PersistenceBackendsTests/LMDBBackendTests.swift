import CLMDB
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The lmdb backend")
struct LMDBBackendTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/data.mdb" }

  init() throws { folder = try TemporaryFolder() }

  private func backend(
    _ menu: Menu? = nil, mapSize: Int = 1 << 20, wait: TimeInterval = 5
  ) throws -> LMDBBackend {
    let backend = try LMDBBackend(folder.store(), mapSize: mapSize, wait: wait)
    if let menu { try replace(menu, in: backend) }
    return backend
  }

  @Test("enlarges a map that is too small, during a read")
  func growsMap() throws {
    let folder = try TemporaryFolder()
    let backend = try LMDBBackend(folder.store(), mapSize: 1 << 16, wait: 5)
    let reader = try backend.openReader()
    #expect(try backend.store.mapSize() == 1 << 16)
    var menu = Fixtures.full
    for size in [10, 100_000, 1_000_000] {
      menu.city = String(repeating: "ж", count: size)
      try replace(menu, in: backend)
      #expect(try restored(from: reader) == menu)
    }
    // At least the last menu, by doubling.
    #expect(try backend.store.mapSize() > 2_000_000)
    #expect(try backend.store.mapSize().nonzeroBitCount == 1)
    try reader.close()
    try backend.close()
  }

  @Test("adopts a map that another process enlarged, and repeats the interrupted work")
  func adoptsMap() throws {
    let environment = try LMDBEnvironment.open(folder.path, 1 << 20)
    defer { mdb_env_close(environment) }
    var runs = 0
    let last = try LMDBGate().adopting(environment) {
      runs += 1
      guard runs == 3 else { throw LMDBFailure(code: MDB_MAP_RESIZED) }
      return runs
    }
    #expect(last == 3)
    #expect(throws: LMDBFailure.self) {
      try LMDBGate().adopting(environment) {
        throw LMDBFailure(code: MDB_MAP_FULL)
      }
    }
  }

  @Test("makes the map no larger than the disk")
  func boundsMap() throws {
    #expect(try LMDBMap.size(after: 1 << 20, fileLength: 1 << 20, free: 1 << 30) == 1 << 21)
    #expect(
      try LMDBMap.size(after: 1 << 20, fileLength: 1 << 20, free: 100_000) == (1 << 20) + 65_536)
    let error = #expect(throws: LMDBFailure.self) {
      try LMDBMap.size(after: 1 << 20, fileLength: 1 << 20, free: 4_096)
    }
    #expect(error?.reason == "the map of 1048576 bytes is full and the disk has 4096 bytes free")
    #expect(LMDBMap.size(for: 0, atLeast: 5) == 65_536)
    #expect(LMDBMap.size(for: 100_000, atLeast: 5) == 262_144)
  }

  @Test("asks the system for the length of its file, and returns the system's reason")
  func fileLength() throws {
    #expect(try LMDBMap.fileLength(in: folder.path) == 0)
    try Data(count: 12_345).write(to: URL(fileURLWithPath: path))
    #expect(try LMDBMap.fileLength(in: folder.path) == 12_345)
    let error = #expect(throws: LMDBFailure.self) { try LMDBMap.fileLength(in: path) }
    #expect(error?.reason == "Not a directory")
  }

  @Test("keys sort as their kinds and numbers do")
  func keyOrder() throws {
    let numbers = [Int.min, -256, -1, 0, 1, 255, 256, .max]
    let keys = EntityKind.allCases.flatMap { kind in
      numbers.flatMap { id in numbers.map { EntityKey(kind: kind, id: id, position: $0) } }
    }
    let bytes = keys.sorted().map { LMDBKey.bytes($0) }
    for (a, b) in zip(bytes, bytes.dropFirst()) { #expect(a.lexicographicallyPrecedes(b)) }
    for key in keys {
      #expect(LMDBKey.bytes(key).withUnsafeBytes(LMDBKey.entity) == key)
    }
    #expect(LMDBKey.bytes(.variant, 1, in: keys[0]).count == 26)
  }

  @Test(
    "flushes nothing, everything except the meta page, or everything",
    arguments: [(Durability.none, MDB_NOSYNC), (.atomic, MDB_NOMETASYNC), (.durable, 0)])
  func flags(durability: Durability, expected: Int32) throws {
    var environment: OpaquePointer?
    #expect(mdb_env_create(&environment) == 0)
    defer { mdb_env_close(environment) }
    for earlier in Durability.allCases {
      try LMDBFlush(durability: earlier).prepare(try #require(environment))
      try LMDBFlush(durability: durability).prepare(try #require(environment))
      var flags: UInt32 = 0
      mdb_env_get_flags(environment, &flags)
      #expect(flags & UInt32(MDB_NOSYNC | MDB_NOMETASYNC) == UInt32(expected))
    }
  }

  @Test("keeps two files")
  func files() throws {
    let backend = try backend(Fixtures.full)
    #expect(try folder.files() == ["data.mdb", "lock.mdb"])
    try backend.close()
  }

  @Test("reuses the pages of replaced menus")
  func reusesPages() throws {
    let backend = try backend()
    for _ in 0..<10 { try replace(Fixtures.oddTexts, in: backend) }
    let size = try folder.bytes()
    for _ in 0..<50 { try replace(Fixtures.oddTexts, in: backend) }
    #expect(try folder.bytes() == size)
    try backend.close()
    #expect(try restored(from: try self.backend()) == Fixtures.oddTexts)
  }

  @Test("shares one map if it is opened twice in a process")
  func shares() throws {
    let first = try backend(Fixtures.full)
    let second = try LMDBBackend(
      StoreContext(folder: folder.path + "/.", durability: .durable),
      mapSize: 1 << 24, wait: 5)
    #expect(try second.store.mapSize() == 1 << 20)
    try first.close()
    #expect(try restored(from: second) == Fixtures.full)
    try second.close()
    let third = try LMDBBackend(folder.store(), mapSize: 1 << 24, wait: 5)
    #expect(try third.store.mapSize() == 1 << 24)
    try third.close()
  }

  @Test(
    "names the process that holds the lock beyond the time limit",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
  func locked() throws {
    let backend = try backend(Fixtures.full, wait: 0.05)
    let other = Process()
    other.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    other.arguments = [
      "-c",
      "import fcntl, sys; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); "
        + "print('locked', flush=True); sys.stdin.read()", path,
    ]
    let (input, output) = (Pipe(), Pipe())
    other.standardInput = input
    other.standardOutput = output
    try other.run()
    _ = try output.fileHandleForReading.read(upToCount: 6)
    let payload = try backend.encode(Fixtures.bare)
    #expect(
      throws: StoreError(
        operation: "write", path: path, reason: "locked by process \(other.processIdentifier)")
    ) { try backend.write(payload) }
    #expect(try restored(from: backend) == Fixtures.full)
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    try backend.write(payload)
    #expect(try restored(from: backend) == Fixtures.bare)
    try backend.close()
  }
}

@Suite("A cut or foreign lmdb store")
struct ForeignLMDBStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/data.mdb" }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore() throws {
    let backend = try LMDBBackend(folder.store(.none))
    try replace(Fixtures.full, in: backend)
    try backend.close()
  }

  private func expectRefusal(_ reason: String) {
    #expect(throws: StoreError(operation: "open", path: path, reason: reason)) {
      try LMDBBackend(folder.store())
    }
  }

  /// Puts an entry into a store by LMDB alone.
  private func put(_ key: [UInt8], _ value: [UInt8], database: String? = nil) throws {
    var environment: OpaquePointer?
    #expect(mdb_env_create(&environment) == 0)
    defer { mdb_env_close(environment) }
    mdb_env_set_maxdbs(environment, 2)
    #expect(mdb_env_open(environment, folder.path, 0, 0o644) == 0)
    var transaction: OpaquePointer?
    #expect(mdb_txn_begin(environment, nil, 0, &transaction) == 0)
    var handle: MDB_dbi = 0
    #expect(mdb_dbi_open(transaction, database, UInt32(MDB_CREATE), &handle) == 0)
    var (key, value) = (key, value)
    let code = key.withUnsafeMutableBytes { key in
      value.withUnsafeMutableBytes { value in
        var pair = (
          MDB_val(mv_size: key.count, mv_data: key.baseAddress),
          MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        )
        return mdb_put(transaction, handle, &pair.0, &pair.1, 0)
      }
    }
    #expect(code == 0)
    #expect(mdb_txn_commit(transaction) == 0)
  }

  @Test(
    "is refused if it is cut short before the end of its second meta page",
    arguments: [1, 100, 4_096])
  func cut(length: UInt64) throws {
    try makeStore()
    try folder.cut("data.mdb", to: length)
    expectRefusal("MDB_INVALID: File is not an LMDB file (LMDB -30793)")
  }

  @Test("is new if it has no bytes")
  func emptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let backend = try LMDBBackend(folder.store())
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("is refused and unchanged if it is another backend's file")
  func otherBackend() throws {
    let other = try SQLiteBackend(folder.store(.none))
    try replace(Fixtures.full, in: other)
    try other.close()
    try FileManager.default.moveItem(atPath: folder.path + "/menu.sqlite", toPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    expectRefusal("MDB_INVALID: File is not an LMDB file (LMDB -30793)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("is refused if it belongs to another program")
  func foreign() throws {
    try put([0x61], [1, 2, 3])
    expectRefusal("not a menu store: it has entries, but not our marker")
  }

  @Test("is refused if it has named databases")
  func namedDatabase() throws {
    try put([0x61], [1, 2, 3], database: "album")
    expectRefusal("not a menu store: it has entries, but not our marker")
  }

  @Test("is refused if its format is newer, with both numbers")
  func newer() throws {
    try makeStore()
    try put(LMDBKey.marker, Array("MenuBench entities 7".utf8))
    expectRefusal("its format is 7, newer than 2, which this program knows")
  }

  @Test("is refused if its format is older, with a remedy")
  func older() throws {
    try makeStore()
    try put(LMDBKey.marker, Array("MenuBench entities 1".utf8))
    expectRefusal(
      "its format is 1, and this program reads only 2: remove it and save again")
  }

  @Test("is refused at the read of a shelf that names a missing product")
  func strangeShelf() throws {
    try makeStore()
    let shelf = Fixtures.full.categories[0].id
    let place = ShelfPlace(categoryID: shelf, position: -1, productID: 4_711)
    try put(LMDBKey.bytes(place), [])
    let backend = try LMDBBackend(folder.store())
    let error = #expect(throws: StoreError.self) { try backend.firstScreen() }
    #expect(
      error?.reason == "the shelf of category \(shelf) names product 4711, which is not there")
    try backend.close()
  }

  @Test("is refused at the read of an entry that is not ours")
  func strangeEntry() throws {
    try makeStore()
    try put([0x20, 0x01], [1])
    let backend = try LMDBBackend(folder.store())
    #expect(
      throws: StoreError(operation: "read", path: path, reason: "no entity has the key 20 1")
    ) { try backend.read() }
    try backend.close()
  }

  @Test("is refused if its folder is missing")
  func missingFolder() throws {
    let store = StoreContext(folder: folder.path + "/none", durability: .atomic)
    #expect(
      throws: StoreError(
        operation: "open", path: folder.path + "/none/data.mdb",
        reason: "No such file or directory")
    ) { try LMDBBackend(store) }
  }
}

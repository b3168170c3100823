import CLMDB
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
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
    let backend = try LMDBBackend(folder.store(), .protobuf(), mapSize: mapSize, wait: wait)
    if let menu { try replace(menu, in: backend) }
    return backend
  }

  @Test("makes a map that is too small larger, beside a reader")
  func growsMap() throws {
    let folder = try TemporaryFolder()
    let backend = try LMDBBackend(folder.store(), .protobuf(), mapSize: 1 << 16, wait: 5)
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

  @Test("adopts a map that another process made larger, and runs again what it met it in")
  func adoptsMap() throws {
    let environment = try LMDBEnvironment.open(folder.path, 1 << 20)
    defer { mdb_env_close(environment) }
    var runs = 0
    let last = try LMDBEnvironment.adopting(environment, LMDBGate()) {
      runs += 1
      guard runs == 3 else { throw LMDBFailure(code: MDB_MAP_RESIZED) }
      return runs
    }
    #expect(last == 3)
    #expect(throws: LMDBFailure.self) {
      try LMDBEnvironment.adopting(environment, LMDBGate()) {
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

  @Test("asks the system how long its file is, and passes on why it does not say")
  func fileLength() throws {
    try Data(count: 12_345).write(to: URL(fileURLWithPath: path))
    #expect(try LMDBFile.length(of: path) == 12_345)
    for (missing, reason) in [
      (folder.path + "/none", "No such file or directory"), (path + "/none", "Not a directory"),
    ] {
      let error = #expect(throws: LMDBFailure.self) { try LMDBFile.length(of: missing) }
      #expect(error?.reason == reason)
    }
  }

  @Test("refuses a value over 32 bits by its length")
  func valueLimit() throws {
    let key = EntityKey(kind: .combo, id: 7, position: 0)
    try LMDBTransaction.check(0xFFFF_FFFF, key)
    let error = #expect(throws: LMDBFailure.self) {
      try LMDBTransaction.check(0x1_0000_0000, key)
    }
    #expect(
      error?.reason == "combo 7 takes 4294967296 bytes; LMDB keeps at most 4294967295 in a value")
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
    "flushes nothing, all but the meta page, or all",
    arguments: [(Durability.none, MDB_NOSYNC), (.atomic, MDB_NOMETASYNC), (.durable, 0)])
  func flags(durability: Durability, expected: Int32) throws {
    var environment: OpaquePointer?
    #expect(mdb_env_create(&environment) == 0)
    defer { mdb_env_close(environment) }
    for earlier in Durability.allCases {
      try LMDBFlush(earlier).prepare(try #require(environment))
      try LMDBFlush(durability).prepare(try #require(environment))
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

  @Test("reuses the pages of menus replaced")
  func reusesPages() throws {
    let backend = try backend()
    for _ in 0..<10 { try replace(Fixtures.oddTexts, in: backend) }
    let size = try folder.bytes()
    for _ in 0..<50 { try replace(Fixtures.oddTexts, in: backend) }
    #expect(try folder.bytes() == size)
    try backend.close()
    #expect(try restored(from: try self.backend()) == Fixtures.oddTexts)
  }

  @Test("opened twice in a process shares one map")
  func shares() throws {
    let first = try backend(Fixtures.full)
    let second = try LMDBBackend(
      StoreContext(folder: folder.path + "/.", durability: .durable), .protobuf(),
      mapSize: 1 << 24, wait: 5)
    #expect(try second.store.mapSize() == 1 << 20)
    try first.close()
    #expect(try restored(from: second) == Fixtures.full)
    try second.close()
    let third = try LMDBBackend(folder.store(), .protobuf(), mapSize: 1 << 24, wait: 5)
    #expect(try third.store.mapSize() == 1 << 24)
    try third.close()
  }

  @Test(
    "names the process that holds the lock for longer than it waits",
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

@Suite("A damaged or foreign lmdb store")
struct DamagedLMDBStoreTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/data.mdb" }

  init() throws { folder = try TemporaryFolder() }

  private func makeStore(_ menu: Menu = Fixtures.full) throws {
    let backend = try LMDBBackend(folder.store(.none), .json())
    // Three generations: free lists, pages reused and both meta pages written.
    try replace(menu, in: backend)
    try replace(Fixtures.oddTexts, in: backend)
    try replace(menu, in: backend)
    try backend.close()
  }

  private func expectRefusal(_ reason: String) {
    #expect(throws: StoreError(operation: "open", path: path, reason: reason)) {
      try LMDBBackend(folder.store(), .json())
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

  @Test("is read or refused, wherever the damage is", arguments: 1...300 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) throws {
    try makeStore(seed % 2 == 0 ? Fixtures.full : Fixtures.embedding(Fixtures.full))
    try folder.damage("data.mdb", seed: seed)
    do {
      // Opening never traps; what is opened may be read only once all of it was looked at.
      let reopened = try LMDBBackend(folder.store(.none), .json())
      defer { try? reopened.close() }
      try reopened.check()
      let menu = try restored(from: reopened)
      for product in menu.products { _ = try reopened.product(product.id) }
      for combo in menu.combos { _ = try reopened.combo(combo.id) }
      for _ in 0..<3 { try replace(Fixtures.oddTexts, in: reopened) }
    } catch is StoreError {
      return
    }
  }

  @Test("with one bit of a page's header or places turned is read or refused")
  func damagedStructure() throws {
    try makeStore()
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var refused = 0
    for page in 0..<(whole.count / 4_096) {
      for offset in 0..<24 {
        var bytes = whole
        bytes[page * 4_096 + offset] ^= 0x10
        let folder = try TemporaryFolder()
        try bytes.write(to: URL(fileURLWithPath: folder.path + "/data.mdb"))
        do {
          let reopened = try LMDBBackend(folder.store(.none), .json())
          defer { try? reopened.close() }
          try reopened.check()
          #expect(try restored(from: reopened) == Fixtures.full)
          for _ in 0..<3 { try replace(Fixtures.oddTexts, in: reopened) }
        } catch is StoreError {
          refused += 1
        }
      }
    }
    #expect(refused > 40)
  }

  @Test("cut short is refused", arguments: [1, 100, 4_095, 4_096, 8_192, 12_288])
  func cut(length: UInt64) throws {
    try makeStore(Fixtures.oddTexts)
    try folder.cut("data.mdb", to: length)
    let error = #expect(throws: StoreError.self) {
      try LMDBBackend(folder.store(), .json()).check()
    }
    #expect(error?.reason.isEmpty == false)
  }

  @Test("is opened where the damage lies off the way to its marker, and found by the check")
  func damageAfterOpening() throws {
    try makeStore(Menu(shape: MenuShape(.small)))
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    var found: [Int] = []
    var opened = 0
    for page in 2..<(whole.count / 4_096) {
      var bytes = whole
      // The number of the page, which LMDB itself looks at in no page but one that it changes.
      bytes[page * 4_096] ^= 0x10
      let folder = try TemporaryFolder()
      try bytes.write(to: URL(fileURLWithPath: folder.path + "/data.mdb"))
      guard let backend = try? LMDBBackend(folder.store(.none), .json()) else { continue }
      opened += 1
      do { try backend.check() } catch let error as StoreError {
        #expect(error.operation == "check")
        found.append(page)
      }
      try backend.close()
    }
    // Of 101 three lead to the marker. The rest are opened; those of them that are in use are found, but
    // for the second and further pages of values, which have no number.
    #expect(opened == whole.count / 4_096 - 2 - 3)
    #expect(found.count > 30)
  }

  @Test("that is whole passes the check, beside a reader and after a write")
  func whole() throws {
    try makeStore()
    let backend = try LMDBBackend(folder.store(.none), .json())
    let reader = try backend.openReader()
    try backend.check()
    try replace(Fixtures.oddTexts, in: backend)
    try backend.check()
    #expect(try restored(from: reader) == Fixtures.oddTexts)
    try reader.close()
    try backend.close()
  }

  @Test("of no bytes is new")
  func emptyFile() throws {
    try Data().write(to: URL(fileURLWithPath: path))
    let backend = try LMDBBackend(folder.store(), .json())
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
    try backend.close()
  }

  @Test("that is another backend's file is refused and left alone")
  func otherBackend() throws {
    let other = try SQLiteDocumentBackend(folder.store(.none))
    try replace(Fixtures.full, in: other)
    try other.close()
    try FileManager.default.moveItem(atPath: folder.path + "/menu.sqlite", toPath: path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    expectRefusal("not an LMDB file: page 0 is no meta page")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(try folder.files() == ["data.mdb"])
  }

  @Test("of somebody else is refused")
  func foreign() throws {
    try put([0x61], [1, 2, 3])
    expectRefusal("not a menu store: it has entries, but not our marker")
  }

  @Test("is looked at again where somebody committed between the looks at its two meta pages")
  func committedMeanwhile() throws {
    try makeStore()
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let first = try LMDBMeta(Array(bytes[..<LMDBMeta.length]), number: 0)
    let second = try LMDBMeta(
      Array(bytes[first.pageSize..<(first.pageSize + LMDBMeta.length)]), number: 1)
    var late = second
    late.transaction = first.transaction + 3
    let apart = (first, late)
    var looks = [apart, (first, second)]
    let meta = try LMDBMeta.settled(fileLength: bytes.count) { looks.removeFirst() }
    #expect(meta == (first.transaction > second.transaction ? first : second))
    #expect(looks.isEmpty)
    let error = #expect(throws: LMDBFailure.self) {
      try LMDBMeta.settled(fileLength: bytes.count) { apart }
    }
    #expect(error?.reason == "damaged: the two meta pages do not belong together")
  }

  @Test("with databases of names is refused")
  func namedDatabase() throws {
    try put([0x61], [1, 2, 3], database: "album")
    let error = #expect(throws: StoreError.self) { try LMDBBackend(folder.store(), .json()) }
    #expect(error?.reason == "not a menu store: page 2 names a database of its own")
  }

  @Test("of a newer format is refused by both numbers")
  func newer() throws {
    try makeStore()
    try put(LMDBKey.marker, Array("MenuBench entities 7".utf8))
    expectRefusal("its format is 7, newer than 2, which this program knows")
  }

  @Test("of the older format is refused, with what to do")
  func older() throws {
    try makeStore()
    try put(LMDBKey.marker, Array("MenuBench entities 1".utf8))
    expectRefusal(
      "its format is 1, and this program reads 2 alone: remove it and save anew")
  }

  @Test("whose shelf names a product that is not there is refused when the shelf is read")
  func strangeShelf() throws {
    try makeStore()
    let shelf = try #require(Fixtures.full.firstScreen().products.first).categoryID
    let place = ShelfPlace(categoryID: shelf, position: -1, productID: 4_711)
    try put(LMDBKey.bytes(place), [])
    let backend = try LMDBBackend(folder.store(), .json())
    let error = #expect(throws: StoreError.self) { try backend.firstScreen() }
    #expect(
      error?.reason == "the shelf of category \(shelf) names product 4711, which is not there")
    try backend.close()
  }

  @Test("with an entry that is none of ours is refused when it is read")
  func strangeEntry() throws {
    try makeStore()
    try put([0x20, 0x01], [1])
    let backend = try LMDBBackend(folder.store(), .json())
    #expect(
      throws: StoreError(operation: "read", path: path, reason: "no entity has the key 20 1")
    ) { try backend.read() }
    try backend.close()
  }

  @Test("in a folder that is missing is refused")
  func missingFolder() throws {
    let store = StoreContext(folder: folder.path + "/none", durability: .atomic)
    #expect(
      throws: StoreError(
        operation: "open", path: folder.path + "/none/data.mdb",
        reason: "No such file or directory")
    ) { try LMDBBackend(store, .json()) }
  }
}

import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A damaged sqlite-records store")
struct DamagedSQLiteRecordsStoreTests {
  @Test("is read or refused, wherever the damage is", arguments: 1...40 as ClosedRange<UInt64>)
  func damaged(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let backend = try SQLiteRecordsBackend(folder.store(.none))
    try replace(Fixtures.full, in: backend)
    try backend.close()
    try folder.damage("menu.sqlite", seed: seed)
    do {
      let reopened = try SQLiteRecordsBackend(folder.store(.none))
      defer { try? reopened.close() }
      _ = try restored(from: reopened).fingerprint
    } catch is StoreError {
      return
    }
  }

  @Test("cut short is refused", arguments: [1, 100, 4_095, 4_096, 20_000])
  func cut(length: UInt64) throws {
    let folder = try TemporaryFolder()
    let backend = try SQLiteRecordsBackend(folder.store(.none))
    try replace(Fixtures.full, in: backend)
    try backend.close()
    try folder.cut("menu.sqlite", to: length)
    #expect(throws: StoreError.self) {
      try restored(from: try SQLiteRecordsBackend(folder.store(.none)))
    }
  }
}

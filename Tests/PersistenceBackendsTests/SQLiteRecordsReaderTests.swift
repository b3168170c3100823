import Dispatch
import GRDB
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A reader of sqlite-records")
struct SQLiteRecordsReaderTests {
  @Test("continues during the write of a menu", arguments: [Durability.atomic, .durable])
  func reading(durability: Durability) throws {
    let folder = try TemporaryFolder()
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    try replace(Fixtures.full, in: backend)
    nonisolated(unsafe) let reader = try backend.openReader()
    let records = try backend.encode(Fixtures.bare)
    try backend.accessing("write") { database in
      try database.write { db in
        try records.replace(in: db)
        // On another thread: this one is the writer's.
        let reading = DispatchGroup()
        DispatchQueue.global().async(group: reading) {
          #expect(throws: Never.self) {
            let found = try restored(from: reader)
            #expect(found == Fixtures.full)
          }
        }
        reading.wait()
      }
    }
    #expect(try restored(from: reader) == Fixtures.bare)
    try reader.close()
    try backend.close()
  }
}

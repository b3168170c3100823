import Dispatch
import GRDB
import MenuModel
import MenuSources
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A reader of sqlite-records")
struct SQLiteRecordsReaderTests {
  @Test("sees one menu or the other, never a torn one", arguments: Durability.allCases)
  func concurrentReading(durability: Durability) throws {
    let folder = try TemporaryFolder()
    let backend = try SQLiteRecordsBackend(folder.store(durability))
    let first = Menu(shape: MenuShape(.small))
    let second = first.revised(1)
    let payloads = [try backend.encode(first), try backend.encode(second)]
    try backend.write(payloads[0])
    nonisolated(unsafe) let writer = backend
    nonisolated(unsafe) let reader = try backend.openReader()
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      for turn in 0..<6 {
        if index == 0 {
          #expect(throws: Never.self) { try writer.write(payloads[turn % 2]) }
        } else {
          #expect(throws: Never.self) {
            let found = try restored(from: reader)
            #expect(found == first || found == second)
          }
        }
      }
    }
    try reader.close()
    #expect(try restored(from: backend) == second)
    try backend.close()
    #expect(try folder.files() == ["menu.sqlite"])
  }

  @Test(
    "goes on while the writer is in the middle of a menu",
    arguments: [Durability.atomic, .durable])
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

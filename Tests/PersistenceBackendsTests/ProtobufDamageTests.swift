import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import ProtobufBackends

@Suite("protobuf refuses")
struct ProtobufDamageTests {
  private let backend = ProtobufCodec()

  @Test("a schema newer than its own, with its number")
  func newerSchema() throws {
    let newer = [0x08, 1] + Wire.field(500, [1, 2, 3]) + Wire.schema(3)
    #expect(reason(newer) == "its schema is 3, newer than 2, which this program knows")
  }

  @Test("an empty file")
  func empty() throws {
    let noSchema = "it has no schema number: it is empty, cut short or not a menu"
    #expect(reason([]) == noSchema)
    #expect(reason([0x08, 1]) == noSchema)
    let folder = try TemporaryFolder()
    let stored = try BackendEntry<Menu>.protobuf.open(folder.store())
    try replace(Fixtures.full, in: stored)
    try folder.cut("menu.pb", to: 0)
    let error = #expect(throws: StoreError.self) { try restored(from: stored) }
    #expect(error?.description == "decode \(folder.path)/menu.pb: \(noSchema)")
  }

  @Test("a file cut short anywhere", arguments: Fixtures.all.map(\.name))
  func cut(name: String) throws {
    let menu = try #require(Fixtures.all.first { $0.name == name }).menu
    let bytes = try backend.encode(menu)
    let step = max(1, bytes.count / 2_000)
    for length in stride(from: 0, to: bytes.count, by: step) {
      #expect(throws: (any Error).self, "\(length) bytes") {
        try backend.decode(bytes.prefix(length))
      }
    }
  }

  @Test("bytes that are not a message")
  func foreignBytes() {
    #expect(reason([0x1A, 2, 0x61]) == "it is cut short")
    #expect(reason([0x1A, 1, 0xFF]) == "a text in it is not UTF-8")
    #expect(reason([0x00, 1]) == "it is damaged, or not a protobuf message")
    // A length of 2^64 - 1, and a field's number that does not end.
    let noLength: [UInt8] = [0x1A] + Array(repeating: 0xFF, count: 9) + [1]
    for bytes in [noLength, Array(repeating: 0xFF, count: 1_000)] {
      #expect(reason(bytes)?.hasPrefix("no fault of a store: ") == false)
    }
    // Groups, which were protobuf's first way to nest, 100,000 deep.
    #expect(
      reason(Array(repeating: 0x0B, count: 100_000))
        == "it nests messages deeper than a menu does")
  }

  @Test("the file of another backend", arguments: ["json", "plist", "sqlite"])
  func foreignFile(id: String) throws {
    let folder = try TemporaryFolder()
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    try writeAndClose(entry.open(folder.store()))
    let file = try #require(try folder.files().first { !$0.hasSuffix("-wal") })
    try FileManager.default.moveItem(
      atPath: folder.path + "/" + file, toPath: folder.path + "/menu.pb")
    let stored = try BackendEntry<Menu>.protobuf.open(folder.store())
    #expect(throws: StoreError.self) { try restored(from: stored) }
  }

  @Test("a value that an enum does not have, or no availability")
  func unknownValue() {
    #expect(
      reason(ended(Wire.field(9, [0x08, 5, 0x20, 9, 0x40, 1])))
        == "product 5 is of kind 9, which schema 2 does not have")
    #expect(
      reason(ended(Wire.field(9, [0x08, 5, 0x20, 1])))
        == "product 5 is of availability 0, which schema 2 does not have")
    #expect(
      reason(ended(Wire.field(12, [0x08, 99])))
        == "the stop list names an entity of kind 99, which schema 2 does not have")
    #expect(
      reason(ended(Wire.field(13, [0x10, 8])))
        == "a translation names an entity of kind 8, which schema 2 does not have")
  }

  @Test("a price in major units that has no value in minor units")
  func noPrice() {
    let amount = [0x51] + withUnsafeBytes(of: 1e300.bitPattern.littleEndian, Array.init)
    #expect(
      reason(ended(Wire.field(9, known + Wire.field(9, [0x08, 7] + amount))))
        == "variant 7 costs 1e+300, which schema 2 does not have")
  }

  @Test("nutrition without facts")
  func noFacts() {
    let variant = Wire.field(9, [0x08, 7] + Wire.field(9, Wire.field(1, [])))
    #expect(
      reason(ended(Wire.field(9, known + variant)))
        == "the nutrition of variant 7 lacks facts")
  }

  @Test("any wrong byte only with a reason, and never by a trap")
  func damage() throws {
    let bytes = try backend.encode(Fixtures.embedding(Fixtures.full))
    var refused = 0
    for place in bytes.indices {
      for mask: UInt8 in [0x01, 0x08, 0x80, 0xFF] {
        var damaged = bytes
        damaged[place] ^= mask
        do {
          _ = try backend.decode(damaged)
        } catch is any StoreFault {
          refused += 1
        }
      }
    }
    #expect(refused > bytes.count)
  }

  /// A product's fields that can't be absent.
  private let known: [UInt8] = [0x20, 1, 0x40, 1]

  private func ended(_ fields: [UInt8]) -> [UInt8] { fields + Wire.schema(2) }

  private func reason(_ bytes: [UInt8]) -> String? {
    do {
      _ = try backend.decode(Data(bytes))
      return nil
    } catch {
      return (error as? any StoreFault)?.reason ?? "no fault of a store: \(error)"
    }
  }

  private func writeAndClose(_ backend: some Backend<Menu>) throws {
    try replace(Fixtures.full, in: backend)
    try backend.close()
  }
}

import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The flat format")
struct FlatFormatTests {
  @Test("is what its description says, to the byte")
  func workedExample() throws {
    let page = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/MappedBackends/Flat/FORMAT.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let blocks = text.components(separatedBy: "```")
    try #require(blocks.count == 3)
    let expected = try dump(blocks[1])
    let found = [UInt8](try FlatEncoder.encode(Fixtures.tea))
    #expect(found.count == 584)
    #expect(found == expected)
  }

  /// The bytes of lines such as `0080  01 00 00 00  the menu`, whose offsets must be right.
  private func dump(_ block: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for line in block.split(separator: "\n") {
      let columns = line.components(separatedBy: "  ")
      #expect(Int(columns[0], radix: 16) == bytes.count, "\(line)")
      bytes += try columns[1].split(separator: " ").map {
        try #require(UInt8($0, radix: 16), "\(line)")
      }
    }
    return bytes
  }

  @Test(
    "hashes as XXH64 does",
    arguments: [
      ("", 0xEF46_DB37_51D8_E999 as UInt64), ("a", 0xD24E_C4F1_A98C_6E5B),
      ("abc", 0x44BC_2CF5_AD77_0999),
      ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
    ])
  func hash(text: String, expected: UInt64) {
    let found = Array(text.utf8).withUnsafeBytes { FlatHash.hash($0) }
    #expect(found == expected)
  }

  @Test("gives every case a number that never changes")
  func codes() {
    #expect(
      Product.Kind.allCases.map(\.code) == [0, 1, 2, 3, 4, 5]
        && Product.Availability.allCases.map(\.code) == [0, 1, 2]
        && Entity.allCases.map(\.code) == [0, 1, 2, 3, 4, 5, 6])
    #expect((0...255).compactMap { Product.Kind(code: $0) } == Product.Kind.allCases)
    #expect(
      (0...255).compactMap { Product.Availability(code: $0) } == Product.Availability.allCases)
    #expect((0...255).compactMap { Entity(code: $0) } == Entity.allCases)
  }

  @Test("feeds a checksum from UTF-8 as from the text", arguments: Fixtures.texts)
  func checksums(text: String) {
    for length in 0...17 {
      let longer = String(repeating: "x", count: length) + text
      var expected = Checksum()
      expected.add(longer)
      var found = Checksum()
      Array(longer.utf8).withUnsafeBytes { found.add(utf8: $0) }
      #expect(found == expected)
    }
  }
}

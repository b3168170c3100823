import CZstd
import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends
@testable import ZstdBackends

/// Lets bytes through as they are.
private struct Bytes: BenchDocument {
  var bytes: [UInt8]
  var counts: [(of: String, count: Int)] { [("bytes", bytes.count)] }

  func visit(_ checksum: inout Checksum) { for byte in bytes { checksum.add(Int(byte)) } }
  func revised(_ number: Int) -> Self { number == 0 ? self : Self(bytes: bytes.reversed()) }
}

private func refusal(_ reason: String) -> StoreError {
  StoreError(operation: "decompress", path: "a zstd frame", reason: reason)
}

@Suite("Zstd frames")
struct ZstdCodecTests {
  private let compressor: ZstdCompressor
  private let decompressor: ZstdDecompressor
  private let text = Data(String(repeating: "меню пиццерии, ", count: 30_000).utf8)

  init() throws {
    compressor = try ZstdCompressor(level: 3)
    decompressor = try ZstdDecompressor(limit: 1 << 20)
  }

  @Test("return their input, long, short and empty, with one context")
  func roundTrip() throws {
    for bytes in [text, Data(), Data([7]), text, Data(0...255)] {
      #expect(try decompressor.decompress(compressor.compress(bytes)) == bytes)
    }
  }

  @Test("have their content's size and end with its checksum")
  func header() throws {
    let frame = try compressor.compress(text)
    #expect(frame.count < text.count / 100)
    let claimed = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
    #expect(claimed == UInt64(text.count))
    // The descriptor's third bit says that a checksum is there (RFC 8878, 3.1.1.1.1.5).
    #expect(frame[4] & 0b100 != 0)
  }

  @Test("are smaller or faster at another level, and read the same")
  func levels() throws {
    let bytes = try JSONCodec().encode(Fixtures.full)
    let least = try ZstdCompressor(level: -7).compress(bytes)
    let most = try ZstdCompressor(level: 19).compress(bytes)
    #expect(most.count < least.count)
    #expect(try decompressor.decompress(least) == bytes)
    #expect(try decompressor.decompress(most) == bytes)
  }

  @Test("are refused at a level that libzstd does not have")
  func unknownLevel() {
    #expect(
      throws: StoreError(
        operation: "compress", path: "a zstd frame",
        reason: "level 23 is not from \(ZSTD_minCLevel()) to 22")
    ) { try ZstdCodec(wrapping: JSONCodec(), level: 23) }
  }

  @Test("ask for no memory if they claim more than their bytes can hold")
  func claim() throws {
    // Magic number, a descriptor with eight bytes of size and no window, 4 EiB, the start of a block.
    let frame = Data(
      [0x28, 0xB5, 0x2F, 0xFD, 0xE0] + [0, 0, 0, 0, 0, 0, 0, 0x40] + [1, 0, 0, 0, 0, 0])
    #expect(throws: refusal("it claims 4611686018427387904 bytes, but may hold at most 622592")) {
      try decompressor.decompress(frame)
    }
  }

  @Test("are refused over the limit")
  func limit() throws {
    let decompressor = try ZstdDecompressor(limit: 1_000)
    let bytes = Data(repeating: 1, count: 1_001)
    #expect(throws: refusal("it claims 1001 bytes, but may hold at most 1000")) {
      try decompressor.decompress(compressor.compress(bytes))
    }
    let most = bytes.dropLast()
    #expect(try decompressor.decompress(compressor.compress(Data(most))) == most)
  }

  @Test("are refused without their size")
  func unknownSize() throws {
    // Magic number, a descriptor of neither size nor checksum, a window, the last block, of no bytes.
    let frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0, 0x58, 1, 0, 0])
    #expect(throws: refusal("it does not say how large its content is")) {
      try decompressor.decompress(frame)
    }
    // A context that failed half-way serves the next frame.
    #expect(try decompressor.decompress(compressor.compress(text)) == text)
  }

  @Test("are refused if they are cut anywhere")
  func cut() throws {
    let frame = try compressor.compress(try JSONCodec().encode(Fixtures.full))
    for length in 0..<frame.count {
      #expect(throws: StoreError.self) { try decompressor.decompress(frame.prefix(length)) }
    }
  }

  @Test("are refused or have the same content after any bit is changed")
  func damage() throws {
    let bytes = try JSONCodec().encode(Fixtures.bare)
    let frame = try compressor.compress(bytes)
    var refused = 0
    for bit in 0..<(frame.count * 8) {
      var damaged = frame
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      do {
        #expect(try decompressor.decompress(damaged) == bytes)
      } catch is StoreError {
        refused += 1
      }
    }
    #expect(refused > frame.count * 7)
  }

  @Test("are refused by length if they are other data")
  func foreign() throws {
    #expect(throws: refusal("these 5 bytes do not begin a frame")) {
      try decompressor.decompress(Data("[1,2]".utf8))
    }
    #expect(throws: refusal("these 0 bytes do not begin a frame")) {
      try decompressor.decompress(Data())
    }
  }

  @Test("keep documents of any type")
  func anyDocument() throws {
    let codec = try ZstdCodec(wrapping: JSONCodec())
    let document = Bytes(bytes: Array(0...255))
    #expect(try codec.decode(Bytes.self, from: codec.encode(document)) == document)
  }
}

@Suite("The json-zstd backend")
struct JSONZstdBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("keeps one frame in one file")
  func file() throws {
    let backend = try BackendEntry<Menu>.jsonZstd.open(folder.store())
    try replace(Fixtures.full, in: backend)
    #expect(try folder.files() == ["menu.json.zst"])
    let length = try folder.size(of: "menu.json.zst")
    #expect(length < (try JSONCodec().encode(Fixtures.full).count) / 2)
  }

  @Test("refuses another backend's file", arguments: ["json", "plist"])
  func foreign(id: String) throws {
    let other = try #require(BackendRegistry.all.first { $0.id == id })
    let writer = try other.open(folder.store())
    try replace(Fixtures.full, in: writer)
    try FileManager.default.moveItem(
      atPath: folder.path + "/menu." + id, toPath: folder.path + "/menu.json.zst")
    let length = try folder.size(of: "menu.json.zst")
    let backend = try BackendEntry<Menu>.jsonZstd.open(folder.store())
    #expect(throws: refusal("these \(length) bytes do not begin a frame")) {
      try restored(from: backend)
    }
  }
}

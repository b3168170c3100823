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

  @Test("give back what went in, long, short and empty, with one context")
  func roundTrip() throws {
    for bytes in [text, Data(), Data([7]), text, Data(0...255)] {
      #expect(try decompressor.decompress(compressor.compress(bytes)) == bytes)
    }
  }

  @Test("know their content's size and end with its checksum")
  func header() throws {
    let frame = try compressor.compress(text)
    #expect(frame.count < text.count / 100)
    let claimed = frame.withUnsafeBytes { ZSTD_getFrameContentSize($0.baseAddress, $0.count) }
    #expect(claimed == UInt64(text.count))
    // The descriptor's third bit says that a checksum is there (RFC 8878, 3.1.1.1.1.5).
    #expect(frame[4] & 0b100 != 0)
  }

  @Test("of another level are smaller or faster, and read the same")
  func levels() throws {
    let bytes = try JSONCodec().encode(Fixtures.full)
    let least = try ZstdCompressor(level: -7).compress(bytes)
    let most = try ZstdCompressor(level: 19).compress(bytes)
    #expect(most.count < least.count)
    #expect(try decompressor.decompress(least) == bytes)
    #expect(try decompressor.decompress(most) == bytes)
  }

  @Test("of no level that libzstd has are not made")
  func unknownLevel() {
    #expect(
      throws: StoreError(
        operation: "compress", path: "a zstd frame",
        reason: "level 23 is not among \(ZSTD_minCLevel()) to 22")
    ) { try ZstdCodec(wrapping: JSONCodec(), level: 23) }
  }

  @Test("that claim more than their bytes can hold ask for no memory")
  func claim() throws {
    // Magic number, a descriptor with eight bytes of size and no window, 4 EiB, the start of a block.
    let frame = Data(
      [0x28, 0xB5, 0x2F, 0xFD, 0xE0] + [0, 0, 0, 0, 0, 0, 0, 0x40] + [1, 0, 0, 0, 0, 0])
    #expect(throws: refusal("it claims 4611686018427387904 bytes, and may hold 622592")) {
      try decompressor.decompress(frame)
    }
  }

  @Test("over the limit are refused, whether or not they say how large they are")
  func limit() throws {
    let decompressor = try ZstdDecompressor(limit: 1_000)
    let bytes = Data(repeating: 1, count: 1_001)
    #expect(throws: refusal("it claims 1001 bytes, and may hold 1000")) {
      try decompressor.decompress(compressor.compress(bytes))
    }
    #expect(throws: refusal("it holds more than 1000 bytes")) {
      try decompressor.decompress(streamed(bytes))
    }
    let most = bytes.dropLast()
    #expect(try decompressor.decompress(compressor.compress(Data(most))) == most)
    #expect(try decompressor.decompress(streamed(Data(most))) == most)
  }

  @Test("that don't say how large they are are read piece by piece")
  func unknownSize() throws {
    for bytes in [text, Data(), Data([7])] {
      #expect(try decompressor.decompress(streamed(bytes)) == bytes)
    }
    #expect(throws: refusal("it ended too soon")) {
      try decompressor.decompress(streamed(text).dropLast())
    }
    // A context that failed half-way serves the next frame.
    #expect(try decompressor.decompress(streamed(text)) == text)
  }

  @Test("cut anywhere are refused")
  func cut() throws {
    let frame = try compressor.compress(try JSONCodec().encode(Fixtures.full))
    for length in 0..<frame.count {
      #expect(throws: StoreError.self) { try decompressor.decompress(frame.prefix(length)) }
    }
  }

  @Test("with any bit turned are refused or hold the same")
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

  @Test("that are none are refused by their length")
  func foreign() throws {
    #expect(throws: refusal("these 5 bytes begin no frame")) {
      try decompressor.decompress(Data("[1,2]".utf8))
    }
    #expect(throws: refusal("these 0 bytes begin no frame")) { try decompressor.decompress(Data()) }
  }

  @Test("keep documents of any type")
  func anyDocument() throws {
    let codec = try ZstdCodec(wrapping: JSONCodec())
    let document = Bytes(bytes: Array(0...255))
    #expect(try codec.decode(Bytes.self, from: codec.encode(document)) == document)
  }

  /// A frame that doesn't say how large its content is, as a pipe makes it.
  private func streamed(_ bytes: Data) throws -> Data {
    let context = try #require(ZSTD_createCCtx())
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    var frame = Data(count: ZSTD_compressBound(bytes.count))
    let count = frame.withUnsafeMutableBytes { frame in
      bytes.withUnsafeBytes { bytes in
        ZSTD_compress2(context, frame.baseAddress, frame.count, bytes.baseAddress, bytes.count)
      }
    }
    try #require(ZSTD_isError(count) == 0)
    return frame.prefix(count)
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
    #expect(throws: refusal("these \(length) bytes begin no frame")) {
      try restored(from: backend)
    }
  }
}

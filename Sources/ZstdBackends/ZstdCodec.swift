import BackendKit
import BenchDocuments
import CZstd
import Foundation

extension BackendEntry {
  /// `json-zstd`: the output of `JSONEncoder`, compressed, in one file.
  public static var jsonZstd: Self { Self(.jsonZstd, in: .file, id: "json-zstd") }
}

extension CodecEntry {
  /// `json-zstd`: Foundation's JSON, compressed.
  public static var jsonZstd: Self {
    Self(
      id: "json-zstd", summary: "JSON by Foundation, compressed by zstd at level 3",
      caveat: "generated texts repeat words, so a real menu may compress less. A context keeps its "
        + "memory between saves, which no peak shows", library: .zstd, fileExtension: "json.zst",
      advice: [
        Advice(
          "one context for many frames, level 3 by default, the content's size in the frame",
          source: "https://facebook.github.io/zstd/zstd_manual.html"),
        Advice(
          "a trained dictionary where the data is small",
          source: "https://github.com/facebook/zstd#the-case-for-small-data-compression",
          here: "not followed: a menu is one frame of a megabyte, too large for a gain"),
      ], codec: try ZstdCodec(wrapping: JSONCodec(), level: 3))
  }
}

/// Compresses another codec's bytes with libzstd into one frame with a checksum.
///
/// Its contexts serve all documents, so only one thread may use it at a time. A twin has its own.
public struct ZstdCodec<Wrapped: Codec>: Codec {
  private let wrapped: Wrapped
  private let compressor: ZstdCompressor
  private let decompressor: ZstdDecompressor
  private let level: Int
  private let limit: Int

  /// - Parameters:
  ///   - wrapped: The codec whose bytes are compressed.
  ///   - level: libzstd's level. Negative levels are faster, and 3 is its default.
  ///   - limit: The maximum number of bytes that a frame may contain.
  /// - Throws: ``StoreError`` if libzstd does not have this level, or if there is no memory.
  public init(wrapping wrapped: Wrapped, level: Int = 3, limit: Int = 1 << 32) throws {
    self.wrapped = wrapped
    self.level = level
    self.limit = limit
    compressor = try ZstdCompressor(level: level)
    decompressor = try ZstdDecompressor(limit: limit)
  }

  /// Encodes the document as one zstd frame.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try compressor.compress(try wrapped.encode(document))
  }

  /// Decodes the document of a frame.
  ///
  /// - Throws: ``StoreError`` if the bytes are not a zstd frame or are damaged.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try wrapped.decode(type, from: try decompressor.decompress(bytes))
  }

  /// Creates another codec with contexts of its own.
  public func twin() throws -> ZstdCodec {
    try ZstdCodec(wrapping: wrapped.twin(), level: level, limit: limit)
  }
}

/// A response that the network compressed.
extension ZstdCodec: ResponseCodec where Wrapped: ResponseCodec {}

/// Compresses into zstd frames (RFC 8878). One context and one buffer serve every call.
///
/// A frame begins with the size of its content and ends with a checksum of it.
final class ZstdCompressor {
  private let context: OpaquePointer
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// - Throws: ``StoreError`` if libzstd does not have this level, or if there is no memory.
  init(level: Int) throws {
    let levels = Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel())
    guard levels.contains(level) else {
      throw StoreError.zstd(
        "compress", "level \(level) is not from \(levels.lowerBound) to \(levels.upperBound)")
    }
    guard let context = ZSTD_createCCtx() else {
      throw StoreError.zstd("compress", "no memory for a context")
    }
    self.context = context
    try set(ZSTD_c_compressionLevel, to: Int32(level))
    try set(ZSTD_c_checksumFlag, to: 1)
  }

  deinit {
    ZSTD_freeCCtx(context)
    buffer.deallocate()
  }

  /// Compresses all bytes into one frame.
  func compress(_ bytes: Data) throws -> Data {
    reserve(ZSTD_compressBound(bytes.count))
    let count = try bytes.withUnsafeBytes { bytes in
      try zstd(
        "compress",
        ZSTD_compress2(context, buffer.baseAddress, buffer.count, bytes.baseAddress, bytes.count))
    }
    return Data(buffer[..<count])
  }

  private func set(_ parameter: ZSTD_cParameter, to value: Int32) throws {
    _ = try zstd("compress", ZSTD_CCtx_setParameter(context, parameter, value))
  }

  private func reserve(_ count: Int) {
    guard buffer.count < count else { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: count, alignment: 16)
  }
}

/// Decompresses zstd frames (RFC 8878). One context serves every call.
///
/// A damaged frame may claim any size, so the memory is limited to what its bytes can contain.
final class ZstdDecompressor {
  /// A block takes at least 4 bytes and contains at most 128 KiB (RFC 8878, 3.1.1.2).
  private static let mostPerByte = 128 * 1_024 / 4

  private let context: OpaquePointer
  private let limit: Int

  /// Refuses content of more than `limit` bytes. Throws ``StoreError`` if there is no memory.
  init(limit: Int) throws {
    guard let context = ZSTD_createDCtx() else {
      throw StoreError.zstd("decompress", "no memory for a context")
    }
    self.context = context
    self.limit = limit
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Decompresses a complete frame.
  ///
  /// - Throws: ``StoreError`` if the bytes are not a frame, are damaged or contain too much.
  func decompress(_ frame: Data) throws -> Data {
    try frame.withUnsafeBytes { frame in
      switch ZSTD_getFrameContentSize(frame.baseAddress, frame.count) {
      case zstd_content_size_error: throw failure("these \(frame.count) bytes do not begin a frame")
      // Frames of ours, and those that libzstd compressed in one call, contain the size.
      case zstd_content_size_unknown: throw failure("it does not say how large its content is")
      case let claimed: try content(of: frame, count: try checked(claimed, in: frame))
      }
    }
  }

  private func checked(_ claimed: UInt64, in frame: UnsafeRawBufferPointer) throws -> Int {
    let (possible, isOver) = frame.count.multipliedReportingOverflow(by: Self.mostPerByte)
    let most = isOver ? limit : min(possible, limit)
    guard claimed <= UInt64(most) else {
      throw failure("it claims \(claimed) bytes, but may hold at most \(most)")
    }
    return Int(claimed)
  }

  private func content(of frame: UnsafeRawBufferPointer, count: Int) throws -> Data {
    guard let memory = malloc(max(count, 1)) else { throw failure("no memory for \(count) bytes") }
    do {
      let found = try zstd(
        "decompress",
        ZSTD_decompressDCtx(context, memory, count, frame.baseAddress, frame.count))
      guard found == count else { throw failure("it claims \(count) bytes, but holds \(found)") }
    } catch {
      free(memory)
      throw error
    }
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  private func failure(_ reason: String) -> StoreError { .zstd("decompress", reason) }
}

extension StoreError {
  /// An error about a zstd frame that was to be compressed or decompressed.
  static func zstd(_ operation: String, _ reason: String) -> Self {
    StoreError(operation: operation, path: "a zstd frame", reason: reason)
  }
}

/// Returns the result of a libzstd function if it is not an error.
///
/// - Throws: ``StoreError`` with libzstd's error message.
func zstd(_ operation: String, _ code: Int) throws -> Int {
  guard ZSTD_isError(code) == 0 else {
    throw StoreError.zstd(operation, String(cString: ZSTD_getErrorName(code)))
  }
  return code
}

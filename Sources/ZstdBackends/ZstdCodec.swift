import BackendKit
import BenchDocuments
import CZstd
import Foundation

extension BackendEntry {
  /// `json-zstd`: what `JSONEncoder` makes, compressed, in one file.
  public static var jsonZstd: Self { Self(.jsonZstd, in: .file, id: "json-zstd") }
}

extension CodecEntry {
  /// `json-zstd`: Foundation's JSON, compressed.
  public static var jsonZstd: Self {
    Self(
      id: "json-zstd", summary: "JSON by Foundation, compressed by zstd at level 3", library: .zstd,
      fileExtension: "json.zst",
      advice: [
        Advice(
          "one context for many frames, level 3 unless told, the content's size in the frame",
          source: "https://facebook.github.io/zstd/zstd_manual.html"),
        Advice(
          "a trained dictionary where the data is small",
          source: "https://github.com/facebook/zstd#the-case-for-small-data-compression",
          here: "not followed: a menu is one frame of a megabyte, too large to gain by one"),
      ], codec: try ZstdCodec(wrapping: JSONCodec(), level: 3))
  }
}

/// Another codec's bytes, compressed by libzstd into one frame with a checksum.
///
/// Its contexts serve every document, so it is for one thread at a time; its twin has its own.
public struct ZstdCodec<Wrapped: Codec>: Codec {
  private let wrapped: Wrapped
  private let compressor: ZstdCompressor
  private let decompressor: ZstdDecompressor
  private let level: Int
  private let limit: Int

  /// - Parameters:
  ///   - wrapped: what makes the bytes to compress.
  ///   - level: libzstd's level, negative for speed; 3 is its default.
  ///   - limit: the most bytes that a frame may hold.
  /// - Throws: ``StoreError`` where libzstd has no such level, or there is no memory.
  public init(wrapping wrapped: Wrapped, level: Int = 3, limit: Int = 1 << 32) throws {
    self.wrapped = wrapped
    self.level = level
    self.limit = limit
    compressor = try ZstdCompressor(level: level)
    decompressor = try ZstdDecompressor(limit: limit)
  }

  /// The document as one zstd frame.
  public func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    try compressor.compress(try wrapped.encode(document))
  }

  /// The document that the frame holds.
  ///
  /// - Throws: ``StoreError`` where the bytes are no zstd frame or a damaged one.
  public func decode<Document: BenchDocument>(
    _ type: Document.Type, from bytes: Data
  ) throws -> Document {
    try wrapped.decode(type, from: try decompressor.decompress(bytes))
  }

  /// Another with contexts of its own.
  public func twin() throws -> ZstdCodec {
    try ZstdCodec(wrapping: wrapped.twin(), level: level, limit: limit)
  }
}

/// Makes zstd frames (RFC 8878) with one context and one buffer, which serve every call.
///
/// A frame says how large its content is and ends with a checksum of it.
final class ZstdCompressor {
  private let context: OpaquePointer
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// - Throws: ``StoreError`` where libzstd has no such level, or there is no memory.
  init(level: Int) throws {
    let levels = Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel())
    guard levels.contains(level) else {
      throw StoreError.zstd(
        "compress", "level \(level) is not among \(levels.lowerBound) to \(levels.upperBound)")
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

  /// One frame of all the bytes.
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

/// Reads zstd frames (RFC 8878) with one context, which serves every call.
///
/// A damaged frame may claim any size: no more memory is asked for than its bytes can hold.
final class ZstdDecompressor {
  /// A block takes 4 bytes at least and holds 128 KiB at most (RFC 8878, 3.1.1.2).
  private static let mostPerByte = 128 * 1_024 / 4

  private let context: OpaquePointer
  private let limit: Int

  /// Takes no content of more than `limit` bytes; throws ``StoreError`` where there is no memory.
  init(limit: Int) throws {
    guard let context = ZSTD_createDCtx() else {
      throw StoreError.zstd("decompress", "no memory for a context")
    }
    self.context = context
    self.limit = limit
  }

  deinit { ZSTD_freeDCtx(context) }

  /// The content of a frame whose bytes these are.
  ///
  /// - Throws: ``StoreError`` where the bytes are no frame, are damaged or hold too much.
  func decompress(_ frame: Data) throws -> Data {
    try frame.withUnsafeBytes { frame in
      switch ZSTD_getFrameContentSize(frame.baseAddress, frame.count) {
      case zstd_content_size_error: throw failure("these \(frame.count) bytes begin no frame")
      // Ours say it, as libzstd's do that were made in one call.
      case zstd_content_size_unknown: throw failure("it does not say how large its content is")
      case let claimed: try content(of: frame, count: try checked(claimed, in: frame))
      }
    }
  }

  private func checked(_ claimed: UInt64, in frame: UnsafeRawBufferPointer) throws -> Int {
    let (possible, isOver) = frame.count.multipliedReportingOverflow(by: Self.mostPerByte)
    let most = isOver ? limit : min(possible, limit)
    guard claimed <= UInt64(most) else {
      throw failure("it claims \(claimed) bytes, and may hold \(most)")
    }
    return Int(claimed)
  }

  private func content(of frame: UnsafeRawBufferPointer, count: Int) throws -> Data {
    guard let memory = malloc(max(count, 1)) else { throw failure("no memory for \(count) bytes") }
    do {
      let found = try zstd(
        "decompress",
        ZSTD_decompressDCtx(context, memory, count, frame.baseAddress, frame.count))
      guard found == count else { throw failure("it claims \(count) bytes and holds \(found)") }
    } catch {
      free(memory)
      throw error
    }
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  private func failure(_ reason: String) -> StoreError { .zstd("decompress", reason) }
}

extension StoreError {
  /// What is wrong with a zstd frame that was to be made or read.
  static func zstd(_ operation: String, _ reason: String) -> Self {
    StoreError(operation: operation, path: "a zstd frame", reason: reason)
  }
}

/// What a function of libzstd returned, unless that is an error.
///
/// - Throws: ``StoreError`` in libzstd's words.
func zstd(_ operation: String, _ code: Int) throws -> Int {
  guard ZSTD_isError(code) == 0 else {
    throw StoreError.zstd(operation, String(cString: ZSTD_getErrorName(code)))
  }
  return code
}

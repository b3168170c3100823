import CZstd
import Foundation

/// Makes zstd frames (RFC 8878) with one context and one buffer, which serve every call.
///
/// A frame says how large its content is and ends with a checksum of it.
final class ZstdCompressor {
  private let context: OpaquePointer
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// - Throws: ``StorageError`` where libzstd has no such level, or there is no memory.
  init(level: Int) throws {
    let levels = Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel())
    guard levels.contains(level) else {
      throw StorageError.zstd(
        "compress", "level \(level) is not among \(levels.lowerBound) to \(levels.upperBound)")
    }
    guard let context = ZSTD_createCCtx() else {
      throw StorageError.zstd("compress", "no memory for a context")
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

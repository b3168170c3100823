import CZstd
import Foundation

/// Reads zstd frames (RFC 8878) with one context, which serves every call.
///
/// A damaged frame may claim any size: no more memory is asked for than its bytes can hold.
final class ZstdDecompressor {
  /// A block takes 4 bytes at least and holds 128 KiB at most (RFC 8878, 3.1.1.2).
  private static let mostPerByte = 128 * 1_024 / 4

  private let context: OpaquePointer
  private let limit: Int

  /// Takes no content of more than `limit` bytes.
  ///
  /// - Throws: ``StorageError`` where there is no memory.
  init(limit: Int) throws {
    guard let context = ZSTD_createDCtx() else {
      throw StorageError.zstd("decompress", "no memory for a context")
    }
    self.context = context
    self.limit = limit
  }

  deinit { ZSTD_freeDCtx(context) }

  /// The content of a frame whose bytes these are, whether or not it says how large that is.
  ///
  /// - Throws: ``StorageError`` where the bytes are no frame, are damaged or hold too much.
  func decompress(_ frame: Data) throws -> Data {
    try frame.withUnsafeBytes { frame in
      switch ZSTD_getFrameContentSize(frame.baseAddress, frame.count) {
      case zstd_content_size_error: throw failure("these \(frame.count) bytes begin no frame")
      case zstd_content_size_unknown: try stream(frame)
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

  private func stream(_ frame: UnsafeRawBufferPointer) throws -> Data {
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: ZSTD_DStreamOutSize(), alignment: 16)
    defer { piece.deallocate() }
    _ = try zstd("decompress", ZSTD_DCtx_reset(context, ZSTD_reset_session_only))
    var content = Data()
    var input = ZSTD_inBuffer(src: frame.baseAddress, size: frame.count, pos: 0)
    var isWhole = false
    while !isWhole || input.pos < input.size {
      var output = ZSTD_outBuffer(dst: piece.baseAddress, size: piece.count, pos: 0)
      isWhole = try zstd("decompress", ZSTD_decompressStream(context, &output, &input)) == 0
      content.append(contentsOf: piece[..<output.pos])
      guard content.count <= limit else { throw failure("it holds more than \(limit) bytes") }
      // All was taken and there was room for more: nothing else will come.
      if !isWhole, input.pos == input.size, output.pos < output.size {
        throw failure("it ended too soon")
      }
    }
    return content
  }

  private func failure(_ reason: String) -> StorageError { .zstd("decompress", reason) }
}

import Foundation
import MenuModel

/// Another codec's bytes, compressed by libzstd into one frame with a checksum.
///
/// Its contexts serve every document, so it is for one thread at a time; its twin has its own.
public struct ZstdCodec<Wrapped: Codec>: Codec {
  private let wrapped: Wrapped
  private let compressor: ZstdCompressor
  private let decompressor: ZstdDecompressor
  private let level: Int
  private let limit: Int

  /// Makes a codec.
  ///
  /// - Parameters:
  ///   - wrapped: what makes the bytes to compress.
  ///   - level: libzstd's level, negative for speed; 3 is its default.
  ///   - limit: the most bytes that a frame may hold.
  /// - Throws: ``StorageError`` where libzstd has no such level, or there is no memory.
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
  /// - Throws: ``StorageError`` where the bytes are no zstd frame or a damaged one.
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

import CZlib
import Foundation

/// Undoes gzip (RFC 1952) by zlib, however many members follow each other.
package enum Gzip {
  /// Why compressed bytes have no content.
  package enum Fault: Error, Equatable {
    /// They end before a member does.
    case truncated
    /// No member begins at this byte, or the one that did is none, or not what its checksum says.
    case damaged(offset: Int)
    /// The content has more bytes than wanted.
    case tooLong
    /// The system has no memory for zlib's window.
    case noMemory
  }

  /// Whether bytes begin as gzip does, whatever their file is called.
  package static func isGzip(_ bytes: Data) -> Bool { bytes.starts(with: magic) }

  /// The content of all members together.
  ///
  /// The limit is held while inflating: what a few bytes may swell to is never in memory as a whole.
  package static func content(of bytes: Data, limit: Int) throws(Fault) -> Data {
    var stream = z_stream()
    guard czlib_prepare_for_gzip(&stream) == Z_OK else { throw .noMemory }
    defer { inflateEnd(&stream) }
    // zlib reads through a pointer that must stay where it is, and writes none of the input.
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { input.deallocate() }
    _ = input.initialize(from: bytes)
    return try content(of: input, &stream, limit: limit)
  }

  private static let magic: [UInt8] = [0x1F, 0x8B]
  private static let step = 1 << 16

  private static func content(
    of input: UnsafeMutableBufferPointer<UInt8>, _ stream: inout z_stream, limit: Int
  ) throws(Fault) -> Data {
    var content = Data()
    let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: step)
    defer { output.deallocate() }
    var offset = 0
    while true {
      // Counts of zlib have 32 bits: the input goes in by steps as well.
      let given = min(step, input.count - offset)
      stream.next_in = input.baseAddress.map { $0 + offset }
      stream.avail_in = UInt32(given)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(step)
      let status = inflate(&stream, Z_NO_FLUSH)
      offset += given - Int(stream.avail_in)
      let made = step - Int(stream.avail_out)
      guard content.count + made <= limit else { throw .tooLong }
      content.append(contentsOf: output.prefix(made))
      switch status {
      case Z_OK: continue
      case Z_STREAM_END where offset == input.count: return content
      // Another member follows (RFC 1952, 2.2).
      case Z_STREAM_END: guard inflateReset(&stream) == Z_OK else { throw .noMemory }
      case Z_BUF_ERROR: throw .truncated
      case Z_MEM_ERROR: throw .noMemory
      default: throw .damaged(offset: offset)
      }
    }
  }
}

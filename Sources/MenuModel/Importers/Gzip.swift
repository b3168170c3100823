import Basics
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
    /// The system has no zlib.
    case noLibrary
  }

  /// Whether bytes begin as gzip does, whatever their file is called.
  package static func isGzip(_ bytes: Data) -> Bool { bytes.starts(with: magic) }

  /// The content of all members together.
  ///
  /// The limit is held while inflating: what a few bytes may swell to is never in memory as a whole.
  package static func content(of bytes: Data, limit: Int) throws(Fault) -> Data {
    guard let zlib = Zlib.loaded else { throw .noLibrary }
    var stream = czlib_stream()
    guard zlib.prepareForGzip(&stream) == Zlib.ok else { throw .noMemory }
    defer { _ = zlib.end(&stream) }
    // zlib reads through a pointer that must stay where it is, and writes none of the input.
    let input = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { input.deallocate() }
    _ = input.initialize(from: bytes)
    return try content(of: input, &stream, by: zlib, limit: limit)
  }

  private static let magic: [UInt8] = [0x1F, 0x8B]
  private static let step = 1 << 16

  private static func content(
    of input: UnsafeMutableBufferPointer<UInt8>, _ stream: inout czlib_stream, by zlib: Zlib,
    limit: Int
  ) throws(Fault) -> Data {
    var content = Data()
    let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: step)
    defer { output.deallocate() }
    var offset = 0
    while true {
      // Counts of zlib have 32 bits: the input goes in by steps as well.
      let given = min(step, input.count - offset)
      stream.next_in = input.baseAddress.map { UnsafePointer($0 + offset) }
      stream.avail_in = UInt32(given)
      stream.next_out = output.baseAddress
      stream.avail_out = UInt32(step)
      let status = zlib.inflate(&stream, Zlib.noFlush)
      offset += given - Int(stream.avail_in)
      let made = step - Int(stream.avail_out)
      guard content.count + made <= limit else { throw .tooLong }
      content.append(contentsOf: output.prefix(made))
      switch status {
      case Zlib.ok: continue
      case Zlib.streamEnd where offset == input.count: return content
      // Another member follows (RFC 1952, 2.2).
      case Zlib.streamEnd: guard zlib.reset(&stream) == Zlib.ok else { throw .noMemory }
      case Zlib.bufferError: throw .truncated
      case Zlib.memoryError: throw .noMemory
      default: throw .damaged(offset: offset)
      }
    }
  }
}

extension Gzip.Fault {
  /// What is wrong, in words.
  ///
  /// - Parameter limit: the bytes that the content was to have at most.
  package func words(limit: Int) -> String {
    switch self {
    case .truncated: "it is cut short: its gzip does not come to an end"
    case .damaged(let offset): "its gzip is damaged near byte \(offset)"
    case .tooLong: "its gzip holds more bytes than the limit of \(limit)"
    case .noMemory: "zlib has no memory"
    case .noLibrary: "it is gzip, and this system has no zlib"
    }
  }

  /// Whether the system is to blame, and not the bytes.
  package var isOfSystem: Bool { self == .noMemory || self == .noLibrary }
}

/// The functions of the system's zlib, which is found when it is first needed: every system has the
/// library, few have its header.
private struct Zlib: Sendable {
  typealias Stream = UnsafeMutablePointer<czlib_stream>

  static let ok = Int32(CZLIB_OK)
  static let streamEnd = Int32(CZLIB_STREAM_END)
  static let memoryError = Int32(CZLIB_MEM_ERROR)
  static let bufferError = Int32(CZLIB_BUF_ERROR)
  static let noFlush = Int32(CZLIB_NO_FLUSH)

  /// Nil where there is none.
  static let loaded = Zlib()

  let inflate: @convention(c) (Stream, _ flush: Int32) -> Int32
  let reset: @convention(c) (Stream) -> Int32
  let end: @convention(c) (Stream) -> Int32
  private let prepare:
    @convention(c) (Stream, _ windowBits: Int32, _ version: UnsafePointer<CChar>, _ size: Int32) ->
      Int32

  private init?() {
    #if canImport(Darwin)
      let library = dlopen("/usr/lib/libz.1.dylib", RTLD_LAZY)
    #else
      let library = dlopen("libz.so.1", RTLD_LAZY)
    #endif
    guard let library, let inflate = dlsym(library, "inflate"),
      let reset = dlsym(library, "inflateReset"), let end = dlsym(library, "inflateEnd"),
      let prepare = dlsym(library, "inflateInit2_")
    else { return nil }
    self.inflate = unsafeBitCast(inflate, to: type(of: self.inflate))
    self.reset = unsafeBitCast(reset, to: type(of: self.reset))
    self.end = unsafeBitCast(end, to: type(of: self.end))
    self.prepare = unsafeBitCast(prepare, to: type(of: self.prepare))
  }

  /// For gzip alone, with the largest window, as `inflateInit2` of zlib.h does.
  func prepareForGzip(_ stream: Stream) -> Int32 {
    prepare(stream, 16 + 15, "1", Int32(MemoryLayout<czlib_stream>.size))
  }
}

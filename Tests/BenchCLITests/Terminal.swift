import Dispatch
import Foundation

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// A pseudo-terminal.
struct Terminal {
  /// The end that a program writes to.
  let program: FileDescriptor
  private let screen: FileDescriptor

  /// Opens a terminal of that many columns. Throws `Errno`.
  init(columns: Int) throws {
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    var (screen, program): (Int32, Int32) = (-1, -1)
    try Self.check(openpty(&screen, &program, nil, nil, &size))
    self.screen = FileDescriptor(rawValue: screen)
    self.program = FileDescriptor(rawValue: program)
    // A process that another test starts must not keep it open.
    for end in [screen, program] { try Self.check(fcntl(end, F_SETFD, FD_CLOEXEC)) }
  }

  /// Reads until every process has closed the program's end.
  func read() async throws -> String {
    let bytes = await withCheckedContinuation { (done: CheckedContinuation<Data, Never>) in
      DispatchQueue.global().async { [screen] in
        var bytes = Data()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // Linux ends it with EIO.
        while let count = try? buffer.withUnsafeMutableBytes({ try screen.read(into: $0) }),
          count > 0
        {
          bytes += buffer.prefix(count)
        }
        done.resume(returning: bytes)
      }
    }
    try screen.close()
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  private static func check(_ result: Int32) throws {
    guard result >= 0 else { throw Errno(rawValue: errno) }
  }
}

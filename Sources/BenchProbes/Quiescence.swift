import Basics
import Foundation

/// Whether other threads of this process are at work.
package enum Quiescence {
  /// Waits until every other thread sleeps, seen three times in a row; no longer than a tenth of a
  /// second, since a thread may have work without end.
  ///
  /// Where the system does not tell what threads do it waits a millisecond.
  package static func wait() {
    var seen = 0
    for _ in 0..<100 where seen < 3 {
      guard let isQuiet else {
        usleep(1_000)
        return
      }
      seen = isQuiet ? seen + 1 : 0
      if seen < 3 { usleep(isQuiet ? 50 : 1_000) }
    }
  }

  /// Whether every other thread sleeps; nil where that is not to be had.
  private static var isQuiet: Bool? {
    guard let threads = opendir("/proc/self/task") else { return nil }
    defer { closedir(threads) }
    // A process's first thread has its number.
    var running = 0
    while let entry = readdir(threads) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard !name.hasPrefix(".") else { continue }
      if state(ofThread: name) != UInt8(ascii: "S") { running += 1 }
    }
    // The one that asks is at work.
    return running <= 1
  }

  /// The letter after the name in parentheses, see proc_pid_stat(5); nil of a thread that is gone.
  private static func state(ofThread id: String) -> UInt8? {
    let file = open("/proc/self/task/\(id)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return UInt8(ascii: "S") }
    defer { close(file) }
    return withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { text in
      let count = read(file, text.baseAddress, text.count)
      guard count > 0, let end = text.prefix(count).lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      return end + 2 < count ? text[end + 2] : nil
    }
  }
}

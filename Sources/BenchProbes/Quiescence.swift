import Basics

/// Waits for the other threads of this process.
package enum Quiescence {
  /// Waits until three checks in a row find every other thread asleep. Gives up after about a tenth
  /// of a second, since a thread may have endless work.
  ///
  /// Allocates the same amount however long it waits: the allocator's free memory must not depend
  /// on the waiting time where instructions are counted. Waits a millisecond if the system does not
  /// report the state of threads.
  package static func wait() {
    #if os(Linux)
      guard let threads = opendir("/proc/self/task") else {
        usleep(1_000)
        return
      }
      defer { closedir(threads) }
      var seen = 0
      for _ in 0..<100 {
        seen = isQuiet(threads) ? seen + 1 : 0
        if seen == 3 { return }
        usleep(seen > 0 ? 50 : 1_000)
      }
    #else
      usleep(1_000)
    #endif
  }

  #if os(Linux)
    /// Whether no thread is at work except the calling one.
    private static func isQuiet(_ threads: OpaquePointer) -> Bool {
      rewinddir(threads)
      var running = 0
      while let entry = readdir(threads) {
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { name in
            guard name[0] != CChar(bitPattern: UInt8(ascii: ".")) else { return }
            if isRunning(name, in: dirfd(threads)) { running += 1 }
          }
        }
      }
      return running <= 1
    }

    /// Reads the state after the name in parentheses (proc_pid_stat(5)). An ended thread does not run.
    private static func isRunning(_ id: UnsafePointer<CChar>, in folder: Int32) -> Bool {
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
        guard let start = text.baseAddress, strlen(id) < 64 else { return false }
        strcpy(start, id)
        strcat(start, "/stat")
        let file = openat(folder, start, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let count = read(file, start, text.count)
        let bracket = CChar(bitPattern: UInt8(ascii: ")"))
        guard count > 0, let end = text.prefix(count).lastIndex(of: bracket), end + 2 < count else {
          return false
        }
        return text[end + 2] != CChar(bitPattern: UInt8(ascii: "S"))
      }
    }
  #endif
}

import BenchProbes
import Foundation

/// The worker's line to its parent while it measures.
///
/// Every message also puts off the alarm that ends a worker whose parent is gone.
final class ParentLine {
  private let messages: FileHandle
  private let silence: Int
  private let clock = MonotonicClock()
  private var stage = ""
  private var last: UInt64 = 0

  init(_ messages: FileHandle, silence: Int) {
    self.messages = messages
    self.silence = silence
  }

  /// Says what is about to happen.
  func announce(_ stage: String) {
    self.stage = stage
    last = clock.now()
    alarm(UInt32(min(max(silence, 1), 1 << 30)) + 5)
    do {
      try messages.send(.stage(stage))
    } catch {
      // Nobody listens any more.
      exit(1)
    }
  }

  /// Says that the worker is alive, whatever the time.
  func again() { announce(stage) }

  /// Says that the worker is alive, if it has said nothing for a second.
  func beat() {
    if clock.now() - last > 1_000_000_000 { again() }
  }
}

extension FileHandle {
  /// Standard output kept for messages: whatever else writes to it ends in standard error.
  ///
  /// It stays open until the process ends: whoever reads meets the end no sooner, and is there as long
  /// as ``Lifeline`` watches. Processes started from here do not have it.
  static func takingStandardOutput() -> FileHandle {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    let messages = FileHandle(fileDescriptor: own, closeOnDealloc: false)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return messages
  }

  /// Writes one message as one line.
  func send(_ message: WorkerMessage) throws {
    try write(contentsOf: JSONEncoder().encode(message) + Data("\n".utf8))
  }
}

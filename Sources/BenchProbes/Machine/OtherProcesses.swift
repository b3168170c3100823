import Basics
import CProfiler

/// The process that started this one.
package enum ParentProcess {
  /// Ends this process as soon as its parent ends, even if the parent is killed. Only Linux can.
  ///
  /// A thread that watches the parent would do the same, but it would also change what is measured.
  package static func endWithIt() { end_with_parent() }
}

/// A lock that every program holds while it takes times, so that each can see others.
///
/// All share it on a folder that exists anyway (flock(2)), so nothing is left behind. The system
/// releases it however a process ends.
package final class TimingLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock on a folder. Without such a folder, or such locks, no other program is seen.
  package init(on folder: String) {
    descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    flock(descriptor, LOCK_SH | LOCK_NB)
  }

  /// Whether another program holds the lock now.
  package var isShared: Bool {
    // Asking for the lock alone gives up our share, so it is taken again.
    defer { flock(descriptor, LOCK_SH | LOCK_NB) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  deinit { close(descriptor) }
}

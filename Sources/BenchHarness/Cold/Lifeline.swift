import Foundation

/// Ends this process when whoever reads its messages is gone, however that one ended: no signal and
/// no time limit of a dead parent reaches its children.
enum Lifeline {
  /// Watches the writing end of a pipe, on a thread of its own that sleeps meanwhile.
  ///
  /// poll(2) reports a pipe without readers whether or not it was asked for.
  static func watch(_ descriptor: Int32) {
    Thread.detachNewThread {
      var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&pipe, 1, -1) < 1 {}
      _exit(1)
    }
  }
}

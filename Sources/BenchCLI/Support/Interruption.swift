import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and its like: the first stops measuring and keeps what is there, the second ends at once.
final class Interruption: Sendable {
  private let received = Mutex<Int32?>(nil)
  // Written once, before any signal can arrive; kept only so that the sources live.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Calls the handler on the first SIGINT, SIGTERM or SIGHUP.
  func watch(_ handler: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Whoever started us with a signal ignored, as nohup does, wants it ignored.
      guard !Self.ignores(signal(number, SIG_IGN)) else { continue }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in
        let isFirst = received.withLock { first in
          defer { first = first ?? number }
          return first == nil
        }
        if isFirst { handler() } else { Self.die(by: number) }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// Ends the process by the signal received; returns where there was none.
  func reraise() {
    guard let number = received.withLock({ $0 }) else { return }
    Self.die(by: number)
  }

  private static func ignores(_ handler: sighandler_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// See Martin Cracauer, "Proper handling of SIGINT/SIGQUIT": a caller can only tell an interrupted
  /// program from a failed one by the signal that ended it.
  private static func die(by number: Int32) {
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}

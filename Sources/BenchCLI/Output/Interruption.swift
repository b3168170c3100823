import Dispatch
import Foundation
import Synchronization

/// A signal that came before its dispatch source was registered, or 0.
private nonisolated(unsafe) var earlySignal: Int32 = 0

/// Handles Ctrl-C and similar signals. The first one stops measuring and keeps the results so far.
/// One that follows at least half a second later ends the process at once. Earlier repeats are
/// ignored, since `timeout` signals a process and then its group.
final class Interruption: Sendable {
  private let received = Mutex<(number: Int32, time: ContinuousClock.Instant)?>(nil)
  // Written once, before any signal can arrive. It only keeps the sources alive.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Runs work in a task that the first SIGINT, SIGTERM or SIGHUP cancels.
  func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(operation: work)
    watch { task.cancel() }
    return try await task.value
  }

  /// Does the same, but ends the process by the signal if that cancelled the work.
  ///
  /// - Parameters:
  ///   - what: The subject of `… was interrupted`, such as `the gate`.
  ///   - storage: A folder to remove before the process ends.
  func cancelling<Value: Sendable>(
    _ what: String, in storage: ScratchFolder? = nil,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await cancelling(work)
    } catch is CancellationError {
      storage?.remove()
      let error = CLIError("\(what) was interrupted: nothing is kept", status: .failed)
      Console.note(error.message)
      reraise()
      throw error
    }
  }

  /// Calls the handler on the first SIGINT, SIGTERM or SIGHUP.
  private func watch(_ handler: @escaping @Sendable () -> Void) {
    let registered = DispatchGroup()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // A parent such as nohup that ignores a signal wants it to stay ignored.
      let old = signal(number) { earlySignal = $0 }
      guard !Self.ignores(old) else {
        signal(number, SIG_IGN)
        continue
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in take(number, handler) }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      sources.append(source)
    }
    // A source sees nothing until it is registered. Signals before that must not be lost.
    registered.wait()
    if earlySignal != 0 { take(earlySignal, handler) }
  }

  private func take(_ number: Int32, _ handler: () -> Void) {
    let now = ContinuousClock.now
    let since = received.withLock { first -> Duration? in
      defer { first = first ?? (number, now) }
      return first.map { now - $0.time }
    }
    guard let since else { return handler() }
    if since >= .milliseconds(500) { Self.die(by: number) }
  }

  /// Ends the process by the signal that it received. Returns if there was none.
  func reraise() {
    guard let number = received.withLock({ $0?.number }) else { return }
    Self.die(by: number)
  }

  private static func ignores(_ handler: sighandler_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process by a signal. Only that tells a caller that the program was interrupted and
  /// did not fail: see Martin Cracauer, "Proper handling of SIGINT/SIGQUIT".
  private static func die(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // Another thread may take the signal. This one must not end the process in another way first.
    while true { pause() }
  }
}

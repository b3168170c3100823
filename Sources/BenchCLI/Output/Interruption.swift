import Dispatch
import Foundation
import Synchronization

/// The signal that came before its source was registered; 0 for none.
private nonisolated(unsafe) var earlySignal: Int32 = 0

/// Ctrl-C and its like: the first stops measuring and keeps what is there, one half a second later ends at once. What
/// comes sooner is the same told twice, as `timeout` tells a process and then its group.
final class Interruption: Sendable {
  private let received = Mutex<(number: Int32, time: ContinuousClock.Instant)?>(nil)
  // Written once, before any signal can arrive; kept only so that the sources live.
  private nonisolated(unsafe) var sources: [any DispatchSourceSignal] = []

  /// Runs work in a task that the first SIGINT, SIGTERM or SIGHUP cancels.
  func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task(operation: work)
    watch { task.cancel() }
    return try await task.value
  }

  /// The same, and ends the process by the signal where the work was given up for it.
  ///
  /// - Parameters:
  ///   - what: such as `the gate`, to be put before `was interrupted`.
  ///   - storage: what is removed before the process ends.
  func cancelling<Value: Sendable>(
    _ what: String, in storage: ScratchFolder? = nil,
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await cancelling(work)
    } catch is CancellationError {
      storage?.remove()
      let error = CLIError("\(what) was interrupted: nothing of it is kept", status: .failed)
      Console.note(error.message)
      reraise()
      throw error
    }
  }

  /// Calls the handler on the first SIGINT, SIGTERM or SIGHUP.
  private func watch(_ handler: @escaping @Sendable () -> Void) {
    let registered = DispatchGroup()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Whoever started us with a signal ignored, as nohup does, wants it ignored.
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
    // A source that is not registered yet sees nothing: what comes before that is not to be lost.
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

  /// Ends the process by the signal received; returns where there was none.
  func reraise() {
    guard let number = received.withLock({ $0?.number }) else { return }
    Self.die(by: number)
  }

  private static func ignores(_ handler: sighandler_t?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// See Martin Cracauer, "Proper handling of SIGINT/SIGQUIT": a caller can only tell an interrupted
  /// program from a failed one by the signal that ended it.
  private static func die(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    kill(getpid(), number)
    // Another thread may take the signal: this one is not to end the process otherwise meanwhile.
    while true { pause() }
  }
}

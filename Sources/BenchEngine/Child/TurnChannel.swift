import Basics

/// The line between two workers that alternate, so that a slow spell of the machine affects both.
///
/// Each message is one byte. A worker does not wait for one that has left. If a worker dies, the
/// parent notices it and ends the other.
final class TurnChannel {
  private enum Message: UInt8 {
    case here = 1, turn, gone
  }

  /// Whether this worker has the first turn.
  let begins: Bool
  private let processor: Int
  private let own: Int32
  private let other: Int32
  private var isMet = false
  /// The processors that this thread may use after its last turn, or nil if it is not pinned.
  private var unpinned: ProcessorAffinity?
  private var hasTurn: Bool
  /// Whether the other worker has left.
  private(set) var isAlone = false

  /// Opens both pipes; throws ``WorkloadFailure`` if one cannot be opened.
  init(_ turns: Turns) throws {
    (begins, hasTurn) = (turns.begins, turns.begins)
    processor = turns.processor
    // Opened for both directions, so neither opening nor writing waits for the other end.
    own = open(turns.own, O_RDWR | O_CLOEXEC)
    other = open(turns.other, O_RDWR | O_CLOEXEC)
    guard own >= 0, other >= 0 else {
      throw WorkloadFailure("cannot take turns: \(errnoMessage())")
    }
  }

  deinit {
    close(own)
    close(other)
  }

  /// Waits until the other worker is ready, and calls `heartbeat` meanwhile.
  ///
  /// - Parameter pins: whether to keep this thread and the threads that it starts on one processor
  ///   until its last turn.
  func meet(pins: Bool, _ heartbeat: () -> Void) {
    send(.here)
    while !isMet, !isAlone { receive(heartbeat) }
    guard pins else { return }
    unpinned = ProcessorAffinity.current
    unpinned?.one(processor).apply()
  }

  func take(_ heartbeat: () -> Void) {
    while !hasTurn, !isAlone { receive(heartbeat) }
  }

  /// Passes the turn to the other worker.
  func pass() {
    guard !isAlone else { return }
    hasTurn = false
    send(.turn)
  }

  /// Stops taking turns. A fresh process that starts afterwards may run on any processor.
  func leave() {
    send(.gone)
    unpinned?.apply()
  }

  /// Waits until the other worker has left too, because the remaining work would disturb it.
  func awaitEnd(_ heartbeat: () -> Void) {
    while !isAlone { receive(heartbeat) }
  }

  private func send(_ message: Message) {
    var byte = message.rawValue
    _ = write(other, &byte, 1)
  }

  private func receive(_ heartbeat: () -> Void) {
    heartbeat()
    var waiting = pollfd(fd: own, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 500) > 0 else { return }
    var byte: UInt8 = 0
    guard read(own, &byte, 1) == 1 else { return }
    switch Message(rawValue: byte) {
    case .here: isMet = true
    case .turn: hasTurn = true
    case .gone, nil: isAlone = true
    }
  }
}

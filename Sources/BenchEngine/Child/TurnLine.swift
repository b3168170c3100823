import Basics

/// The line between two workers that measure in turns, a few milliseconds each: a machine that is
/// slow for a while is so for both.
///
/// A byte a message: here, your turn, I am gone. Nobody waits for one that is gone; one that died is
/// the parent's to notice, which then ends the other.
final class TurnLine {
  private enum Message: UInt8 {
    case here = 1, turn, gone
  }

  private let processor: Int
  private let own: Int32
  private let other: Int32
  private var isMet = false
  /// Where this thread may run once it takes no more turns; nil where it is not pinned.
  private var unpinned: ProcessorAffinity?
  private var hasTurn: Bool
  /// Whether the other one is gone.
  private(set) var isAlone = false

  /// Opens both pipes; throws ``WorkloadFailure`` where one cannot be.
  init(_ turns: Turns) throws {
    hasTurn = turns.begins
    processor = turns.processor
    // For reading and writing: so neither opening nor writing waits for the other end.
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

  /// Waits until the other worker is ready too; `beat` is called all the while.
  ///
  /// - Parameter pins: whether this thread, and those that it starts, stay on one processor until it
  ///   takes no more turns.
  func meet(pins: Bool, _ beat: () -> Void) {
    send(.here)
    while !isMet, !isAlone { receive(beat) }
    guard pins else { return }
    unpinned = ProcessorAffinity.current
    unpinned?.one(processor).apply()
  }

  func take(_ beat: () -> Void) {
    while !hasTurn, !isAlone { receive(beat) }
  }

  /// Lets the other one have a turn.
  func pass() {
    guard !isAlone else { return }
    hasTurn = false
    send(.turn)
  }

  /// Takes no more turns. A fresh process that is started later may run anywhere again.
  func leave() {
    send(.gone)
    unpinned?.apply()
  }

  /// Waits until the other one takes no more either: what is left to do would disturb it.
  func awaitEnd(_ beat: () -> Void) {
    while !isAlone { receive(beat) }
  }

  private func send(_ message: Message) {
    var byte = message.rawValue
    _ = write(other, &byte, 1)
  }

  private func receive(_ beat: () -> Void) {
    beat()
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

import BackendKit
import Basics
import BenchResults
import Foundation

/// How a worker takes turns with the worker of another program.
package struct Turns: Hashable, Codable, Sendable {
  /// The pipe that this worker reads, a FIFO's path.
  package var own: String
  /// The pipe that the other one reads.
  package var other: String
  /// Whether this worker has the first turn.
  package var begins: Bool
  /// Which of the processors that they may use both run on, counted round and round: on a virtual
  /// machine each has moods of its own.
  package var processor: Int
  /// By how many bytes the environment of the process is longer than a worker's: it moves the stack, and
  /// times with it. Drawn for each block, so that no program is lucky in it (Mytkowicz et al., ASPLOS 2009).
  package var padding = 0
}

/// The two pipes by which the workers of a pair tell each other whose turn it is.
struct TurnPipes {
  private let paths: Sides<String>

  /// Makes the pipes in a folder, after whatever an earlier pair left there.
  init(in folder: String) throws {
    paths = Sides(baseline: folder + "/turn-b", candidate: folder + "/turn-c")
    try PreparedBlock.make(folder)
    for path in [paths.baseline, paths.candidate] {
      unlink(path)
      guard mkfifo(path, 0o600) == 0 else {
        throw StoreError(
          operation: "make a pipe at", path: path, reason: errnoMessage())
      }
    }
  }

  /// One side's part.
  func turns(of side: Pairing.Side, begins: Bool, processor: Int, padding: Int = 0) -> Turns {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    return Turns(
      own: paths[side], other: paths[other], begins: begins, processor: processor, padding: padding)
  }

  func remove() {
    for path in [paths.baseline, paths.candidate] { unlink(path) }
  }
}

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

  /// Opens both pipes.
  ///
  /// - Throws: ``WorkloadFailure`` where one cannot be.
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

  /// Waits for this worker's turn.
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

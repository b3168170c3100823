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

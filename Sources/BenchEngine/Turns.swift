/// Tells a worker how to take turns with the worker of another program.
package struct Turns: Hashable, Codable, Sendable {
  /// The path of the FIFO that this worker reads.
  package var own: String
  /// The path of the FIFO that the other worker reads.
  package var other: String
  /// Whether this worker has the first turn.
  package var begins: Bool
  /// The number of the processor that both workers run on, modulo the number of processors
  /// available to them. On a virtual machine the speeds of processors vary independently.
  package var processor: Int
  /// How many bytes to add to the environment of the worker's process. This moves the stack, which changes
  /// times. It is drawn for each block, so that neither program profits (Mytkowicz et al., ASPLOS 2009).
  package var padding = 0
}

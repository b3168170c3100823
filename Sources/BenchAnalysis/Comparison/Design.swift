/// How the blocks of two runs belong together.
public enum Design: Hashable, Sendable {
  /// Block i of one was measured beside block i of the other, so that the machine's moods cancel.
  case paired
  /// The runs were measured apart, as a stored one and a new one.
  case unpaired
}

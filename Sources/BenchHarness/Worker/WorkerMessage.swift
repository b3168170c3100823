import BenchResults

/// What a worker tells its parent, one JSON object a line.
public enum WorkerMessage: Hashable, Codable, Sendable {
  /// What it is: the answer to a ``HelloRequest``.
  case hello(WorkerHello)
  /// What it is about to do: known even of a worker that dies doing it.
  case stage(String)
  /// The block's series, each with one block of values.
  case result([Series])
  /// What a fresh process found: the answer to a ``ColdRequest``.
  case found(ColdReply)
  /// The cell cannot be measured, for the reason given.
  case failure(reason: String)
}

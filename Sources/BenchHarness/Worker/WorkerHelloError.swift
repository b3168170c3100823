import BenchResults

/// Why an executable cannot be measured.
public enum WorkerHelloError: Error, Hashable {
  /// No process of it could be started, for the system's reason.
  case notStarted(executable: String, reason: String)
  /// It was started and is no bench: what it said, or how it ended.
  case noWorker(executable: String, said: String)
  /// It is a bench of another time.
  case otherVersion(executable: String, found: Int, ours: Int)
}

extension WorkerHelloError: CustomStringConvertible {
  /// One line.
  public var description: String {
    switch self {
    case .notStarted(let executable, let reason): "\(executable) cannot be started: \(reason)"
    case .noWorker(let executable, let said): "\(executable) is no bench: \(said)"
    case .otherVersion(let executable, let found, let ours):
      "\(executable) speaks version \(found) of the worker protocol, this program version \(ours)"
    }
  }
}

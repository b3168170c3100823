import BenchResults
import Foundation
import PersistenceBackends

/// The two pipes by which the workers of a pair tell each other whose turn it is.
struct TurnPipes {
  private let paths: Sides<String>

  /// Makes the pipes in a folder, after whatever an earlier pair left there.
  init(in folder: String) throws {
    paths = Sides(baseline: folder + "/turn-b", candidate: folder + "/turn-c")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [paths.baseline, paths.candidate] {
      unlink(path)
      guard mkfifo(path, 0o600) == 0 else {
        throw StorageError(
          operation: "make a pipe at", path: path, reason: String(cString: strerror(errno)))
      }
    }
  }

  /// One side's part.
  func turns(of side: Pairing.Side, begins: Bool, processor: Int) -> Turns {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    return Turns(own: paths[side], other: paths[other], begins: begins, processor: processor)
  }

  /// Takes the pipes away.
  func remove() {
    for path in [paths.baseline, paths.candidate] { unlink(path) }
  }
}

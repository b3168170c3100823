import BackendKit
import Basics
import BenchResults

/// The two pipes that the workers of a pair use to take turns.
struct TurnPipes {
  private let paths: Sides<String>

  /// Makes the pipes in a folder, and replaces pipes of an earlier pair.
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

  func turns(of side: Pairing.Side, begins: Bool, processor: Int, padding: Int = 0) -> Turns {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    return Turns(
      own: paths[side], other: paths[other], begins: begins, processor: processor, padding: padding)
  }

  func remove() {
    for path in [paths.baseline, paths.candidate] { unlink(path) }
  }
}

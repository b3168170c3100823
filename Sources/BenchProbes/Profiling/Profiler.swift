import BenchResults

/// Records where the work of phases goes. Create one profiler per process and use it on one thread.
package protocol Profiler: AnyObject {
  var runs: Int { get }
  /// The number of stacks sampled in a phase (nil: in all). Returns nil for exact profiles.
  func samples(of phase: String?) -> Int?
  /// Does the work of a phase.
  ///
  /// - Parameter goingOn: whether the work continues the previous run.
  func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result
  func forget()
  /// Returns one profile for each phase.
  func profiles() -> [RawProfile]
}

extension Profiler {
  /// Returns nil, for an exact profile.
  package func samples(of phase: String?) -> Int? { nil }
}

extension Profile.Facts {
  /// Counts a run, or a continuation of the last one, in this one process.
  mutating func add(wall: Double, goingOn: Bool) {
    blocks = 1
    runs += goingOn ? 0 : 1
    self.wall += wall
  }
}

import BenchResults

/// Takes down what the work of phases is made of: one a process, on one thread.
package protocol Profiler: AnyObject {
  var runs: Int { get }
  /// How many stacks were taken of a phase, or of all, where more are worth having; nil of what is exact.
  func samples(of phase: String?) -> Int?
  /// Does a phase's work.
  ///
  /// - Parameter goingOn: whether it is a further part of the run that was done last.
  func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result
  func forget()
  /// What was taken, a profile a phase.
  func profiles() -> [RawProfile]
}

extension Profiler {
  /// It is exact.
  package func samples(of phase: String?) -> Int? { nil }
}

extension Profile.Facts {
  /// Counts a run, or a further part of the last one, in the one process that there is.
  mutating func add(wall: Double, goingOn: Bool) {
    blocks = 1
    runs += goingOn ? 0 : 1
    self.wall += wall
  }
}

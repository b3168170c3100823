import Basics
import BenchResults

/// Makes Callgrind record the instructions of a phase by function.
///
/// Works in the same processes as ``CallgrindInstructions``.
package final class InstructionProfiler: Profiler {
  private let instrument: CallgrindInstructions
  private let clock = MonotonicClock()
  private var found: [RawProfile] = []

  /// Checks once that Callgrind counts. Throws ``Unsupported`` outside Callgrind.
  package init() throws(Unsupported) { instrument = try CallgrindInstructions() }

  package var runs: Int { found.reduce(0) { $0 + $1.facts.runs } }

  package func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now()
    instrument.begin()
    defer {
      instrument.end()
      keep(instrument.dump(), phase, goingOn, wall: Double(clock.now() &- start))
    }
    return try PhaseMarker.run(work)
  }

  private func keep(_ dump: String, _ phase: String, _ goesOn: Bool, wall: Double) {
    let index = found.firstIndex { $0.phase == phase } ?? found.count
    if index == found.count {
      found.append(
        RawProfile(
          what: .instructions, phase: phase, executable: StackProfiler.executable,
          measures: [Profile.Measure(id: "instructions", unit: .count)], stacks: [],
          facts: Profile.Facts()
        ).with(\.root, PhaseMarker.name))
    }
    found[index].facts.add(wall: wall, goingOn: goesOn)
    found[index].dumps.append(dump)
  }

  /// Removes all dumps written so far.
  package func forget() {
    for dump in found.flatMap(\.dumps) { unlink(dump) }
    found = []
  }

  /// Returns one profile for each phase. It names the files that Callgrind wrote.
  package func profiles() -> [RawProfile] { found }
}

import Basics
import BenchResults

/// Has Callgrind write down which functions a phase's instructions are of.
///
/// Works where ``CallgrindInstructions`` does.
package final class InstructionProfiler: Profiler {
  private let instrument: CallgrindInstructions
  private let clock = MonotonicClock()
  private var found: [RawProfile] = []

  /// Sees once that Callgrind counts; throws ``Unsupported`` outside of Callgrind.
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

  /// Forgets what was written down so far, and removes it.
  package func forget() {
    for dump in found.flatMap(\.dumps) { unlink(dump) }
    found = []
  }

  /// What was written down, a profile a phase: files that Callgrind left.
  package func profiles() -> [RawProfile] { found }
}

import BenchResults
import Foundation

/// Has `perf record` take stacks while one phase runs, and at no other time.
///
/// Source: perf-record(1), `--control`: it reads `enable` and `disable` from one pipe and answers `ack` by
/// another.
package final class PerfControl {
  private let phase: String
  private let path: String
  private let control: Int32
  private let answers: Int32
  private let clock = MonotonicClock()
  private var facts = Profile.Facts()
  /// Whether perf is told to sample: what it once took stays in its file.
  private var isWarm = false

  /// How many samples a second are asked for.
  package static let rate = 999

  /// Takes up the pipes.
  ///
  /// - Parameters:
  ///   - phase: the phase's id.
  ///   - path: the file that perf writes; the pipes' names are its own with `.ctl` and `.ack`.
  /// - Throws: ``Unsupported`` where they are not there.
  package init(_ phase: String, path: String) throws(Unsupported) {
    self.phase = phase
    self.path = path
    control = open(path + ".ctl", O_WRONLY | O_CLOEXEC)
    answers = open(path + ".ack", O_RDONLY | O_CLOEXEC)
    guard control >= 0, answers >= 0 else {
      throw .systemError("the pipes to perf cannot be opened", code: errno)
    }
  }

  deinit {
    close(control)
    close(answers)
  }

  /// How many times the phase ran.
  package var runs: Int { facts.runs }

  /// About how many samples there are.
  package var taken: Int { Int(facts.wall * Double(Self.rate) / 1e9) }

  /// Does a phase's work.
  ///
  /// - Parameter goingOn: whether it is a further part of the run that was done last.
  package func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool = false, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard phase == self.phase else { return try work() }
    if isWarm { tell("enable\n") }
    let start = clock.now()
    defer {
      facts.wall += Double(clock.now() &- start)
      facts.runs += goingOn ? 0 : 1
      if isWarm { tell("disable\n") }
    }
    return try PhaseMarker.run(work)
  }

  /// Forgets what was counted, and has perf sample from now on.
  package func forget() {
    facts = Profile.Facts()
    isWarm = true
  }

  /// The one phase, with the file that holds its stacks.
  package func profiles() -> [RawProfile] {
    facts.blocks = 1
    var raw = RawProfile(
      what: .cpu, phase: phase, maps: StackProfiler.maps, executable: StackProfiler.executable,
      measures: [
        Profile.Measure(
          id: "cpu", unit: .nanoseconds, sample: (1e9 / Double(Self.rate)).rounded())
      ],
      stacks: [], facts: facts, root: PhaseMarker.name)
    raw.dumps = [path]
    return [raw]
  }

  private func tell(_ command: String) {
    _ = command.withCString { write(control, $0, strlen($0)) }
    var answer = [UInt8](repeating: 0, count: 16)
    _ = read(answers, &answer, answer.count)
  }
}

import ArgumentParser
import BenchAnalysis
import BenchProcesses
import BenchResults
import Foundation
import RevisionBuild

/// How many whole gates a self-test holds, and of what.
struct SelfTestAmounts: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Hours after which no further gate is begun; building not counted.")
  var hours = 1.0

  @Option(
    parsing: .unconditional,
    help: "Maximum number of gates; 0 only writes the page anew from those that were kept.")
  var gates = 1_000

  @Option(
    parsing: .unconditional,
    help: """
      Builds of this commit, each linked in another order; 0 compares this program with itself.
      """)
  var layouts = 4

  @Option(parsing: .unconditional, help: "By how much phases are slowed down, in percent.")
  var slowdown = 5.0

  /// How long it takes, in words: `no further one after 60 min, 1,000 at most`.
  var words: String {
    "no further one after \(Wording.wait(hours * 3_600)), \(Wording.count(gates)) at most"
  }

  /// Refuses what makes no sense.
  ///
  /// - Throws: a ``CLIError`` that names the value and what is valid.
  func check() throws {
    try refuse("--hours", hours, outside: 0.001...1_000)
    try refuse("--gates", gates, outside: 0...100_000)
    try refuse("--slowdown", slowdown, outside: 0.1...1_000)
    guard layouts == 0 || (2...8).contains(layouts) else {
      throw CLIError(
        "--layouts \(layouts) makes no sense",
        help: "give 2 to 8, or 0 to set this very program against itself", status: .usage)
    }
  }
}

/// A kind of gate, and its share of all.
struct TrialKind: Hashable, Sendable {
  var condition: GateTrial.Condition
  var isPlanted: Bool

  /// Five gates with nothing changed for two with something: false alarms are the rarer event.
  var weight: Double { isPlanted ? 2 : 5 }

  static let all = [false, true].flatMap { isPlanted in
    GateTrial.Condition.allCases.map { TrialKind(condition: $0, isPlanted: isPlanted) }
  }

  func matches(_ trial: GateTrial) -> Bool {
    trial.condition == condition && (trial.planted != nil) == isPlanted
  }
}

/// The gate's own proof: whole gates between programs of one source, with nothing changed and with a phase
/// slowed down, on the machine as it is and beside a busy neighbour.
struct SelfTest<App: BenchApp>: Sendable {
  let setup: SelfTestSetup<App>
  let amounts: SelfTestAmounts

  /// Holds gates until the time is up, the kind next of which there are fewest for its share.
  ///
  /// - Throws: `CancellationError`; a ``CLIError`` where a gate could not be measured. What was held before
  ///   is kept in the file.
  func run(into file: inout TrialFile) async throws {
    guard amounts.gates > 0 else { return }
    let programs = try await programs()
    let start = ContinuousClock.now
    for number in 0..<amounts.gates where start.duration(to: .now) < .seconds(amounts.hours * 3_600)
    {
      let trial = try await held(programs, after: file.trials)
      try file.add(trial)
      Console.note("gate \(number + 1): \(SelfTestPage.line(of: trial))")
    }
  }

  /// The number of the first order. By lower ones it was found which share of a time a gate is to allow for. (The
  /// nanoseconds beside it were raised after gates of these orders, by earlier rules, had called `memory`'s `open`
  /// changed: of these later gates are the judge, at other revisions.)
  private static var firstLayout: Int { 11 }

  /// The programs that are set against each other: builds of the current commit, or this one alone.
  private func programs() async throws -> [GateProgram] {
    guard amounts.layouts > 0 else { return [await .own()] }
    return try await GateProgram.built(
      from: "HEAD", layouts: (0..<amounts.layouts).map { Layout(Self.firstLayout + $0) })
  }

  private func next(after trials: [GateTrial]) -> TrialKind {
    func share(_ kind: TrialKind) -> Double {
      Double(trials.count(where: kind.matches)) / kind.weight
    }
    return TrialKind.all.min { share($0) < share($1) } ?? TrialKind.all[0]
  }

  /// The target that was slowed down least often under a condition.
  private func target(_ kind: TrialKind, after trials: [GateTrial]) -> SelfTestTarget {
    func count(_ target: SelfTestTarget) -> Int {
      let planted = target.planted(amounts.slowdown / 100)
      return trials.count { kind.matches($0) && $0.planted == planted }
    }
    return setup.targets.min { count($0) < count($1) } ?? setup.targets[0]
  }

  private func held(
    _ programs: [GateProgram], after all: [GateTrial]
  ) async throws -> GateTrial {
    // Those of other rules or menus are another page's.
    let current = all.filter { $0.rules == SequentialTest.rules }
    let trials = current.last.map { newest in current.filter(newest.isLike) } ?? []
    let kind = next(after: trials)
    let layouts = layouts(number: trials.count(where: kind.matches), of: programs.count)
    let sides = Sides(baseline: programs[layouts[0]], candidate: programs[layouts[1]])
    let share = amounts.slowdown / 100
    let target = kind.isPlanted ? target(kind, after: trials) : nil
    let started = Date()
    let clock = ContinuousClock.now
    // No two gates draw alike, whenever they are held.
    let seed = setup.seed &+ UInt64(all.count)
    let gate: @Sendable () async throws -> Report = { [setup] in
      try await setup.wholeGate(between: sides, seed: seed, target.map { ($0, share) })
    }
    let neighbour = BusyNeighbour(
      executable: OwnExecutable.path, arguments: ["neighbour", "--seed", "\(seed)"])
    let report = try await kind.condition == .busy ? neighbour.beside(gate) : gate()
    return GateTrial(
      report, started: started.formatted(.iso8601),
      seconds: clock.duration(to: .now) / .seconds(1), machine: report.record.machine.words,
      revision: sides.candidate.revision, menu: report.record.outcomes.first?.cell.menu ?? "",
      condition: kind.condition,
      layouts: programs.count > 1 ? layouts.map { Self.firstLayout + $0 } : nil,
      planted: target?.planted(share))
  }

  /// Which of so many programs meet in the gates of one kind: every two in turn, both ways round.
  private func layouts(number: Int, of count: Int) -> [Int] {
    guard count > 1 else { return [0, 0] }
    let pairs = (0..<count).flatMap { one in (1..<count).map { [one, (one + $0) % count] } }
    // One that is next to none of the orders before: coprime to 2, 6, 12, 20, 30, 42 and 56.
    return pairs[number * 11 % pairs.count]
  }
}

extension Machine {
  /// What of it a time depends on, in words.
  var words: String {
    [
      cpu, cores.map { Wording.plural($0, "core") }, system, kernel.map { "kernel \($0)" },
      swift.map { "Swift \($0)" },
      allocator, "\(build) build",
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

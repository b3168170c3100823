import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchReports
import BenchResults
import Foundation

struct GateCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "gate",
      abstract: "Fails if a change makes storing a menu cost more time, memory or I/O.",
      discussion: """
        Example: bench gate --against main --backend json,sqlite
        Exit status: 0 nothing is shown to be worse, 1 failed, 2 something is worse or over its \
        limit, 3 something could not be measured or is missing, 5 nothing to compare with, 7 \
        undecided (with --strict), 64 wrong command line.
        """)
  }

  @OptionGroup var measuring: MeasuringOptions
  @OptionGroup(title: "Comparison") var reference: GateReference
  @OptionGroup(title: "Verdict") var verdict: VerdictOptions
  @OptionGroup(title: "Limits") var limits: GateLimits

  @Option(
    help: ArgumentHelp(
      "Add a cost to the candidate to test the gate, such as json/decode:slowdown=5%.",
      valueName: "[backend/]phase:cost"))
  var inject: String?

  func run() async throws {
    try Build.refuseDebug(unless: limits.workers.allowDebug)
    let reference = try reference.chosen()
    let shown = try measuring.show.chosen()
    let saving = try measuring.saving()
    try refuseContradictions(reference)
    let setup = try setup(reference, saving)
    let others = [self.reference.against, self.reference.baseline].compactMap(\.self)
    try shown.refuse(losing: setup.chosen.cells.map(\.documentName) + others)
    let interruption = Interruption()
    let (report, folder) = try await interruption.cancelling("the gate") {
      try await setup.compare()
    }
    try folder.finish(report, and: OutputFolder.files(ofGate: report)) {
      try shown(report)
      GitHubStep.write(report)
    }
    interruption.reraise()
    try BaselineStore().keep(report, as: saving, setup.judgement)
  }

  private func refuseContradictions(_ reference: Reference) throws {
    if inject != nil, measuring.saveBaseline != nil {
      throw CLIError(
        "a run with an injected cost cannot be a baseline",
        help: "give --inject or --save-baseline, not both", status: .usage)
    }
    if case .storedRun(_, judgesTimes: false) = reference, try limits.chosenTier() == .time {
      throw CLIError(
        "--tier time with --baseline needs --times",
        help: "add --times, or compare with a program: --against", status: .usage)
    }
  }

  private func setup(
    _ reference: Reference, _ saving: BaselineName?
  ) throws -> GateSetup<App> {
    try limits.check()
    try measuring.output.check()
    Console.noteIfSilent("preparing menus and programs")
    let chosen = try measuring.selection.resolve(in: App.suite)
    let tier = try limits.chosenTier()
    // Neither program has been asked for its metrics yet, so this one decides.
    let metrics = try GateMetrics(
      against: reference, tier: tier, named: chosen.metrics,
      instructionCounter: Instructions.refusal == nil ? Instructions.source : nil)
    let rows = try chosen.rows(in: App.suite, measuring: metrics)
    var setup = GateSetup<App>(
      reference: reference, chosen: chosen, limits: limits, tier: tier,
      judgement: try verdict.judgement(in: App.suite, of: rows),
      injection: try inject.map {
        try Injection(
          typed: $0, into: chosen.backends.map(\.id), timed: !metrics.times.isEmpty)
      }, output: measuring.output)
    if case .storedRun(_, let judgesTimes) = reference { setup.judgement.gatesTimes = judgesTimes }
    if let saving {
      try BaselineStore().check(saving, isOpenTo: Set(rows.map(\.cell)), metrics.all)
    }
    return setup
  }
}

/// The options for the other side of a gate.
struct GateReference: ParsableArguments {
  @Option(
    help: """
      Git revision (built in a temporary worktree) or executable to compare with. Its processes \
      and this program's take turns.
      """)
  var against: String?

  @Option(help: "A stored run: a name in Reports/baselines, or a run.json. Counts only.")
  var baseline: String?

  @Flag(
    help: """
      Also judge times against the stored baseline. This is weak: the machine's state may differ, so \
      only changes of more than 15 % count.
      """)
  var times = false

  @Option(
    help: "Executable product to build from the revision (default: this program's name).")
  var product: String?

  /// Returns the side that was given, and refuses both or none.
  func chosen() throws -> Reference {
    func refused(_ message: String, _ help: String? = nil) -> CLIError {
      CLIError(message, help: help, status: .usage)
    }
    switch (against, baseline) {
    case (let program?, nil):
      if times { throw refused("--times is for --baseline: --against judges times anyway") }
      return .program(program, product: product)
    case (nil, let run?):
      if product != nil { throw refused("--product is for --against: a stored run is not built") }
      return .storedRun(run, judgesTimes: times)
    case (nil, nil):
      throw refused(
        "nothing to compare with",
        "give --against HEAD for a git revision, or --baseline NAME for a stored run")
    case (_?, _?): throw refused("--against and --baseline cannot be combined", "give one of them")
    }
  }
}

/// The other side of a gate.
enum Reference: Sendable {
  /// A program measured alternately with this one: an executable, or a revision to build.
  case program(String, product: String?)
  /// A run that was measured before.
  case storedRun(String, judgesTimes: Bool)
}

/// The options that limit a gate.
struct GateLimits: ParsableArguments {
  @Option(help: "all, exact (counts such as allocations, bytes and instructions) or time.")
  var tier = "all"

  @Option(
    parsing: .unconditional,
    help: """
      Time budget in seconds. A further interim analysis starts only if it fits. The first one, \
      and the confirmation of what was found, always run. (default: 180)
      """, transform: Double.typed)
  var budget = 180.0

  @Flag(
    inversion: .prefixedNo,
    help: "Profile what got worse and name the functions that cause it, for up to 60 s.")
  var explain = true

  @OptionGroup var workers: WorkerLimits

  func check() throws {
    try refuse("--budget", budget, outside: 0.1...86_400)
    try workers.check()
  }

  func chosenTier() throws -> GateTier {
    try ValidNames.choice("tier", tier)
  }
}

extension Injection {
  /// Parses a cost to inject.
  ///
  /// - Parameter timed: Whether times are measured. A slowdown affects nothing else.
  /// - Throws: `InjectionError`, or a ``CLIError`` if the injection would affect nothing. A gate
  ///   that passes then would prove nothing.
  init(typed text: String, into backends: [String], timed: Bool) throws {
    try self.init(parsing: text)
    if case .slowdown = cost, !timed {
      throw CLIError(
        "--inject '\(text)' slows down times, but none are measured",
        help: "inject allocations, or measure times: see --tier, --metrics and --times",
        status: .usage)
    }
    if let backend { _ = try ValidNames(kind: "backend", ids: backends).one(backend) }
  }
}

import ArgumentParser
import BenchHarness
import BenchResults

/// What a gate compares with.
struct GateReference: ParsableArguments {
  @Option(help: "A git revision, built in a worktree of its own, or an executable: paired blocks.")
  var against: String?

  @Option(help: "A stored run: a name in Reports/baselines, or a run.json. Exact metrics only.")
  var baseline: String?

  @Flag(help: "Judge times against a stored baseline too: weak evidence, 1 run in 20 cries wolf.")
  var times = false

  @Option(
    help: "The executable product that is built of a revision (default: this program's name).")
  var product: String?

  /// Which of the two was given.
  ///
  /// - Throws: a ``CLIError`` where both were, or neither.
  func chosen() throws -> Reference {
    switch (against, baseline) {
    case (let program?, nil):
      guard !times else {
        throw CLIError(
          "--times is for --baseline: --against judges times anyway", status: .usage)
      }
      return .program(program, product: product)
    case (nil, let run?): return .storedRun(run, judgesTimes: times)
    case (nil, nil):
      throw CLIError(
        "nothing to compare with",
        help: "--against HEAD compares with a git revision, --baseline NAME with a stored run",
        status: .usage)
    case (_?, _?):
      throw CLIError(
        "--against and --baseline cannot be combined", help: "give one of them", status: .usage)
    }
  }
}

/// The other side of a gate.
enum Reference: Sendable {
  /// A program that is measured beside this one: an executable, or a revision whose product is built.
  case program(String, product: String?)
  /// A run that was measured before.
  case storedRun(String, judgesTimes: Bool)
}

/// Which tiers of the gate run.
enum GateTier: String, CaseIterable {
  case all, exact, time
}

/// What else a gate is told.
struct GateLimits: ParsableArguments {
  @Option(help: "all, exact (counters: quick and free of noise) or time.")
  var tier = "all"

  @Option(
    parsing: .unconditional,
    help: "Seconds after which no further look at the times is prepared; the first always is.")
  var budget = 300.0

  @OptionGroup var workers: WorkerLimits

  /// Refuses what makes no sense.
  ///
  /// - Throws: a ``CLIError`` that names the value and what is valid.
  func check() throws {
    try refuse("--budget", budget, outside: 0.1...86_400)
    try workers.check()
  }

  /// The tier of that name.
  ///
  /// - Throws: a ``CLIError`` where there is none.
  func chosenTier() throws -> GateTier {
    let id = try Choice(kind: "tier", ids: GateTier.allCases.map(\.rawValue)).one(tier)
    return GateTier(rawValue: id) ?? .all
  }
}

/// When a gate fails.
struct GateStrictness: ParsableArguments {
  @Flag(help: "Exit with 7 where a row is inconclusive.")
  var strict = false

  @Flag(help: "Do not fail where the baseline has cells or figures that are missing now.")
  var allowMissing = false

  @Option(
    help: ArgumentHelp(
      "Adds a cost to the candidate, to see the gate find it: json/decode:slowdown=5%.",
      valueName: "[backend/]phase:cost"))
  var inject: String?

  /// What is to be injected.
  ///
  /// - Throws: `InjectionError`; a ``CLIError`` where no backend chosen is meant, since a gate that
  ///   then passes would prove nothing.
  func injection(into backends: [String]) throws -> Injection? {
    guard let inject else { return nil }
    let injection = try Injection(parsing: inject)
    if let backend = injection.backend {
      _ = try Choice(kind: "backend", ids: backends).one(backend)
    }
    return injection
  }
}

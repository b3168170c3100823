import ArgumentParser
import BenchEngine
import BenchProbes
import BenchResults

/// How long a run may take, and how precise it must be.
struct Limits: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: """
      Timed blocks (fresh processes) per cell. Three or more give a confidence interval. (default: \
      until --precision or --budget is reached)
      """)
  var blocks: Int?

  @Option(
    parsing: .unconditional,
    help: """
      Seconds for the whole run. (default: 10 per cell, 540 for compare; no limit with --blocks)
      """, transform: Double.typed)
  var budget: Double?

  @Option(
    name: .customLong("precision"), parsing: .unconditional,
    help: """
      Stop a cell once the 95 % interval of each median time is within ± this fraction. (default: \
      \(RunPlan.usualPrecision))
      """, transform: Double.typed)
  var typedPrecision: Double?

  @OptionGroup var workers: WorkerLimits

  var precision: Double { typedPrecision ?? RunPlan.usualPrecision }

  func check() throws {
    try refuse("--blocks", blocks, outside: 1...10_000)
    try refuse("--budget", budget, outside: 0.1...86_400)
    try refuse("--precision", precision, outside: 0.0001...1)
    try workers.check()
  }

  /// Refuses options that only make sense for measuring. A stored run is shown as it is, and such
  /// options must not be ignored silently.
  func refuseMeasuring(_ given: [String]) throws {
    let own = [
      ("--blocks", blocks != nil), ("--budget", budget != nil),
      ("--precision", typedPrecision != nil),
    ].filter(\.1).map(\.0)
    guard let option = (given + own + workers.given).first else { return }
    throw CLIError(
      "\(option) is for measuring, but --run shows a stored run",
      help: "leave out \(option) or --run", status: .usage)
  }

  /// Returns the seconds that a run of some cells may take, or nil for no limit.
  func seconds(for cells: [PlannedCell]) -> Double? {
    seconds(unlessTold: 10 * Double(cells.count))
  }

  /// Returns the seconds that measuring may take, by default `usual`. Nil means no limit.
  func seconds(unlessTold usual: Double) -> Double? { budget ?? (blocks == nil ? usual : nil) }
}

/// The options for the workers of every measuring command.
struct WorkerLimits: ParsableArguments {
  @Option(
    help:
      "The folder in which stores are made and removed (default: the run's own, or Reports/runs).")
  var storage: String?

  @Option(parsing: .unconditional, help: "Memory that one worker may take, in MB.")
  var memoryLimit: Int?

  @Option(
    name: .customLong("timeout"), parsing: .unconditional,
    help: "Seconds of silence after which a block counts as hung. (default: 120)")
  var typedTimeout: Int?

  @Option(
    parsing: .unconditional,
    help: "The seed of the order of blocks (default: random, and recorded).")
  var seed: UInt64?

  @Flag(help: "Measure a debug build, although its figures say nothing about an app.")
  var allowDebug = false

  func check() throws {
    try refuse("--memory-limit", memoryLimit, outside: 16...1_048_576)
    try refuse("--timeout", timeout, outside: 1...86_400)
  }

  /// The options given that only make sense for measuring.
  var given: [String] {
    [
      ("--storage", storage != nil), ("--memory-limit", memoryLimit != nil),
      ("--timeout", typedTimeout != nil), ("--seed", seed != nil),
    ].filter(\.1).map(\.0)
  }

  var timeout: Int { typedTimeout ?? 120 }
  var memoryBytes: Int? { memoryLimit.map { $0 * 1_000_000 } }
  var anySeed: UInt64 { seed ?? UInt64.random(in: 0..<1_000_000) }
}

/// Refuses a number that is out of bounds.
func refuse<Number: Comparable>(
  _ name: String, _ value: Number?, outside valid: ClosedRange<Number>
) throws {
  guard let value, !valid.contains(value) else { return }
  // People type 5, not 5.0.
  let words = [value, valid.lowerBound, valid.upperBound].map {
    "\($0)".replacing(/\.0$/, with: "")
  }
  throw CLIError(
    "\(name) '\(words[0])' is out of range",
    help: "give a number from \(words[1]) to \(words[2])", status: .usage)
}

extension Build {
  /// Refuses to measure unoptimised code unless the user insists.
  static func refuseDebug(unless isAllowed: Bool, isDebug: Bool = isDebug) throws {
    guard isDebug, !isAllowed else { return }
    throw CLIError(
      "this is a debug build: its figures say nothing about an app",
      help: "build with 'swift build -c release' or ./scripts/bench. --allow-debug measures anyway",
      status: .usage)
  }
}

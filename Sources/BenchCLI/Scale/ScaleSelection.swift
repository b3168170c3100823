import ArgumentParser

/// What to measure at which sizes, as typed; nil where nothing was.
struct ScaleSelection: ParsableArguments {
  /// The sizes that a menu may be made at: a worker with the largest holds about 0.3 GB before it
  /// stores anything, and 1 GB while it encodes it as JSON.
  static let sizes = 1...1_000_000

  @Option(help: "Backends, or all: see bench list backends. (default: json)")
  var backend: String?

  @Option(
    help: "The menu whose proportions, knobs and seed all sizes have; no file. (default: large)")
  var menu: String?

  @Option(help: "Workloads, or all: see bench list workloads. (default: roundtrip)")
  var workload: String?

  @Option(help: "none, atomic or durable. (default: each workload's own)")
  var durability: String?

  @Option(parsing: .unconditional, help: "The smallest menu, in slot options. (default: 100)")
  var from: Int?

  @Option(parsing: .unconditional, help: "The largest menu, in slot options. (default: 100000)")
  var to: Int?

  @Option(
    parsing: .unconditional,
    help: "Sizes to measure, each as many times the one before. (default: 7)")
  var points: Int?

  /// What to measure, with the defaults filled in.
  var selection: Selection {
    var selection = Selection()
    selection.backend = backend ?? "json"
    selection.menu = menu ?? "large"
    selection.workload = workload ?? "roundtrip"
    selection.durability = durability
    selection.metrics = "all"
    return selection
  }

  /// The options given, which only make sense for measuring.
  var given: [String] {
    [
      ("--backend", backend != nil), ("--menu", menu != nil), ("--workload", workload != nil),
      ("--durability", durability != nil), ("--from", from != nil), ("--to", to != nil),
      ("--points", points != nil),
    ].filter(\.1).map(\.0)
  }

  /// The sizes wanted.
  ///
  /// - Throws: a ``CLIError`` that names what makes no sense and what does.
  func grid() throws -> SizeGrid {
    let (from, to, points) = (from ?? 100, to ?? 100_000, points ?? 7)
    try refuse("--from", from, outside: Self.sizes)
    try refuse("--to", to, outside: Self.sizes)
    try refuse("--points", points, outside: SizeGrid.points)
    guard from < to else {
      throw CLIError(
        "--from \(from) is not below --to \(to)",
        help: "give the smallest size with --from and the largest with --to", status: .usage)
    }
    return SizeGrid(from: from, to: to, points: points)
  }
}

import BenchResults

/// The metrics that a gate measures, by how they are measured.
struct GateMetrics: Equatable {
  /// Metrics that every run of one build gives alike; instructions among them where the processor
  /// counts them.
  var counters: Set<String>
  /// Times, in pairs of blocks.
  var times: Set<String>
  /// Whether instructions are counted under Callgrind.
  var tracesInstructions: Bool

  /// All of them, for the record's own blocks.
  var all: Set<String> {
    counters.union(times).union(tracesInstructions ? [Metric.instructions.id] : [])
  }

  /// Chooses by tier and by what was named; wall time is the one time that is judged unless CPU time
  /// is asked for by name.
  ///
  /// - Parameter tracesUnasked: whether instructions are counted under Callgrind where nobody named
  ///   them.
  /// - Throws: a ``CLIError`` where nothing is left.
  init(
    tier: GateTier, named: Set<String>?, instructionCounter: String?, tracesUnasked: Bool
  ) throws {
    let wanted = named ?? Set(Metric.all.map(\.id)).subtracting([Metric.cpu.id])
    let exact = Set(Metric.all.filter(\.isExact).map(\.id))
    let instructions = Metric.instructions.id
    let counts = tier != .time
    let isCounted = instructionCounter == "perf_event"
    counters = counts ? exact.union(isCounted ? [instructions] : []).intersection(wanted) : []
    tracesInstructions =
      counts && !isCounted && wanted.contains(instructions) && (tracesUnasked || named != nil)
    times = tier == .exact ? [] : Set([Metric.wall.id, Metric.cpu.id]).intersection(wanted)
    guard !all.isEmpty else {
      throw CLIError(
        "tier '\(tier.rawValue)' has none of the metrics asked for",
        help: "exact: \(exact.union([instructions]).sorted().joined(separator: ", ")); "
          + "time: wall, cpu", status: .usage)
    }
  }
}

import BenchResults

/// Doubts about the run as a whole.
extension Analysers {
  /// Cells that could not be measured, a line a reason, on both sides.
  ///
  /// What one side of a gate could not measure is given up on the other, which has no more to say.
  @Sendable static func failures(_ evidence: Evidence) -> [Conclusion] {
    let (new, old) = (evidence.record.failures, evidence.baseline?.failures ?? [])
    return failures(new.filter { !isEcho($0, of: old) }, "", evidence)
      + failures(old.filter { !isEcho($0, of: new) }, " in the baseline", evidence)
  }

  private static func isEcho(_ failure: Failure, of others: [Failure]) -> Bool {
    failure.stage == nil && others.contains { $0.cell == failure.cell && $0.stage != nil }
  }

  private static func failures(
    _ failures: [Failure], _ side: String, _ evidence: Evidence
  ) -> [Conclusion] {
    var seen: Set<[String?]> = []
    return failures.filter { seen.insert([$0.stage, $0.reason]).inserted }.map { first in
      let alike = failures.filter { $0.stage == first.stage && $0.reason == first.reason }
      let stage = first.stage.map { " (\($0))" } ?? ""
      let verb = alike.count == 1 ? "was" : "were"
      return Conclusion(
        .error,
        "\(evidence.names(alike.map(\.cell))) \(verb) not measured\(side)\(stage): \(first.reason)")
    }
  }

  /// Workloads that make no sense on a backend, a line a reason.
  @Sendable static func refusals(_ evidence: Evidence) -> [Conclusion] {
    let refused = evidence.record.outcomes.filter { $0.stop == .notApplicable }
    var seen: Set<String?> = []
    return refused.filter { seen.insert($0.reason).inserted }.map { first in
      let alike = refused.filter { $0.reason == first.reason }.map(\.cell)
      return Conclusion(
        .hint, "does not apply to \(evidence.names(alike)): \(first.reason ?? "no reason given")")
    }
  }

  /// Figures of unoptimised code.
  @Sendable static func debugBuild(_ evidence: Evidence) -> [Conclusion] {
    guard evidence.record.machine.build == "debug" else { return [] }
    return [
      Conclusion(.error, "measured in a debug build: its figures say nothing of a release build")
    ]
  }

  /// A run that somebody stopped.
  @Sendable static func interrupted(_ evidence: Evidence) -> [Conclusion] {
    let stopped = evidence.record.outcomes.filter { $0.stop == .interrupted || $0.stop == .running }
    guard !stopped.isEmpty else { return [] }
    return [
      Conclusion(
        .warning,
        "the run was interrupted before these were done: \(evidence.names(stopped.map(\.cell)))")
    ]
  }

  /// What the harness noted.
  @Sendable static func recordWarnings(_ evidence: Evidence) -> [Conclusion] {
    evidence.record.warnings.map { Conclusion(.warning, $0) }
  }

  /// Others were using the machine while times were measured.
  @Sendable static func load(_ evidence: Evidence) -> [Conclusion] {
    let machine = evidence.record.machine
    guard evidence.hasTimes, let load = machine.loadAverage, let cores = machine.cores,
      load > Double(cores)
    else { return [] }
    let average = Wording.fixed(load, decimals: 1)
    return [
      Conclusion(
        .warning,
        "load average \(average) on \(Wording.plural(cores, "core")) when the run began:"
          + " times are inflated")
    ]
  }

  /// Flushing to a file system that no power cut leaves anything of.
  @Sendable static func memoryFileSystem(_ evidence: Evidence) -> [Conclusion] {
    let settings = evidence.record.settings
    guard let system = settings.fileSystem, ["tmpfs", "ramfs"].contains(system) else { return [] }
    let place = "\(settings.storage) is on \(system), which is memory"
    return evidence.record.cells.contains { $0.cell.durability == "durable" }
      ? [Conclusion(.warning, "\(place): `durable` flushed nothing to a drive")]
      : [Conclusion(.hint, "\(place): nothing was written to a drive")]
  }
}

import BenchAnalysis
import BenchResults

/// The run that has a baseline's name now. A worse run must not replace it, since later runs would
/// then pass the comparison. A run that measured less must not replace it either.
struct HeldBaseline {
  let name: BaselineName
  let record: RunRecord

  /// Checks that a run may replace this one.
  ///
  /// - Returns: what was not compared, or nil if everything was.
  /// - Throws: a ``CLIError`` with the status of the comparison, and a remedy.
  func checkReplacement(
    by new: RunRecord, _ judgement: Judgement = Judgement()
  ) throws -> String? {
    try checkBuild(new.machine.build)
    var report = Report(new, against: record, judgement)
    report.rule = .successor
    if record.tool.method == new.tool.method {
      try checkProcesses(new.processes)
      let outcome = report.outcome()
      if let status = ExitStatus(outcome) {
        var help: String?
        if case .regressed = outcome {
          help = "to accept that: bench baseline remove \(name), then save again"
        }
        throw kept(outcome.words, status, help)
      }
    } else if record.tool.method > new.tool.method {
      // A run of an older method cannot be compared with current runs.
      throw kept(
        "this run was measured by method \(new.tool.method), the baseline by \(record.tool.method)",
        .unmeasured)
    }
    guard let found = report.comparison?.comparability, !found.comparesTimes else { return nil }
    if let method = found.methodDifference {
      return "nothing was compared with the old baseline '\(name)', by another \(method)"
    }
    return
      "only counts were compared with the old baseline '\(name)', since its times are"
      + " from another machine or build: \(found.machineDifferences.joined(separator: "; "))"
  }

  /// Checks that a planned run measures all of this one. Nil metrics means all.
  func check(planned cells: Set<Cell>, _ metrics: Set<String>?, build: String) throws {
    try checkBuild(build)
    guard record.tool.method == Tool.currentMethod else { return }
    try checkProcesses(RunRecord.processes(areOne: false))
    let missing = record.judged.map(\.key).filter {
      !cells.contains($0.cell) || metrics?.contains($0.metric) == false
    }
    guard !missing.isEmpty else { return }
    let names = Wording.list(missing.map { "\($0.cell) \($0.phase) \($0.metric)" })
    throw kept(
      "this run lacks \(missing.count) of the baseline's figures: \(names)", .unmeasured)
  }

  /// Refuses to replace a release build's run by a debug build's, which says nothing about an app.
  private func checkBuild(_ build: String) throws {
    guard record.machine.build == "release", build != "release" else { return }
    throw CLIError(
      "the baseline '\(name)' is from a release build, this is a \(build) build",
      help: "build with 'swift build -c release' or use ./scripts/bench")
  }

  /// Refuses to compare a run of one process with one of fresh processes, since figures differ in kind.
  private func checkProcesses(_ processes: String) throws {
    guard record.processes != processes else { return }
    throw kept(
      "it was measured \(record.processes), this run \(processes)", .noBaseline,
      "keep this run under another name, or bench baseline remove \(name) first")
  }

  private func kept(_ reason: String, _ status: ExitStatus, _ help: String? = nil) -> CLIError {
    CLIError(
      "the baseline '\(name)' is kept: \(reason)",
      help: help ?? "measure all its figures, or bench baseline remove \(name) first",
      status: status)
  }
}

extension RunRecord {
  /// Describes in how many processes it was measured.
  var processes: String { Self.processes(areOne: settings.oneProcess == true) }

  /// Describes in how many processes a run is measured.
  static func processes(areOne: Bool) -> String {
    areOne ? "in one process" : "in a fresh process per block"
  }
}

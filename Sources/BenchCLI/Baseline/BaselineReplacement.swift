import BenchAnalysis
import BenchResults

/// Whether a run may take another's place as the baseline of a name: never one that is worse, for
/// then nobody would hear of it again, and never one that measured less.
struct BaselineReplacement {
  private let old: RunRecord
  private let new: RunRecord
  private let name: BaselineName
  private let report: Report

  init(of old: RunRecord, by new: RunRecord, as name: BaselineName) {
    self.old = old
    self.new = new
    self.name = name
    var report = Report(record: new, baseline: old)
    report.rule = .successor
    self.report = report
  }

  /// - Throws: a ``CLIError`` that names what is worse or lacking, and the way out.
  func check() throws {
    try Self.checkBuild(of: old, by: new.machine.build, as: name)
    guard old.tool.method == new.tool.method else { return try checkMethod() }
    try Self.checkProcesses(of: old, isOneProcess: new.settings.oneProcess == true, as: name)
    let outcome = report.outcome()
    guard let status = ExitStatus(outcome) else { return }
    throw CLIError(
      "the baseline '\(name)' is kept: \(reason(outcome))", help: help(outcome), status: status)
  }

  /// Nothing compares with a run of another method: an older one serves nobody any more.
  private func checkMethod() throws {
    guard old.tool.method > new.tool.method else { return }
    throw CLIError(
      "the baseline '\(name)' is kept: this run was measured by method \(new.tool.method), it by "
        + "method \(old.tool.method)",
      help: Self.wayOut(name), status: .unmeasured)
  }

  private func reason(_ outcome: ComparisonOutcome) -> String {
    switch outcome {
    case .regressed(let worse):
      "\(Wording.plural(worse.count, "figure")) became worse: "
        + Wording.list(worse.map(Self.words))
    case .otherMenus(let menus):
      "menu \(Wording.list(menus)) holds other content in this run,"
        + " so that nothing tells whether it became worse"
    case .missing(let rows): Self.lack(rows.map(\.series.key))
    case .gone(let cell): "this run lacks \(cell)"
    // What cannot be true is refused whatever has the name.
    case .belowFloor, .unmeasured, .nothingCompared, .inconclusive, .passed: ""
    }
  }

  private func help(_ outcome: ComparisonOutcome) -> String {
    if case .regressed = outcome {
      "to accept that: bench baseline remove \(name), then save again"
    } else {
      Self.wayOut(name)
    }
  }

  /// What was not compared before the old one gave way; nil where all was.
  var doubt: String? {
    guard let found = report.comparison?.comparability, !found.comparesTimes else { return nil }
    if let method = found.methodDifference {
      return "nothing was compared with the baseline '\(name)' before, by another \(method)"
    }
    return
      "only exact metrics were compared with the baseline '\(name)' before, since its times are"
      + " of another machine or build: \(found.machineDifferences.joined(separator: "; "))"
  }

  /// Figures of unoptimised code say nothing about an app.
  static func checkBuild(of old: RunRecord, by build: String, as name: BaselineName) throws {
    guard old.machine.build == "release", build != "release" else { return }
    throw CLIError(
      "the baseline '\(name)' is of a release build, this is a \(build) build",
      help: "build with 'swift build -c release' or use ./scripts/bench", status: .failed)
  }

  /// What one process gives and what fresh ones give are figures of two kinds: neither shows the other to be no worse.
  private static func checkProcesses(
    of old: RunRecord, isOneProcess: Bool, as name: BaselineName
  ) throws {
    let was = old.settings.oneProcess == true
    guard was != isOneProcess else { return }
    throw CLIError(
      "the baseline '\(name)' is kept: it was measured \(StoredRun.words(isOneProcess: was)), this "
        + "run \(StoredRun.words(isOneProcess: isOneProcess))",
      help: "keep this run under another name, or bench baseline remove \(name) first",
      status: .noBaseline)
  }

  /// Whether a run planned will measure all that the baseline holds, but for what only a gate has; nil
  /// metrics are all of them.
  static func checkPlan(
    of old: RunRecord, by cells: Set<Cell>, _ metrics: Set<String>?, as name: BaselineName
  ) throws {
    guard old.tool.method == Tool.currentMethod else { return }
    try checkProcesses(of: old, isOneProcess: false, as: name)
    let missing = old.judged.filter { !$0.metric.isSecondary }.map(\.key).filter {
      !cells.contains($0.cell) || metrics?.contains($0.metric) == false
    }
    guard missing.isEmpty else {
      throw CLIError(
        "the baseline '\(name)' is kept: \(lack(missing))", help: wayOut(name), status: .unmeasured)
    }
  }

  private static func lack(_ keys: [Series.Key]) -> String {
    let names = Wording.list(keys.map { "\($0.cell) \($0.phase) \($0.metric)" })
    return "this run lacks \(Wording.plural(keys.count, "figure")) of it: \(names)"
  }

  private static func wayOut(_ name: BaselineName) -> String {
    "measure all that it holds, or bench baseline remove \(name) first"
  }

  /// `json/large/roundtrip/atomic decode allocations +0.01 % (11,037 to 11,038)`.
  private static func words(_ row: ReportRow) -> String {
    let (metric, comparison) = (row.metric, row.comparison)
    if let comparison, comparison.most != nil, let change = Wording.change(comparison, metric) {
      return "\(row.cell) \(row.phase) \(metric.id) \(change)"
    }
    let change = comparison?.ratio.map { " " + Wording.change($0, metric) } ?? ""
    var values = row.summary.map { Wording.value($0.p50, metric.unit) } ?? ""
    if let then = comparison?.baselineP50, let now = row.summary?.p50 {
      let texts = Wording.values(then, now, metric.unit)
      values = "\(texts.0) to \(texts.1)"
    }
    return "\(row.cell) \(row.phase) \(metric.id)\(change) (\(values))"
  }
}

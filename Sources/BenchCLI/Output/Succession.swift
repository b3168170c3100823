import BenchAnalysis
import BenchResults

/// Whether a run may take another's place as the baseline of a name: never one that is worse, for
/// then nobody would hear of it again, and never one that measured less.
struct Succession {
  private let old: RunRecord
  private let new: RunRecord
  private let name: BaselineName
  private let report: Report

  init(of old: RunRecord, by new: RunRecord, as name: BaselineName) {
    self.old = old
    self.new = new
    self.name = name
    report = Report(record: new, baseline: old)
  }

  /// - Throws: a ``CLIError`` that names what is worse or lacking, and the way out.
  func check() throws {
    try Self.checkBuild(of: old, by: new.machine.build, as: name)
    try checkNothingIsWorse()
    try checkMenus()
    let missing = report.comparison?.missing ?? []
    guard missing.isEmpty else { throw Self.lacks(missing.map(\.key), name) }
  }

  /// What was not compared before the old one gave way; nil where all was.
  var doubt: String? {
    guard let found = report.comparison?.comparability, !found.comparesTimes else { return nil }
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

  /// Whether a run planned will measure all that the baseline holds; nil metrics are all of them.
  static func checkPlan(
    of old: RunRecord, by cells: Set<Cell>, _ metrics: Set<String>?, as name: BaselineName
  ) throws {
    let missing = old.judged.map(\.key).filter {
      !cells.contains($0.cell) || metrics?.contains($0.metric) == false
    }
    guard missing.isEmpty else { throw lacks(missing, name) }
  }

  private func checkNothingIsWorse() throws {
    let worse = report.regressions
    guard !worse.isEmpty else { return }
    throw CLIError(
      "the baseline '\(name)' is kept: \(Wording.plural(worse.count, "figure")) became worse: "
        + Wording.list(worse.map(Self.words)),
      help: "to accept that: bench baseline remove \(name), then save again", status: .regression)
  }

  private func checkMenus() throws {
    let menus = report.comparison?.comparability.differentMenus ?? []
    guard !menus.isEmpty else { return }
    throw CLIError(
      "the baseline '\(name)' is kept: menu \(Wording.list(menus)) holds other content in this run,"
        + " so that nothing tells whether it became worse", help: Self.wayOut(name),
      status: .unmeasured)
  }

  private static func lacks(_ keys: [Series.Key], _ name: BaselineName) -> CLIError {
    let names = Wording.list(keys.map { "\($0.cell) \($0.phase) \($0.metric)" })
    return CLIError(
      "the baseline '\(name)' is kept: this run lacks "
        + "\(Wording.plural(keys.count, "figure")) of it: \(names)",
      help: wayOut(name), status: .unmeasured)
  }

  private static func wayOut(_ name: BaselineName) -> String {
    "measure all that it holds, or bench baseline remove \(name) first"
  }

  /// `json/large/roundtrip/atomic decode allocations 1.0001× more (11,037 to 11,038)`.
  private static func words(_ row: ReportRow) -> String {
    let (metric, comparison) = (row.metric, row.comparison)
    let change = comparison?.ratio.map { " " + Wording.change($0, metric) } ?? ""
    let values = [comparison?.baselineP50, row.summary?.p50].compactMap { $0 }
      .map { Wording.value($0, metric.unit) }.joined(separator: " to ")
    return "\(row.cell) \(row.phase) \(metric.id)\(change) (\(values))"
  }
}

extension RunRecord {
  /// The series with values that verdicts are given on.
  var judged: [Series] { cells.filter { $0.isJudged && $0.blockMedians != nil } }

  /// Whether anything was measured that a verdict can be given on.
  var hasFigures: Bool { !judged.isEmpty }
}

import Basics
import BenchResults

/// The result of comparing a run with its baseline: the one answer to "did it regress?".
package enum ComparisonOutcome: Sendable {
  /// Rows got worse, the worst first.
  case regressed([ReportRow])
  /// Figures are above the limits that the user set, with or without a baseline.
  case overLimit([ReportRow])
  /// Phases are faster than their floors allow, and their backends do not explain it. These figures
  /// are measurement errors, with or without a baseline.
  case belowFloor([ReportRow])
  /// A cell could not be measured on one side.
  case unmeasured(Failure)
  /// The menus of these names have other content than the baseline's, so nothing shows whether they
  /// got worse.
  case otherMenus([String])
  /// Rows of the baseline are missing now.
  case missing([ReportRow])
  /// A run gives other facts of these figures' metrics than this program.
  case contradicted([ReportRow])
  /// A cell that the other side of the gate has is gone, even if nothing was counted there.
  case gone(Cell)
  /// Times should be compared, but these differences of the machines or programs forbid it.
  case timesNotCompared([String])
  /// There was nothing to compare. `hasNew` is true if rows have no counterpart.
  case nothingCompared(hasNew: Bool)
  /// The data could not decide these rows.
  case inconclusive([ReportRow])
  /// Nothing is shown to be worse. `open` more rows than the decided ones could not be decided.
  case passed(decided: Int, open: Int)

  /// The word for it in files.
  package var id: String {
    switch self {
    case .regressed: "regressed"
    case .overLimit: "over-limit"
    case .belowFloor: "below-floor"
    case .unmeasured: "unmeasured"
    case .otherMenus: "other-menus"
    case .missing, .gone, .contradicted: "missing"
    case .timesNotCompared: "times-not-compared"
    case .nothingCompared: "nothing-compared"
    case .inconclusive: "inconclusive"
    case .passed: "passed"
    }
  }

  /// The outcome in one line, for a command's last line, JUnit and annotations.
  package var words: String {
    switch self {
    case .regressed(let worse):
      "\(Wording.plural(worse.count, "figure")) got worse"
        + (worse.first.map { ", the worst \(Self.words($0))" } ?? "")
    case .overLimit(let rows):
      "\(Wording.plural(rows.count, "figure")) over \(rows.count == 1 ? "its limit" : "their limits")"
        + (rows.first.map { ", the first \(Self.name($0)): \($0.besideLimit)" } ?? "")
    case .belowFloor(let rows):
      "\(Wording.plural(rows.count, "time")) below \(FloorBound.least) of the floor,"
        + " which cannot be true"
        + (rows.first.map { ", the first \($0.cell) \($0.phase) \($0.besideFloor ?? "")" } ?? "")
    case .unmeasured(let failure):
      "\(failure.cell) could not be measured\(failure.stage.map { " in \($0)" } ?? ""): \(failure.reason)"
    case .missing(let rows) where rows.contains { $0.summary != nil }:
      "\(Wording.plural(rows.count, "figure")) could be measured on only one side"
        + Self.first(rows)
    case .missing(let rows):
      "\(Wording.plural(rows.count, "figure")) of the baseline \(rows.count == 1 ? "is" : "are") missing now"
        + Self.first(rows)
    case .contradicted(let rows):
      "a run gives \(Wording.plural(rows.count, "figure")) another unit, direction or exactness than"
        + " this program" + Self.first(rows)
    case .gone(let cell): "\(cell) of the baseline is missing now"
    case .otherMenus(let menus):
      "nothing of menu \(Wording.list(menus)) could be compared:"
        + " the baseline's menu of that name has other content"
    case .timesNotCompared(let differences):
      "the times were not compared, since the two runs differ in "
        + differences.joined(separator: "; ")
    case .nothingCompared(let hasNew):
      "nothing could be compared" + (hasNew ? ": every row is new" : "")
    case .inconclusive(let rows):
      "\(Wording.plural(rows.count, "figure")) could not be decided" + Self.first(rows)
    case .passed(0, let open) where open > 0:
      "nothing could be decided in \(Wording.plural(open, "figure"))"
    case .passed(let decided, let open):
      "nothing is shown to be worse in \(Wording.plural(decided, "figure"))"
        + (open > 0 ? ", and \(Wording.count(open)) could not be decided" : "")
    }
  }

  /// The cell that the outcome is mainly about, if there is one.
  package var cell: Cell? {
    switch self {
    case .regressed(let rows), .overLimit(let rows), .belowFloor(let rows), .missing(let rows),
      .contradicted(let rows), .inconclusive(let rows):
      rows.first?.cell
    case .unmeasured(let failure): failure.cell
    case .gone(let cell): cell
    case .otherMenus, .timesNotCompared, .nothingCompared, .passed: nil
    }
  }

  private static func first(_ rows: [ReportRow]) -> String {
    rows.first.map { ", the first \(name($0))" } ?? ""
  }

  private static func words(_ row: ReportRow) -> String {
    let change = row.comparison.flatMap { Wording.change($0, row.metric) }.map { ": \($0)" } ?? ""
    return name(row) + change
  }

  private static func name(_ row: ReportRow) -> String {
    "\(row.cell) \(row.phase) \(row.metric.id)"
  }
}

extension Report {
  /// Returns the gravest outcome under the report's rule: regressions, then missing figures, then incomparable
  /// ones. Without a baseline a run passes if each cell was measured and each figure can be true.
  package func outcome() -> ComparisonOutcome {
    let worse = once(regressions)
    if !worse.isEmpty { return .regressed(worse) }
    if !overLimit.isEmpty { return .overLimit(overLimit) }
    let below = belowFloor
    if !below.isEmpty { return .belowFloor(below) }
    if rule.needsFigures, let failure { return .unmeasured(failure) }
    if let unchecked { return .unmeasured(unchecked) }
    guard let comparison else { return .passed(decided: 0, open: 0) }
    let contradicted = missing.filter { comparison.contradicted.contains($0.series.key) }
    if !contradicted.isEmpty { return .contradicted(contradicted) }
    if rule.needsRows {
      if !missing.isEmpty { return .missing(missing) }
      if let gone { return .gone(gone) }
    }
    let menus = comparison.comparability.differentMenus
    if !menus.isEmpty { return .otherMenus(menus) }
    if rule.needsFigures, comparison.lacksTimes {
      return .timesNotCompared(comparison.comparability.machineDifferences)
    }
    let (compared, open) = (allRows.count(where: \.isCompared), inconclusive)
    if rule.needsFigures, compared == 0 {
      return .nothingCompared(hasNew: allRows.contains { $0.verdict == .new })
    }
    if rule.needsDecisions, !open.isEmpty { return .inconclusive(open) }
    return .passed(decided: compared - open.count, open: open.count)
  }

  /// The first row with a limit, or limit that needs a row, that has no figure to check. A backend
  /// that keeps nothing has no files that could be too large.
  private var unchecked: Failure? {
    guard !limits.rules.isEmpty else { return nil }
    let known = Set(allRows.filter { $0.summary != nil }.map(\.series.key))
    let lacking = record.rowKeys.first { key in
      limits.of(key) != nil && !known.contains(key)
        && record.backend(key.cell.backend)?.survivesRestart != false
    }
    if let lacking {
      let alike = record.cells.filter { $0.cell == lacking.cell && $0.metric.id == lacking.metric }
      let reason = alike.compactMap(\.unsupported).first.map { ": \($0)" } ?? ""
      return Failure(
        cell: lacking.cell, stage: nil,
        reason: "\(lacking.phase) \(lacking.metric) has a limit, but no figure\(reason)")
    }
    let rule = limits.rules.first { $0.isRequired && !known.contains(where: $0.rows.matches) }
    let series = record.cells.first { rule?.rows.matches($0.key) == true }
    guard let rule, let cell = (series ?? record.cells.first)?.cell else { return nil }
    let reason = series?.unsupported.map { ": \($0)" } ?? ""
    return Failure(
      cell: cell, stage: nil, reason: "no figure has the limit of \(rule.rows)\(reason)")
  }

  /// The first failure of either side, preferably one that names the worker's stage. A cell that
  /// may be missing now need not have worked in the baseline.
  private var failure: Failure? {
    let cells = Set(record.outcomes.map(\.cell))
    // A gate measures a missing cell on the side that has it, and reports the cell as gone.
    let takesGone = rule.needsRows && comparison?.isPaired != true
    let then = (baseline?.failures ?? []).filter { takesGone || cells.contains($0.cell) }
    let failures = record.failures + then + record.emptyCells
    return failures.first { $0.stage != nil } ?? failures.first
  }

  private var gone: Cell? {
    guard comparison?.isPaired == true else { return nil }
    let cells = Set(record.outcomes.map(\.cell))
    return baseline?.outcomes.map(\.cell).first { !cells.contains($0) }
  }
}

extension ReportRow {
  /// Whether the row was compared with the baseline, even if the result is inconclusive.
  package var isCompared: Bool {
    switch verdict {
    case .regressed, .improved, .unchanged, .inconclusive: true
    case .new, .missing, .belowFloor, .overLimit, nil: false
    }
  }

  /// The figure and its limit: `17.2 ms, limit 16.0 ms`.
  package var besideLimit: String {
    let texts = Wording.values(summary?.p50 ?? 0, limit ?? 0, metric.unit)
    return "\(texts.0), limit \(texts.1)"
  }
}

extension RunRecord {
  /// The series with values that can get a verdict.
  package var judged: [Series] { cells.filter { $0.isJudged && $0.blockMedians != nil } }

  /// The requested cells that apply, did not fail and have no figure of the requested metrics, with the reason.
  package var emptyCells: [Failure] {
    let known = Set(judged.map(\.cell) + failures.map(\.cell))
    let ends: [Outcome.Stop] = [.interrupted, .notApplicable, .running]
    return outcomes.filter { !ends.contains($0.stop) && !known.contains($0.cell) }.map { outcome in
      let reason = cells.first { $0.cell == outcome.cell }?.unsupported
      return Failure(
        cell: outcome.cell, stage: nil,
        reason: "no figure of the requested metrics" + (reason.map { ": \($0)" } ?? ""))
    }
  }

  /// Returns the cells of this stored run that a run of the chosen cells is compared with: the same
  /// cells. If the run takes all of `parts`, cells that no longer exist are added for the chosen menus.
  package func cells(besideRunOf chosen: [Cell], takingAll parts: [Settings.Part]) -> Set<Cell> {
    func names(_ part: KeyPath<Cell, String>) -> Set<String> {
      Set(chosen.map { WorkloadInfo.name(of: $0[keyPath: part]) })
    }
    let (menus, backends, workloads) = (
      Set(chosen.map(\.menu)), names(\.backend), names(\.workload)
    )
    let ids = Set(chosen.map(\.workload))
    // Workload settings are a user's own choice, unless the stored run took all workloads.
    let hadAll = settings.takesAll?.contains(.workloads) ?? false
    let gone = cells.map(\.cell).distinct.filter { cell in
      guard menus.contains(cell.menu) else { return false }
      let isBackendGone =
        parts.contains(.backends) && !cell.backend.contains("@")
        && !backends.contains(WorkloadInfo.name(of: cell.backend))
      let isWorkloadGone =
        parts.contains(.workloads)
        && !(hadAll
          ? ids.contains(cell.workload)
          : workloads.contains(WorkloadInfo.name(of: cell.workload)))
      guard isBackendGone || isWorkloadGone else { return false }
      return chosen.contains { one in
        (isBackendGone || one.backend == cell.backend)
          // A workload has its own durability, so the durability of one that is gone need not match.
          && (isWorkloadGone || one.workload == cell.workload && one.durability == cell.durability)
      }
    }
    return Set(chosen + gone)
  }

  /// Whether any series can get a verdict.
  package var hasFigures: Bool { !judged.isEmpty }
}

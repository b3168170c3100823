import BenchResults

/// What a run set against its baseline comes to: the one answer to "did it regress?".
package enum ComparisonOutcome: Sendable {
  /// Rows got worse, the worst first.
  case regressed([ReportRow])
  /// Phases are faster than their floors allow, of which no backend says why: their figures are errors
  /// of the measurement, whether or not there is a baseline.
  case belowFloor([ReportRow])
  /// A cell could not be measured, on either side.
  case unmeasured(Failure)
  /// Menus of these names hold other content than the baseline's, so that nothing tells whether they
  /// became worse.
  case otherMenus([String])
  /// Rows of the baseline were not measured now.
  case missing([ReportRow])
  /// A cell that the other side of the gate has is gone, whether or not anything was counted there.
  case gone(Cell)
  /// The two have nothing to compare; whether there are rows without a counterpart.
  case nothingCompared(hasNew: Bool)
  /// Rows that the data could not decide.
  case inconclusive([ReportRow])
  /// Nothing regressed in so many rows.
  case passed(rows: Int)
}

/// What beside a regression is no pass.
package struct PassRule: Sendable {
  /// How much two runs must have in common.
  package enum Common: Sendable {
    /// Nothing at all.
    case nothing
    /// A figure, though it may not be one that can be judged on these machines.
    case figure
    /// A row with a verdict.
    case verdict
  }

  /// Whether every cell of either side must have been measured.
  package var needsCells: Bool
  /// Whether menus of one name must hold the same content.
  package var needsMenus: Bool
  /// Whether every row of the baseline must have been measured again.
  package var needsRows: Bool
  /// How much the two must have in common.
  package var common: Common
  /// Whether every judged row must be decided.
  package var needsDecisions: Bool

  /// Enough to show two runs side by side.
  package static let shown = PassRule(
    needsCells: false, needsMenus: false, needsRows: false, common: .figure, needsDecisions: false)

  /// What takes another run's place as a baseline must not be worse and must hold all that it holds.
  package static let successor = PassRule(
    needsCells: false, needsMenus: true, needsRows: true, common: .nothing, needsDecisions: false)

  /// A gate: what could not be measured or compared has not passed.
  ///
  /// - Parameters:
  ///   - allowsMissing: Whether rows and cells of the baseline may be missing now, as of a backend
  ///     that was taken out.
  ///   - isStrict: Whether what is inconclusive has not passed either.
  package static func gate(allowsMissing: Bool, isStrict: Bool) -> PassRule {
    PassRule(
      needsCells: true, needsMenus: false, needsRows: !allowsMissing, common: .verdict,
      needsDecisions: isStrict)
  }
}

extension Report {
  /// What the comparison comes to by a rule, the gravest first.
  package func outcome(_ rule: PassRule) -> ComparisonOutcome {
    let worse = regressions
    if !worse.isEmpty { return .regressed(worse) }
    let below = belowFloor
    if !below.isEmpty { return .belowFloor(below) }
    if rule.needsCells, let failure = failure(rule) { return .unmeasured(failure) }
    if rule.needsMenus, let menus = comparison?.comparability.differentMenus, !menus.isEmpty {
      return .otherMenus(menus)
    }
    if rule.needsRows {
      if !missing.isEmpty { return .missing(missing) }
      if let gone { return .gone(gone) }
    }
    let decided = rows.count(where: \.isDecided)
    if lacksCommon(rule.common, decided) {
      return .nothingCompared(hasNew: rows.contains { $0.verdict == .new })
    }
    let open = inconclusive
    if rule.needsDecisions, !open.isEmpty { return .inconclusive(open) }
    return .passed(rows: decided)
  }

  /// The first failure of either side, one that says what the worker was doing before all others. A
  /// cell that may be missing now need not have worked then.
  private func failure(_ rule: PassRule) -> Failure? {
    let cells = Set(record.outcomes.map(\.cell))
    let then = (baseline?.failures ?? []).filter { rule.needsRows || cells.contains($0.cell) }
    let failures = record.failures + then
    return failures.first { $0.stage != nil } ?? failures.first
  }

  private var gone: Cell? {
    guard comparison?.isPaired == true else { return nil }
    let cells = Set(record.outcomes.map(\.cell))
    return baseline?.outcomes.map(\.cell).first { !cells.contains($0) }
  }

  private func lacksCommon(_ common: PassRule.Common, _ decided: Int) -> Bool {
    switch common {
    case .nothing: return false
    case .figure:
      guard let baseline else { return false }
      return Set(baseline.judged.map(\.key)).isDisjoint(with: record.judged.map(\.key))
    case .verdict: return decided == 0
    }
  }
}

extension ReportRow {
  /// Whether it was really compared and judged.
  package var isDecided: Bool {
    switch verdict {
    case .regressed, .improved, .unchanged, .inconclusive: true
    case .new, .missing, .belowFloor, nil: false
    }
  }
}

extension RunRecord {
  /// The series with values that verdicts are given on.
  package var judged: [Series] { cells.filter { $0.isJudged && $0.blockMedians != nil } }

  /// Whether anything was measured that a verdict can be given on.
  package var hasFigures: Bool { !judged.isEmpty }
}

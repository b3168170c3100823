import Basics
import BenchResults
import Foundation

extension Evidence {
  var notComparable: [Conclusion] {
    guard let comparability = comparison?.comparability else { return [] }
    let menus = comparability.differentMenus
    let noun = menus.count == 1 ? "menu" : "menus"
    var drawn: [Conclusion] = []
    func warn(_ text: String) { drawn.append(Conclusion(.warning, text)) }
    if !menus.isEmpty {
      warn("\(noun) \(Wording.list(menus)) not compared: the baseline's content is different")
    }
    if let difference = comparability.methodDifference {
      warn("nothing is compared, because the runs were measured differently: \(difference)")
      return drawn
    }
    if let difference = comparability.processDifference {
      warn("compared as you asked, though the measurement itself differs: \(difference)")
    }
    if !comparability.comparesTimes {
      warn(
        "only counts are compared, because times depend on what differs:"
          + " \(comparability.machineDifferences.joined(separator: "; "))")
    }
    return drawn
  }

  /// Differences that shift allocations, and of SQLite times as well, without a change of the measured code.
  var allocationShifts: [Conclusion] {
    guard let shifts = comparison?.comparability.allocationDifferences, !shifts.isEmpty
    else { return [] }
    return .warning(
      "figures may differ for this reason alone: \(shifts.joined(separator: "; "))")
  }

  var drift: [Conclusion] {
    let cells = (comparison?.drifts ?? [:]).sorted { "\($0.key)" < "\($1.key)" }
      .map { "\(name($0.key)) (\(Wording.shift($0.value)))" }
    guard !cells.isEmpty else { return [] }
    return .warning(
      "the control, which your code cannot affect, moved since the baseline in"
        + " \(Wording.list(cells)): times there cannot say")
  }

  var uncontrolled: [Conclusion] {
    guard let cells = comparison?.uncontrolled, !cells.isEmpty else { return [] }
    return .hint("no control was timed in both runs, so drift goes unnoticed: \(names(cells))")
  }

  /// Rows that both sides measured but that have no verdict, and why.
  var notJudged: [Conclusion] {
    guard let comparison else { return [] }
    let open = rows.filter { row in
      // `storedBaseline` says once why times of runs measured apart have no verdict.
      row.series.isJudged && row.verdict == nil && row.summary != nil
        && row.comparison?.baselineP50 != nil
        && (row.isUnresolved
          || !row.metric.isTime && (comparison.isPaired || !row.metric.isDeterministic))
    }
    return open.grouped(by: \.whyNotJudged).map { reason, rows in
      let names = rows.map { "\(name($0.cell)) \($0.phase) \($0.metric.id)" }
      return Conclusion(
        .hint,
        "no verdict on \(Wording.plural(rows.count, "row")), \(reason): \(Wording.list(names))")
    }
  }

  var storedBaseline: [Conclusion] {
    guard let comparison, !comparison.isPaired, comparison.comparability.comparesTimes
    else { return [] }
    let advice = "bench gate --against measures both side by side"
    if comparison.gatesTimes {
      let isProven = rows.contains { $0.metric.isTime && $0.isProven }
      let severity: Conclusion.Severity = isProven ? .warning : .hint
      return [
        Conclusion(
          severity,
          "times of runs measured apart are weak evidence: the machine's state alone moves them by up to"
            + " 15 %, and short ones further, so their intervals are that much wider (\(advice))")
      ]
    }
    let what = hasTimes ? "times are shown but not judged" : "times were not measured"
    return .hint(
      "\(what), because the machine's speed may differ from the baseline's (\(advice))")
  }

  var instructions: [Conclusion] {
    let isCounted = rows.contains {
      $0.metric.id == Metric.instructions.id && $0.comparison?.baselineP50 != nil
        && $0.summary != nil
    }
    let differences = comparison?.comparability.instructionDifferences ?? []
    guard isCounted, !differences.isEmpty else { return [] }
    return .warning(
      "instructions are not compared, because of: \(differences.joined(separator: "; "))")
  }

  /// Metrics whose facts a record gives otherwise than this program.
  var contradicted: [Conclusion] {
    let names = (comparison?.contradicted ?? []).map(\.metric).distinct
    guard !names.isEmpty else { return [] }
    return .error(
      "a run gives another unit, direction or exactness of \(Wording.list(names)) than this program,"
        + " so these figures count as missing")
  }
}

extension ReportRow {
  /// Why a row that both sides measured has no verdict.
  package var whyNotJudged: String {
    if isUnresolved { return "too short for the clock" }
    if metric.isTime { return "another row of this time decides" }
    return metric.isDeterministic
      ? "not comparable" : "figures that vary, with too few blocks for a test"
  }
}

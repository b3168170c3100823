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

  /// Differences that shift counts of allocations without a change of the measured code.
  var allocationShifts: [Conclusion] {
    guard let shifts = comparison?.comparability.allocationDifferences, !shifts.isEmpty
    else { return [] }
    return .warning(
      "allocations and peaks may differ for this reason alone: \(shifts.joined(separator: "; "))")
  }

  var drift: [Conclusion] {
    let cells = (comparison?.drifts ?? [:]).sorted { "\($0.key)" < "\($1.key)" }
      .map { "\(name($0.key)) (\(Wording.change($0.value, .wall)))" }
    guard !cells.isEmpty else { return [] }
    let isPaired = comparison?.isPaired == true
    let when = isPaired ? "between the two sides" : "since the baseline"
    return .warning(
      "the control, which your code cannot affect, moved \(when) in \(Wording.list(cells)):"
        + (isPaired
          ? " a time there is only decided if it moved further" : " times there are inconclusive"))
  }

  var uncontrolled: [Conclusion] {
    guard let cells = comparison?.uncontrolled, !cells.isEmpty else { return [] }
    return .hint("no control was timed in both runs, so drift goes unnoticed: \(names(cells))")
  }

  /// Rows with too few blocks for any result to be significant.
  var tooFewToCompare: [Conclusion] {
    let few = rows.compactMap { row -> (have: Int, need: Int)? in
      guard case .inconclusive(.blocks(let have, let need)) = row.verdict else { return nil }
      return (have, need)
    }
    guard let have = few.map(\.have).min(), let need = few.map(\.need).max() else { return [] }
    return .warning(
      "too few blocks for a verdict on \(Wording.plural(few.count, "row")): the fewest are"
        + " \(have), and each side needs \(need)")
  }

  /// Rows that both sides measured but that have no verdict, and why.
  var notJudged: [Conclusion] {
    guard let comparison else { return [] }
    let open = rows.filter { row in
      // `storedBaseline` says once why times of runs measured apart have no verdict.
      row.series.isJudged && row.verdict == nil && row.summary != nil
        && row.comparison?.baselineP50 != nil
        && (comparison.isPaired || !(row.metric.isTime || row.metric.isDeterministic))
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
      return .hint(
        "times against a stored baseline are weak evidence: up to 1 run in 20 of an unchanged"
          + " program is red, and more if the machine's speed has changed (\(advice))")
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

  var unconfirmed: [Conclusion] {
    let suspects = rows.compactMap { row -> (name: String, isCutShort: Bool)? in
      guard case .inconclusive(.unconfirmed(let ratio, let fresh, let need)) = row.verdict else {
        return nil
      }
      let change = Wording.change(ratio, row.metric)
      return ("\(name(row.cell)) \(row.phase) \(row.metric.id) (\(change))", fresh < need)
    }
    return suspects.grouped(by: \.isCutShort).map { isCutShort, suspects in
      let verb = suspects.count == 1 ? "was" : "were"
      let what = isCutShort ? "left without enough fresh pairs" : "not confirmed by fresh pairs"
      return Conclusion(
        isCutShort ? .warning : .hint,
        "\(Wording.plural(suspects.count, "suspected change")) \(verb) \(what):"
          + " \(Wording.list(suspects.map(\.name)))")
    }
  }
}

extension ReportRow {
  /// Why a row that both sides measured has no verdict.
  package var whyNotJudged: String {
    if isUnresolved { return "too short for the clock" }
    if metric.isSecondary { return "means that seem unchanged" }
    return metric.isDeterministic || metric.isTime
      ? "not comparable" : "figures that vary, with too few blocks for a test"
  }
}

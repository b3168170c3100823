import Basics
import BenchResults
import Foundation

extension Evidence {
  var notComparable: [Conclusion] {
    guard let comparability = comparison?.comparability else { return [] }
    let menus = comparability.differentMenus
    let (noun, verb) = menus.count == 1 ? ("menu", "differs") : ("menus", "differ")
    var drawn: [Conclusion] = []
    func warn(_ text: String) { drawn.append(Conclusion(.warning, text)) }
    if !menus.isEmpty {
      warn("\(noun) \(Wording.list(menus)) \(verb) from the baseline's of that name: not compared")
    }
    if let difference = comparability.methodDifference {
      warn("nothing is compared, since figures mean other things: \(difference)")
      return drawn
    }
    if let difference = comparability.processDifference {
      warn("compared as asked for, though what differs may be how it was measured: \(difference)")
    }
    if !comparability.comparesTimes {
      warn(
        "times are not compared, exact metrics are, since times depend on what differs:"
          + " \(comparability.machineDifferences.joined(separator: "; "))")
    }
    return drawn
  }

  /// Differences that shift counts of allocations without a change of the measured code.
  var allocationShifts: [Conclusion] {
    guard let shifts = comparison?.comparability.allocationDifferences, !shifts.isEmpty
    else { return [] }
    return .warning(
      "allocations and peaks may differ for no other reason than"
        + " \(shifts.joined(separator: "; "))")
  }

  var drift: [Conclusion] {
    let cells = (comparison?.drifts ?? [:]).sorted { "\($0.key)" < "\($1.key)" }
      .map { "\(name($0.key)) (\(Wording.change($0.value, .wall)))" }
    guard !cells.isEmpty else { return [] }
    let isPaired = comparison?.isPaired == true
    let when = isPaired ? "between the two sides" : "since the baseline"
    return .warning(
      "in \(Wording.list(cells)) the control, which no change can touch, moved \(when):"
        + (isPaired
          ? " a time there must have moved further to be decided"
          : " times there are inconclusive"))
  }

  var uncontrolled: [Conclusion] {
    guard let cells = comparison?.uncontrolled, !cells.isEmpty else { return [] }
    return .hint("no control was timed in both runs, drift goes unseen: \(names(cells))")
  }

  /// Rows with too few blocks for any result to be significant.
  var tooFewToCompare: [Conclusion] {
    let few = rows.compactMap { row -> (have: Int, need: Int)? in
      guard case .inconclusive(.blocks(let have, let need)) = row.verdict else { return nil }
      return (have, need)
    }
    guard let have = few.map(\.have).min(), let need = few.map(\.need).max() else { return [] }
    return .warning(
      "\(Wording.plural(few.count, "row")) had too few blocks for a verdict, the fewest"
        + " \(have): need \(need) blocks on each side")
  }

  /// Rows that both sides measured but that have no verdict, and why.
  var notJudged: [Conclusion] {
    guard let comparison else { return [] }
    let open = rows.filter { row in
      // `storedBaseline` says once why times of runs measured apart have no verdict.
      row.series.isJudged && row.verdict == nil && row.summary != nil
        && row.comparison?.baselineP50 != nil
        && (comparison.isPaired || !(row.metric.isTime || row.metric.isHard))
    }
    return open.grouped(by: \.whyNotJudged).map { reason, rows in
      let names = rows.map { "\(name($0.cell)) \($0.phase) \($0.metric.id)" }
      return Conclusion(
        .hint,
        "no verdict on \(Wording.plural(rows.count, "row")), \(reason): \(Wording.list(names))")
    }
  }

  var storedBaseline: [Conclusion] {
    guard let comparison, !comparison.isPaired,
      comparison.comparability.comparesTimes
    else { return [] }
    let advice = "bench gate --against measures both side by side"
    if comparison.gatesTimes {
      return .hint(
        "times judged by a stored baseline are weak evidence: up to 1 run in 20 of the same"
          + " program comes out red, more where the machine has changed its pace since;"
          + " \(advice)")
    }
    let what = hasTimes ? "times are shown and not judged" : "times were not measured"
    return .hint(
      "\(what), since the machine may have changed its pace since the baseline; \(advice)")
  }

  var instructions: [Conclusion] {
    let isCounted = rows.contains {
      $0.metric.id == Metric.instructions.id && $0.comparison?.baselineP50 != nil
        && $0.summary != nil
    }
    let differences = comparison?.comparability.instructionDifferences ?? []
    guard isCounted, !differences.isEmpty else { return [] }
    return .warning(
      "instructions are not compared; what differs: \(differences.joined(separator: "; "))")
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
      let what =
        isCutShort
        ? "left without the fresh pairs that could confirm it" : "not confirmed by fresh pairs"
      return Conclusion(
        isCutShort ? .warning : .hint,
        "\(Wording.plural(suspects.count, "suspicion")) \(verb) \(what):"
          + " \(Wording.list(suspects.map(\.name)))")
    }
  }
}

extension ReportRow {
  /// Why a row that both sides measured has no verdict.
  package var whyNotJudged: String {
    if isTiny { return "too short for the clock" }
    if metric.isSecondary { return "means in which nothing seems to have changed" }
    return metric.isHard || metric.isTime
      ? "not comparable" : "figures that vary by themselves and are counted too seldom for a test"
  }
}

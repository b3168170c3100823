import BenchResults

/// Doubts about a comparison.
extension Analysers {
  /// What forbids comparing.
  @Sendable static func notComparable(_ evidence: Evidence) -> [Conclusion] {
    guard let comparability = evidence.comparison?.comparability else { return [] }
    var drawn: [Conclusion] = []
    let menus = comparability.differentMenus
    if !menus.isEmpty {
      let (noun, verb) = menus.count == 1 ? ("menu", "differs") : ("menus", "differ")
      drawn.append(
        Conclusion(
          .warning,
          "\(noun) \(Wording.list(menus)) \(verb) from the baseline's of that name: not compared"))
    }
    if !comparability.comparesTimes {
      let reasons = comparability.machineDifferences.joined(separator: "; ")
      drawn.append(
        Conclusion(
          .warning,
          "times are not compared, exact metrics are, since times depend on what differs:"
            + " \(reasons)"))
    }
    return drawn
  }

  /// What shifts counts of allocations without any change of the code measured.
  @Sendable static func allocationShifts(_ evidence: Evidence) -> [Conclusion] {
    guard let shifts = evidence.comparison?.comparability.allocationDifferences, !shifts.isEmpty
    else { return [] }
    return [
      Conclusion(
        .warning,
        "allocations and peaks may differ for no other reason than"
          + " \(shifts.joined(separator: "; "))")
    ]
  }

  /// Cells whose control moved.
  @Sendable static func drift(_ evidence: Evidence) -> [Conclusion] {
    let cells = (evidence.comparison?.drifts ?? [:]).sorted { "\($0.key)" < "\($1.key)" }
      .map { "\(evidence.name($0.key)) (\(Wording.change($0.value, .wall)))" }
    guard !cells.isEmpty else { return [] }
    let isPaired = evidence.comparison?.design == .paired
    let when = isPaired ? "between the two sides" : "since the baseline"
    return [
      Conclusion(
        .warning,
        "in \(Wording.list(cells)) the control, which no change can touch, moved \(when):"
          + " times there are inconclusive")
    ]
  }

  /// Cells in which drift would go unseen.
  @Sendable static func uncontrolled(_ evidence: Evidence) -> [Conclusion] {
    guard let cells = evidence.comparison?.uncontrolled, !cells.isEmpty else { return [] }
    return [
      Conclusion(
        .hint,
        "no control was timed in both runs, drift goes unseen: \(evidence.names(cells))")
    ]
  }

  /// Rows of which no outcome could have been significant.
  @Sendable static func tooFewToCompare(_ evidence: Evidence) -> [Conclusion] {
    let few = evidence.rows.compactMap { row -> (have: Int, need: Int)? in
      guard case .inconclusive(.blocks(let have, let need)) = row.verdict else { return nil }
      return (have, need)
    }
    guard let have = few.map(\.have).min(), let need = few.map(\.need).max() else { return [] }
    return [
      Conclusion(
        .warning,
        "\(Wording.plural(few.count, "row")) had too few blocks for a verdict, the fewest"
          + " \(have): need \(need) blocks on each side")
    ]
  }

  /// What a stored baseline is worth for times.
  @Sendable static func storedBaseline(_ evidence: Evidence) -> [Conclusion] {
    guard let comparison = evidence.comparison, comparison.design == .unpaired,
      comparison.comparability.comparesTimes
    else { return [] }
    let advice = "bench gate --against measures both side by side"
    if comparison.gatesTimes {
      return [
        Conclusion(
          .hint,
          "times judged by a stored baseline are weak evidence: 1 run in 20 of the same program"
            + " comes out red, more where the machine has changed its pace since; \(advice)")
      ]
    }
    let what = evidence.hasTimes ? "times are shown and not judged" : "times were not measured"
    return [
      Conclusion(
        .hint, "\(what), since the machine may have changed its pace since the baseline; \(advice)")
    ]
  }
}

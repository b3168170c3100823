import Basics
import BenchResults
import Foundation

/// Doubts about a comparison.
extension Evidence {
  /// What forbids comparing.
  var notComparable: [Conclusion] {
    guard let comparability = comparison?.comparability else { return [] }
    var drawn: [Conclusion] = []
    let menus = comparability.differentMenus
    if !menus.isEmpty {
      let (noun, verb) = menus.count == 1 ? ("menu", "differs") : ("menus", "differ")
      drawn.append(
        .warning(
          "\(noun) \(Wording.list(menus)) \(verb) from the baseline's of that name: not compared"))
    }
    if let difference = comparability.methodDifference {
      drawn.append(.warning("nothing is compared, since figures mean other things: \(difference)"))
      return drawn
    }
    if let difference = comparability.processDifference {
      drawn.append(
        .warning(
          "compared as asked for, though what differs may be how it was measured: \(difference)"))
    }
    if !comparability.comparesTimes {
      let reasons = comparability.machineDifferences.joined(separator: "; ")
      drawn.append(
        .warning(
          "times are not compared, exact metrics are, since times depend on what differs:"
            + " \(reasons)"))
    }
    return drawn
  }

  /// What shifts counts of allocations without any change of the code measured.
  var allocationShifts: [Conclusion] {
    guard let shifts = comparison?.comparability.allocationDifferences, !shifts.isEmpty
    else { return [] }
    return [
      .warning(
        "allocations and peaks may differ for no other reason than"
          + " \(shifts.joined(separator: "; "))")
    ]
  }

  /// Cells whose control moved.
  var drift: [Conclusion] {
    let cells = (comparison?.drifts ?? [:]).sorted { "\($0.key)" < "\($1.key)" }
      .map { "\(name($0.key)) (\(Wording.change($0.value, .wall)))" }
    guard !cells.isEmpty else { return [] }
    let isPaired = comparison?.isPaired == true
    let when = isPaired ? "between the two sides" : "since the baseline"
    return [
      .warning(
        "in \(Wording.list(cells)) the control, which no change can touch, moved \(when):"
          + (isPaired
            ? " a time there must have moved further to be decided"
            : " times there are inconclusive"))
    ]
  }

  /// Cells in which drift would go unseen.
  var uncontrolled: [Conclusion] {
    guard let cells = comparison?.uncontrolled, !cells.isEmpty else { return [] }
    return [
      .hint("no control was timed in both runs, drift goes unseen: \(names(cells))")
    ]
  }

  /// Rows of which no outcome could have been significant.
  var tooFewToCompare: [Conclusion] {
    let few = rows.compactMap { row -> (have: Int, need: Int)? in
      guard case .inconclusive(.blocks(let have, let need)) = row.verdict else { return nil }
      return (have, need)
    }
    guard let have = few.map(\.have).min(), let need = few.map(\.need).max() else { return [] }
    return [
      .warning(
        "\(Wording.plural(few.count, "row")) had too few blocks for a verdict, the fewest"
          + " \(have): need \(need) blocks on each side")
    ]
  }

  /// Rows that no verdict is given on though both sides measured them, and why.
  var notJudged: [Conclusion] {
    guard let comparison else { return [] }
    let open = rows.filter { row in
      // Why the times of two runs that were measured apart have none is said once, of all.
      row.series.isJudged && row.verdict == nil && row.summary != nil
        && row.comparison?.baselineP50 != nil
        && (comparison.isPaired || !(row.metric.isTime || row.metric.isHard))
    }
    return open.grouped(by: \.whyNotJudged).map { reason, rows in
      let names = rows.map { "\(name($0.cell)) \($0.phase) \($0.metric.id)" }
      return .hint(
        "no verdict on \(Wording.plural(rows.count, "row")), \(reason): \(Wording.list(names))")
    }
  }

  /// Cells of a gate in whose blocks too few samples fit for what comes once in ten.
  var rareUnseen: [Conclusion] {
    guard comparison?.isPaired == true else { return [] }
    let means = Set(
      rows.filter { $0.metric.isSecondary && $0.comparison?.baselineP50 != nil }.map {
        Series.Key(cell: $0.cell, phase: $0.phase, metric: Metric.wall.id)
      })
    let few = rows.compactMap { row -> (cell: Cell, samples: Int)? in
      guard means.contains(row.series.key), let block = row.series.blocks.first,
        block.count < Self.enoughForRare
      else { return nil }
      return (row.cell, block.count)
    }
    guard let least = few.map(\.samples).min() else { return [] }
    return [
      .hint(
        "in \(names(few.map(\.cell))) a block has as few as \(Wording.plural(least, "sample")):"
          + " what stalls more rarely than one in so many may go unseen")
    ]
  }

  /// So many samples a block hold what one in ten does.
  private static let enoughForRare = 10

  /// What a stored baseline is worth for times.
  var storedBaseline: [Conclusion] {
    guard let comparison, !comparison.isPaired,
      comparison.comparability.comparesTimes
    else { return [] }
    let advice = "bench gate --against measures both side by side"
    if comparison.gatesTimes {
      return [
        .hint(
          "times judged by a stored baseline are weak evidence: up to 1 run in 20 of the same"
            + " program comes out red, more where the machine has changed its pace since;"
            + " \(advice)")
      ]
    }
    let what = hasTimes ? "times are shown and not judged" : "times were not measured"
    return [
      .hint("\(what), since the machine may have changed its pace since the baseline; \(advice)")
    ]
  }
}

extension ReportRow {
  /// Why there is no verdict on it, though both sides measured it and nothing forbids comparing them.
  package var whyNotJudged: String {
    if isTiny { return "too short for the clock" }
    if metric.isSecondary { return "means in which nothing seems to have changed" }
    return metric.isHard || metric.isTime
      ? "not comparable" : "figures that vary by themselves and are counted too seldom for a test"
  }
}

/// Doubts about the rows of a gate as a whole.
extension Evidence {
  /// The rarest majority, of rows that are as likely to move up as down, that is still no news.
  private static let rareMajority = 0.01
  /// The smallest change of all that is any news: what is less reads as none.
  private static let leastShift = 0.001

  /// Instructions that mean different things.
  var instructions: [Conclusion] {
    let isCounted = rows.contains {
      $0.metric.id == Metric.instructions.id && $0.comparison?.baselineP50 != nil
        && $0.summary != nil
    }
    let differences = comparison?.comparability.instructionDifferences ?? []
    guard isCounted, !differences.isEmpty else { return [] }
    return [
      .warning(
        "instructions are not compared; what differs: \(differences.joined(separator: "; "))")
    ]
  }

  /// Most rows moved the same way, though each may be too small a change to flag.
  ///
  /// One row a phase, of wall time where it was timed, since the clocks of one phase go together.
  var oneSided: [Conclusion] {
    let ratios = judgedTimes.compactMap(\.comparison?.ratio).filter { $0 != 1 }
    let slower = ratios.count { $0 > 1 }
    let most = max(slower, ratios.count - slower)
    guard let p = Statistics.binomialTwoSided(successes: most, of: ratios.count),
      p < Self.rareMajority, let median = Statistics.median(ratios),
      abs(median - 1) >= Self.leastShift
    else { return [] }
    let direction = slower == most ? "slower" : "faster"
    let size = Wording.percent(abs(median - 1))
    return [
      .warning(
        "\(Wording.count(most)) of \(Wording.plural(ratios.count, "judged time")) came out"
          + " \(direction), by \(size) in the median (\(Wording.pValue(p))): what all share"
          + " may have changed, though no row alone need show it")
    ]
  }

  /// Suspicions that are no verdicts.
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

  /// The timed rows with a verdict, tiny ones left out, wall before any other clock of a phase.
  private var judgedTimes: [ReportRow] {
    let judged = rows.filter { $0.metric.isTime && $0.verdict != nil && !$0.isTiny }
    let phases = Dictionary(grouping: judged) {
      Series.Key(cell: $0.cell, phase: $0.phase, metric: "")
    }
    return phases.values.compactMap { rows in
      rows.first { $0.metric.id == Metric.wall.id } ?? rows.first
    }
  }
}

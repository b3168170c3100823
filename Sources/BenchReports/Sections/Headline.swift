import Basics
import BenchAnalysis
import BenchResults

/// The answer of a comparison: how many costs and counts are worse, better, the same or open, and what is lacking.
struct Headline {
  let report: Report

  /// Sentences, those on what is worse first: `Nothing shown to be slower: 9 of 14 costs same within 2 %, 5 cannot
  /// say, up to +14 %. Counts: 245 of 245 the same.`
  var text: String {
    let costs = report.judgedCosts
    let counts = report.allRows.filter { !$0.metric.isTime && $0.moved != nil }
    // A tolerance allows for more.
    let isTolerant = costs.contains { row in
      row.moved == .unchanged && row.comparison?.interval?.lies(within: Wording.same) == false
    }
    let same = "same within 2 %" + (isTolerant ? " or a tolerance" : "")
    let isOpen = costs.allSatisfy { $0.moved?.isInconclusive == true }
    let answers = [
      answer(
        costs, "cost", ["slower", "faster", same],
        isOpen ? "Nothing shown: " : "Nothing shown to be slower: "),
      answer(
        counts, "count", ["worse", "better", "the same"],
        costs.isEmpty ? "Nothing shown to be worse: " : nil),
    ].compactMap(\.self)
    let new = report.rows.count { $0.verdict == .new }
    let all = answers.isEmpty ? [(text: "Nothing could be compared", isBad: false)] : answers
    let last = new > 0 ? ["\(Wording.plural(new, "figure")) new"] : []
    let texts: [String] =
      all.filter(\.isBad).map(\.text) + lacking + all.filter { !$0.isBad }.map(\.text)
    return (texts + last).map { "\($0)." }.joined(separator: " ")
  }

  /// What could not be compared, or is wrong whatever the baseline has.
  private var lacking: [String] {
    let (over, below) = (report.overLimit.count, report.belowFloor.count)
    // Cells without figures, on either side: a comparison that lacks them has not passed.
    let failures =
      report.record.failures + report.record.emptyCells + (report.baseline?.failures ?? [])
    let counted = [
      (over, "figure", over == 1 ? "over its limit" : "over their limits"),
      (below, "time", "below the floor"),
      (Set(failures.map(\.cell)).count, "cell", "not measured"),
      (report.lost.count, "figure", "missing"),
    ]
    let words = counted.filter { $0.0 > 0 }.map { "\(Wording.plural($0.0, $0.1)) \($0.2)" }
    // Nothing else shows these.
    switch report.outcome() {
    case .gone(let cell): return words + ["1 cell missing: \(cell)"]
    case .otherMenus(let menus): return words + ["Not compared: \(Wording.list(menus))"]
    case .timesNotCompared: return words + ["Times not compared"]
    default: return words
    }
  }

  /// Returns `2 of 14 costs slower, 9 same within 2 %, 3 cannot say, up to +14 %`, or nil without rows. What is not bad
  /// has a lead: `No regression: ` if everything is the same or better. Without one it follows another answer.
  private func answer(
    _ rows: [ReportRow], _ noun: String, _ words: [String], _ lead: String?
  ) -> (text: String, isBad: Bool)? {
    guard !rows.isEmpty else { return nil }
    let isBad = rows.contains { $0.moved == .regressed }
    let isShown = if case .passed(_, 0) = report.outcome() { lacking.isEmpty } else { false }
    let isNamed = isBad || lead != nil
    let all = isNamed ? Wording.plural(rows.count, noun) : Wording.count(rows.count)
    let tally = Self.tally(rows, words).enumerated().map { index, part in
      "\(Wording.count(part.count)) \(index == 0 ? "of \(all) " : "")\(part.word)"
    }.joined(separator: ", ")
    guard !isBad else { return (tally, true) }
    return ((lead.map { isShown ? "No regression: " : $0 } ?? "Counts: ") + tally, false)
  }

  /// Counts rows by verdict. What cannot be said has one bound, the largest.
  private static func tally(_ rows: [ReportRow], _ words: [String]) -> [(count: Int, word: String)]
  {
    let bounds = rows.compactMap { row -> Double? in
      guard case .inconclusive(.wide(let most)) = row.moved else { return nil }
      return most
    }
    let open = rows.compactMap { row -> Doubt? in
      guard case .inconclusive(let doubt) = row.moved else { return nil }
      if case .wide = doubt, let most = bounds.max() { return .wide(upTo: most) }
      return doubt
    }.grouped { $0 }.map { doubt, all in
      (count: all.count, word: "cannot say, \(Wording.doubt(doubt))")
    }
    let decided = zip([Verdict.regressed, .improved, .unchanged], words).map { verdict, word in
      (count: rows.count { $0.moved == verdict }, word: word)
    }
    return (decided + open).filter { $0.count > 0 }
  }
}

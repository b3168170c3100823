import BenchAnalysis
import BenchResults

/// How many pairs of timed blocks the cells of a gate have, and why no more.
enum PairFacts {
  /// `pairs of timed blocks, looked at after 12, 20, 32: 12 in 3 cells, every row decided; …`.
  static func line(_ report: Report) -> String? {
    guard let looks = report.record.pairing?.looks else { return nil }
    let rows = Dictionary(grouping: report.rows.filter(\.metric.isTime), by: \.cell)
    let outcomes = report.record.outcomes
    let ends = outcomes.map { end($0, rows[$0.cell] ?? [], report) }
    let texts = ends.distinct.map { end in
      let cells = zip(outcomes, ends).filter { $0.1 == end }.map(\.0)
      return "\(FactSection.counts(cells)), \(end)"
    }
    guard !texts.isEmpty else { return nil }
    let plan = Wording.list(looks.screening.map { "\($0)" }, most: .max)
    return "pairs of timed blocks, each block a fresh process, looked at after \(plan):"
      + " \(texts.joined(separator: "; "))"
  }

  private static func end(_ outcome: Outcome, _ rows: [ReportRow], _ report: Report) -> String {
    switch outcome.stop {
    case .failed: return "failed"
    case .interrupted, .running: return "interrupted"
    case .budget where rows.contains(where: isOpen):
      let budget =
        report.record.settings.budgetSeconds.map { " of \(Wording.time($0 * 1e9))" } ?? ""
      return "the budget\(budget) ended before the next look"
    case .budget, .blocks, .narrow, .notApplicable: break
    }
    let fresh = report.record.pairing?.looks.confirmation ?? 0
    if rows.contains(where: isSuspect) { return "the last \(fresh) of them to confirm a suspicion" }
    return rows.contains(where: isOpen) ? "the most that were planned" : "every row decided"
  }

  /// Whether more pairs could have decided it.
  private static func isOpen(_ row: ReportRow) -> Bool {
    switch row.verdict {
    case .inconclusive(.unconfirmed(_, let fresh, let need)): fresh < need
    case .inconclusive: true
    default: false
    }
  }

  private static func isSuspect(_ row: ReportRow) -> Bool {
    switch row.verdict {
    case .regressed, .improved, .inconclusive(.unconfirmed): true
    default: false
    }
  }
}

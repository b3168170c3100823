import Basics
import BenchAnalysis
import BenchResults

/// One line per menu, backend and cost: the figure and, for each answer, its weight and the result.
///
/// The format is that of a run's CSV: fields quoted by RFC 4180, all digits, unknowns empty. A cost
/// has one line for each answer that weighs it, with its `need`. A cost that no answer weighs has
/// one line without.
enum RecommendationCSV {
  static let header = [
    "backend", "menu", "workload", "durability", "cost", "metric", "unit", "value", "ci_low",
    "ci_high", "multiple", "need", "weight", "counts", "score", "score_low", "score_high", "rank",
    "reason",
  ]

  static func render(_ report: RecommendationReport) -> String {
    let lines = report.sheets.enumerated().flatMap { index, sheet in
      rows(sheet, report.answers.map { ($0.criteria.need ?? "", $0.recommendations[index]) })
    }
    return CSVReporter.text([header] + lines)
  }

  private static func rows(
    _ sheet: CostTable, _ answers: [(need: String, answer: Recommendation)]
  ) -> [[String]] {
    let weighed = answers.flatMap(\.answer.weighted).map(\.column)
    let columns = (sheet.columns + sheet.sizes + weighed).distinct
    return sheet.backends.flatMap { backend in
      columns.flatMap { column in
        let entry = sheet.entry(backend, column)
        let figure = entry.figure
        let own = [
          backend, sheet.menu, column.workload, column.durability, column.name, column.metric.id,
          column.metric.unit.rawValue, number(figure?.value), number(figure?.interval?.low),
          number(figure?.interval?.high), number(figure?.multiple),
        ]
        let counts = answers.compactMap { judged(backend, column, $0.need, $0.answer) }
        return (counts.isEmpty ? [Array(repeating: "", count: 7)] : counts).map {
          own + $0 + [entry.reason ?? ""]
        }
      }
    }
  }

  /// Returns what one answer makes of a column, or nil if the column has no weight. `counts` is the multiple in the sum.
  private static func judged(
    _ backend: String, _ column: CostColumn, _ need: String, _ answer: Recommendation
  ) -> [String]? {
    guard let weighted = answer.weighted.first(where: { $0.column == column }) else { return nil }
    let rank = answer.ranked.firstIndex { $0.backend == backend }
    let ranked = rank.map { answer.ranked[$0] }
    let term = ranked?.terms.first { $0.weighted.column == column }
    return [
      need, number(weighted.weight), number(term?.multiple), number(ranked?.score),
      number(ranked?.standing.interval?.low), number(ranked?.standing.interval?.high),
      rank.map { String($0 + 1) } ?? "",
    ]
  }

  private static func number(_ value: Double?) -> String { value.map(\.digits) ?? "" }
}

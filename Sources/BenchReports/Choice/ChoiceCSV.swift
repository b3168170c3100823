import BenchAnalysis
import BenchResults

/// One line a menu, backend and cost: what is shown, what counts, and what it comes to.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, all digits, unknowns empty.
enum ChoiceCSV {
  static let header = [
    "backend", "menu", "workload", "durability", "cost", "metric", "unit", "value", "multiple",
    "weight", "score", "rank", "reason",
  ]

  static func render(_ choice: ChoiceReport) -> String {
    let lines = choice.sheets.indices.flatMap { index in
      let answer = index < choice.recommendations.count ? choice.recommendations[index] : nil
      return rows(choice.sheets[index], answer)
    }
    return ([header] + lines).map { $0.map(CSVReporter.quoted).joined(separator: ",") + "\n" }
      .joined()
  }

  private static func rows(_ sheet: CostSheet, _ answer: Recommendation?) -> [[String]] {
    let weights = Dictionary(
      (answer?.weighted ?? []).map { ($0.column, $0.weight) }, uniquingKeysWith: +)
    var seen: Set<CostColumn> = []
    let columns = (sheet.columns + sheet.sizes + (answer?.weighted ?? []).map(\.column))
      .filter { seen.insert($0).inserted }
    return sheet.backends.flatMap { backend in
      let rank = answer?.ranked.firstIndex { $0.backend == backend }
      let score = rank.flatMap { answer?.ranked[$0].score }
      return columns.map { column in
        [
          backend, sheet.menu, column.workload, column.durability, column.name, column.metric.id,
          column.metric.unit.rawValue,
        ] + figure(sheet.entry(backend, column))
          + [number(weights[column]), number(score), rank.map { String($0 + 1) } ?? ""]
          + [reason(sheet.entry(backend, column))]
      }
    }
  }

  private static func figure(_ entry: CostEntry) -> [String] {
    guard case .figure(let figure, let multiple) = entry else { return ["", ""] }
    return [number(figure.value), number(multiple)]
  }

  private static func reason(_ entry: CostEntry) -> String {
    guard case .absent(let lack) = entry else { return "" }
    return lack.reason
  }

  private static func number(_ value: Double?) -> String { value.map(\.digits) ?? "" }
}

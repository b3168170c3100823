import BenchAnalysis
import BenchResults

/// What changed, before anything else.
enum FlagSection {
  /// How many flagged rows are listed where the tables further down and the CSV have all.
  static let most = 20

  /// The regressions, the worst first.
  static func regressions(_ report: Report, most: Int = most) -> [Part] {
    let worst = report.regressions
    return parts(
      "\(Wording.plural(worst.count, "regression")), worst first",
      worst.map { flag($0, report) }, noun: "regression", most)
  }

  /// The improvements, the best first.
  static func improvements(_ report: Report, most: Int = most) -> [Part] {
    let best = report.rows.filter { $0.verdict == .improved }.sorted { gain($0) > gain($1) }
    return parts(
      "\(Wording.plural(best.count, "improvement")), best first",
      best.map { flag($0, report) }, noun: "improvement", most)
  }

  /// So many of the items below their heading, and how many more there are; nothing of none.
  static func parts(_ title: String, _ items: [String], noun: String, _ most: Int) -> [Part] {
    guard !items.isEmpty else { return [] }
    let rest = items.count - most
    let more = rest > 0 ? ["and \(Wording.plural(rest, "more \(noun)"))"] : []
    return [.heading(title), .list(items.prefix(most) + more)]
  }

  private static func flag(_ row: ReportRow, _ report: Report) -> String {
    let pairs = report.pairs(of: row).map { ", \($0)" } ?? ""
    return "\(row.verdict?.id ?? ""): \(name(row)): \(change(row))\(pairs)"
  }

  /// What a row is called in a list.
  static func name(_ row: ReportRow) -> String {
    "\(row.cell) \(row.phase) \(row.metric.title)"
  }

  /// How many times better the row got, 1 or more.
  private static func gain(_ row: ReportRow) -> Double {
    guard let ratio = row.comparison?.ratio else { return .infinity }
    return row.metric.better == .lower ? 1 / ratio : ratio
  }

  /// How much a row moved, where that has a ratio, and from where to where:
  /// `1.25× slower (1.24–1.26×), 51.0 ms → 63.7 ms`.
  static func change(_ row: ReportRow) -> String {
    let figures = ComparisonSection.figures(row)
    let interval = row.comparison?.interval == nil ? "" : " (\(figures[4]))"
    let ratio = row.comparison?.ratio == nil ? "" : "\(figures[3])\(interval), "
    return "\(ratio)\(figures[1]) → \(figures[2])"
  }
}

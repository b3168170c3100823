import BenchAnalysis
import BenchResults

/// The rows that the data could not decide.
enum DoubtSection {
  /// Each with the smallest change that it could have shown, the widest first, or another reason.
  static func parts(_ report: Report, most: Int) -> [Part] {
    let rows = report.rows.filter { $0.verdict?.isInconclusive ?? false }
      .sorted { smallest($0) > smallest($1) }
    let items = rows.map { item($0, report) }
    let legend = ComparisonSection.legend(rows)
    return FlagSection.parts(
      "\(Wording.count(Double(rows.count))) inconclusive", items, noun: "inconclusive row", most)
      + (legend.isEmpty ? [] : [.paragraph(legend)])
  }

  private static func item(_ row: ReportRow, _ report: Report) -> String {
    let pairs = report.pairs(of: row).map { ", \($0)" } ?? ""
    let reason = ComparisonSection.reason(row.verdict)
    return "inconclusive: \(FlagSection.name(row)): \(reason): \(FlagSection.change(row))\(pairs)"
  }

  private static func smallest(_ row: ReportRow) -> Double {
    guard case .inconclusive(.wide(let smallest)) = row.verdict else { return .infinity }
    return smallest
  }
}

import BenchAnalysis
import BenchResults

extension Report {
  /// Whether the run was measured to be compared: its reader wants the comparison, not the figures.
  var isGate: Bool { comparison.map { $0.design == .paired || !$0.gatesTimes } ?? false }

  /// Whether any time was measured.
  var hasTimes: Bool { record.cells.contains { $0.metric.isTime && !$0.blocks.isEmpty } }

  /// On how many pairs of blocks a gate's verdict on a time rests; nil of every other row.
  ///
  /// A flagged row's are the fresh ones that confirmed it, an open row's those of its last look.
  func pairs(of row: ReportRow) -> String? {
    guard comparison?.design == .paired, row.metric.isTime, let looks = record.pairing?.looks
    else { return nil }
    let measured = row.series.blocks.count
    return switch row.verdict {
    case .regressed, .improved: Wording.plural(min(measured, looks.confirmation), "fresh pair")
    case .inconclusive(.wide), .inconclusive(.drift), .inconclusive(.noRatio):
      Wording.plural(min(measured, looks.screening.max() ?? measured), "pair")
    case .inconclusive, .unchanged, .new, .missing, nil: nil
    }
  }
}

import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: what got worse, what each storage costs,
/// where the cost lies, how far to trust it.
enum ReportDocument {
  /// The parts, in order.
  static func parts(of report: Report) -> [Part] {
    FlagSection.parts(report) + report.groups.flatMap { group(report, $0) }
      + ConclusionSection.parts(report) + FactSection.parts(report)
  }

  private static func group(_ report: Report, _ group: ReportGroup) -> [Part] {
    [.heading("\(group.menu) · \(group.workload) · \(group.durability)")]
      + menu(group.info)
      + GlanceSection.parts(group, failures: report.record.failures)
      + DetailSection.parts(group)
      + FloorSection.parts(group)
      + ComparisonSection.parts(group)
  }

  private static func menu(_ info: MenuInfo?) -> [Part] {
    guard let info else { return [] }
    let counts = info.counts.map { "\(Wording.count(Double($0.count))) \($0.of)" }
    let parts = counts.isEmpty ? [] : [Part.paragraph(counts.joined(separator: ", "))]
    return parts + info.notes.map { .paragraph("note: \($0)") }
  }
}

import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: what got worse, what each storage costs,
/// where the cost lies, how far to trust it.
enum ReportDocument {
  /// The parts, in order.
  static func parts(of report: Report, on medium: Medium) -> [Part] {
    FlagSection.parts(report) + report.groups.flatMap { group(report, $0, medium) }
      + ConclusionSection.parts(report, on: medium) + FactSection.parts(report)
  }

  private static func group(_ report: Report, _ group: ReportGroup, _ medium: Medium) -> [Part] {
    let notes = NoteSection(notes: group.info?.notes ?? [], medium: medium)
    return [.heading(title(group))]
      + counts(group.info) + notes.above
      + GlanceSection.parts(group, failures: report.record.failures)
      + DetailSection.parts(group)
      + FloorSection.parts(group)
      + ComparisonSection.parts(group) + notes.below
  }

  /// What a group's figures are of.
  static func title(_ group: ReportGroup) -> String {
    "\(group.menu) · \(group.workload) at durability \(group.durability)"
  }

  private static func counts(_ info: MenuInfo?) -> [Part] {
    let counts = (info?.counts ?? []).map { "\(Wording.count(Double($0.count))) \($0.of)" }
    return counts.isEmpty ? [] : [.paragraph(counts.joined(separator: ", "))]
  }
}

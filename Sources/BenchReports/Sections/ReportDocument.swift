import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: of a comparison its verdict, then what each
/// storage costs, where the cost lies, how far to trust it.
enum ReportDocument {
  /// The parts, in order.
  static func parts(of report: Report, on medium: Medium) -> [Part] {
    guard report.comparison != nil else {
      return report.groups.flatMap { group(report, $0, medium) }
        + ConclusionSection.parts(report, on: medium) + FactSection.parts(report)
    }
    let limits = medium == .terminal ? VerdictSection.Limits.terminal : .page
    let isShort = medium == .terminal && report.isGate
    return VerdictSection.entries(report, limits).map(\.part)
      + (isShort
        ? GateSection.parts(report) : report.groups.flatMap { group(report, $0, medium) })
      + ConclusionSection.hints(report, on: medium) + FactSection.parts(report)
  }

  private static func group(_ report: Report, _ group: ReportGroup, _ medium: Medium) -> [Part] {
    let notes = NoteSection(notes: group.info?.notes ?? [], medium: medium)
    return [.heading(title(group))]
      + counts(group.info) + notes.above
      + ComparisonSection.parts(group)
      + GlanceSection.parts(group, failures: report.record.failures)
      + DetailSection.parts(group) + GrowthSection.parts(group)
      + FloorSection.parts(group) + notes.below
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

import BenchAnalysis
import BenchResults

/// The report's parts by weight, each with what its lines are called when they are counted.
enum LimitedDocument {
  struct Entry {
    var part: Part
    var noun: String
  }

  /// The heaviest first; a heading stands before what it heads.
  static func parts(of report: Report) -> [Entry] {
    VerdictSection.entries(report, .summary)
      + report.groups.flatMap(comparison)
      + report.groups.flatMap { glance(report, $0) }
      + report.groups.flatMap(details)
      + entries(ConclusionSection.hints(report, on: .page), "conclusion")
      + entries(FactSection.parts(report), "fact")
  }

  private static func entries(_ parts: [Part], _ noun: String) -> [Entry] {
    parts.map { Entry(part: $0, noun: noun) }
  }

  private static func comparison(_ group: ReportGroup) -> [Entry] {
    let parts = ComparisonSection.parts(group)
    let heading = Part.heading(ReportDocument.title(group) + ", compared")
    return entries(parts.isEmpty ? [] : [heading] + parts, "row")
  }

  private static func glance(_ report: Report, _ group: ReportGroup) -> [Entry] {
    let parts = GlanceSection.parts(group, failures: report.record.failures)
    return entries(parts.isEmpty ? [] : [.heading(ReportDocument.title(group))] + parts, "row")
  }

  private static func details(_ group: ReportGroup) -> [Entry] {
    let parts = DetailSection.parts(group) + FloorSection.parts(group)
    let notes = NoteSection(notes: group.info?.notes ?? [], medium: .page)
    let heading = Part.heading(ReportDocument.title(group) + ", phase by phase")
    return entries(parts.isEmpty ? [] : [heading] + parts, "row")
      + entries(notes.above + notes.below, "note")
  }
}

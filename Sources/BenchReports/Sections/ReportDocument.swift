import BenchAnalysis
import BenchResults

/// The report for people, in the order of their questions: the verdict of a comparison, the cost of
/// each backend, the cost of its phases, and how far to trust all this.
enum ReportDocument {
  /// - Parameter isAlone: Whether only the beginning of it may be shown.
  static func parts(of report: Report, on medium: Medium, isAlone: Bool = false) -> [Part] {
    let reach = ReachNote.parts(report.record)
    guard let comparison = report.comparison else {
      return groups(report, medium, reach)
        + ConclusionSection.parts(report, on: medium) + FactSection(report: report).parts
    }
    // The figures of a run that was measured for a comparison are no answer by themselves.
    let isShort = medium == .terminal && (comparison.isPaired || !comparison.gatesTimes)
    return VerdictSection(report: report, medium: medium, isAlone: isAlone).parts
      + (isShort ? GateSection.parts(report) + reach : groups(report, medium, reach))
      + ConclusionSection.hints(report, on: medium) + FactSection(report: report).parts
  }

  /// Returns every group. The note on how far times reach follows the first one.
  static func groups(_ report: Report, _ medium: Medium, _ reach: [Part] = []) -> [Part] {
    report.groups.enumerated().flatMap { index, one in
      group(report, one, medium) + (index == 0 ? reach : [])
    }
  }

  static func group(
    _ report: Report, _ group: ReportGroup, _ medium: Medium, withPhases: Bool = true
  ) -> [Part] {
    [.heading(title(group))] + counts(group.info)
      + ComparisonSection.parts(group, of: report)
      + GlanceSection(group, failures: report.record.failures).parts
      + (withPhases
        ? DetailSection.parts(group) + GrowthSection.parts(group) + FloorSection.parts(group)
        : DetailSection.explanations(group))
      + NoteSection.parts(group.info?.notes ?? [], on: medium)
  }

  static func title(_ group: ReportGroup) -> String {
    "\(group.menu) · \(group.workload) at durability \(group.durability)"
      + (group.shard.map { " · shard \($0)" } ?? "")
  }

  private static func counts(_ info: MenuInfo?) -> [Part] {
    let counts = (info?.counts ?? []).map { Wording.counted($0.count, of: $0.of) }
    let change = info?.change.map {
      "stored alternately with a revision that changes \(Wording.count($0.lines)) of "
        + "\(Wording.count($0.of)) lines of its JSON"
    }
    let said = [counts.joined(separator: ", "), change ?? ""].filter { !$0.isEmpty }
    return said.isEmpty ? [] : [.paragraph(said.joined(separator: "; "))]
  }
}

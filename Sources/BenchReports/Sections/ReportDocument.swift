import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: of a comparison its verdict, then what each
/// backend costs, where the cost lies, how far to trust it.
enum ReportDocument {
  /// - Parameter isAlone: Whether no more of it than the beginning may be shown.
  static func parts(of report: Report, on medium: Medium, isAlone: Bool = false) -> [Part] {
    let reach = ReachNote.parts(report.record)
    guard report.comparison != nil else {
      return groups(report, medium, reach)
        + ConclusionSection.parts(report, on: medium) + FactSection(report: report).parts
    }
    let isShort = medium == .terminal && report.isGate
    return VerdictSection(report: report, medium: medium, isAlone: isAlone).parts
      + (isShort ? GateSection.parts(report) + reach : groups(report, medium, reach))
      + ConclusionSection.hints(report, on: medium) + FactSection(report: report).parts
  }

  /// Every group, how far times reach once, below the first one's.
  static func groups(_ report: Report, _ medium: Medium, _ reach: [Part] = []) -> [Part] {
    report.groups.enumerated().flatMap { index, one in
      group(report, one, medium) + (index == 0 ? reach : [])
    }
  }

  static func group(
    _ report: Report, _ group: ReportGroup, _ medium: Medium, withPhases: Bool = true
  ) -> [Part] {
    let notes = NoteSection.parts(group.info?.notes ?? [], on: medium)
    let areFolded = notes.contains { if case .details = $0 { true } else { false } }
    return [.heading(title(group))]
      + counts(group.info) + (areFolded ? [] : notes)
      + ComparisonSection.parts(group)
      + GlanceSection(group, failures: report.record.failures).parts
      + (withPhases
        ? DetailSection.parts(group) + GrowthSection.parts(group) + FloorSection.parts(group)
        : DetailSection.explanations(group))
      + (areFolded ? notes : [])
  }

  static func title(_ group: ReportGroup) -> String {
    "\(group.menu) · \(group.workload) at durability \(group.durability)"
      + (group.shard.map { " · shard \($0)" } ?? "")
  }

  private static func counts(_ info: MenuInfo?) -> [Part] {
    let counts = (info?.counts ?? []).map { Wording.counted($0.count, of: $0.of) }
    let change = info?.change.map {
      "stored in turn with a revision that changes \(Wording.count($0.lines)) of "
        + "\(Wording.count($0.of)) lines of its JSON"
    }
    let said = [counts.joined(separator: ", "), change ?? ""].filter { !$0.isEmpty }
    return said.isEmpty ? [] : [.paragraph(said.joined(separator: "; "))]
  }
}

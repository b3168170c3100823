import Basics
import BenchAnalysis
import BenchResults

/// What people read, in the order in which they need it: of a comparison its verdict, then what each
/// backend costs, where the cost lies, how far to trust it.
enum ReportDocument {
  /// The parts, in order.
  static func parts(of report: Report, on medium: Medium) -> [Part] {
    let reach = ReachNote(report.record).parts
    guard report.comparison != nil else {
      return groups(report, medium, reach)
        + ConclusionSection.parts(report, on: medium) + FactSection(report: report).parts
    }
    let limits = medium == .terminal ? VerdictSection.Limits.terminal : .page
    let isShort = medium == .terminal && report.isGate
    return VerdictSection(report: report, limits: limits).entries.map(\.part)
      + (isShort ? GateSection.parts(report) + reach : groups(report, medium, reach))
      + ConclusionSection.hints(report, on: medium) + FactSection(report: report).parts
  }

  /// Every group, how far times reach once, below the first one's.
  static func groups(_ report: Report, _ medium: Medium, _ reach: [Part] = []) -> [Part] {
    report.groups.enumerated().flatMap { index, one in
      group(report, one, medium) + (index == 0 ? reach : [])
    }
  }

  /// What stands of one group.
  static func group(
    _ report: Report, _ group: ReportGroup, _ medium: Medium, withPhases: Bool = true
  ) -> [Part] {
    let notes = NoteSection(notes: group.info?.notes ?? [], medium: medium)
    return [.heading(title(group))]
      + counts(group.info) + notes.above
      + ComparisonSection.parts(group)
      + GlanceSection.parts(group, failures: report.record.failures)
      + (withPhases
        ? DetailSection.parts(group) + GrowthSection.parts(group) + FloorSection.parts(group)
        : DetailSection.explanations(group))
      + notes.below
  }

  /// What a group's figures are of.
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

/// How little a table of times says of another machine, once a report.
struct ReachNote {
  private let record: RunRecord

  init(_ record: RunRecord) { self.record = record }

  /// One sentence, where any time was measured.
  var parts: [Part] {
    guard record.cells.contains(where: { $0.metric.unit == .nanoseconds && !$0.blocks.isEmpty })
    else { return [] }
    let allocator = record.machine.allocator.map { " (\($0))" } ?? ""
    let sqlite = options.map { "; counts of SQLite are of a build with \($0)" } ?? ""
    let machine = record.mergedShards.isEmpty ? "this machine" : "the machine of their shard"
    return [
      .paragraph(
        "times are of \(machine), this allocator\(allocator) and this Foundation: on a phone expect"
          + " the same order only where the gap is large, and the same bytes only from MenuBench's"
          + " own formats" + sqlite
      )
    ]
  }
}

extension ReachNote {
  /// The options of SQLite's build that change its counts; nil of none, and where nothing is known.
  private var options: String? {
    guard let sqlite = record.machine.sqlite, let start = sqlite.firstIndex(of: "("),
      sqlite.hasSuffix(")")
    else { return nil }
    return String(sqlite[start...].dropFirst().dropLast())
  }
}

/// How far to trust the figures.
enum ConclusionSection {
  /// How many a terminal shows.
  private static let most = 6
  /// How many of them may be hints.
  private static let mostHints = 3

  /// The conclusions, worst first.
  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts("Before you trust it", report.conclusions, most: medium == .terminal ? most : .max)
  }

  /// Errors and warnings alone.
  static func warnings(_ report: Report, most: Int) -> [Part] {
    parts("Before you trust it", report.conclusions.filter { $0.severity != .hint }, most: most)
  }

  /// Hints alone.
  static func hints(_ report: Report, on medium: Medium) -> [Part] {
    parts(
      "Good to know", report.conclusions.filter { $0.severity == .hint },
      most: medium == .terminal ? most : .max)
  }

  /// So many of the conclusions, few of them hints unless all are shown, and how many more there are.
  private static func parts(_ title: String, _ conclusions: [Conclusion], most: Int) -> [Part] {
    guard !conclusions.isEmpty else { return [] }
    // Hints come last.
    let doubts = conclusions.count { $0.severity != .hint }
    let shown = conclusions.prefix(most == .max ? most : min(most, doubts + mostHints))
      .map { "\($0.severity.rawValue): \($0.text)" }
    let rest = conclusions.count - shown.count
    let more =
      rest > 0 ? ["and \(Wording.count(rest)) more: the format markdown has all"] : []
    return [.heading(title), .list(shown + more)]
  }
}

/// What to know of a menu: few notes are shown above its figures, many folded away.
struct NoteSection {
  /// How many lines of a terminal the notes of one menu may take.
  private static let most = 3

  let notes: [String]
  let medium: Medium

  /// The notes where they are few; on a terminal one sentence where they are many.
  var above: [Part] {
    if notes.isEmpty { return [] }
    if areFew { return [.list(notes.map { "note: \($0)" })] }
    return medium == .terminal ? [.paragraph(sentence)] : []
  }

  /// Many notes, on a page.
  var below: [Part] {
    areFew || medium == .terminal ? [] : [.details(title: title, items: notes)]
  }

  private var areFew: Bool {
    guard notes.count <= Self.most else { return false }
    let list = Part.list(notes.map { "note: \($0)" }).text(width: TableReporter.width)
    return list.count { $0 == "\n" } <= Self.most
  }

  private var title: String {
    "\(Wording.plural(notes.count, "note")) on this menu"
  }

  private var sentence: String {
    // Shortened so that the whole takes three lines even where it cannot be broken.
    let first = (notes.first ?? "").shortened(to: TableReporter.width)
    return "\(title); the first: \(first); the format markdown has all"
  }
}

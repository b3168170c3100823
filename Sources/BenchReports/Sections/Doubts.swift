import BenchAnalysis
import BenchResults

/// A note, once per report, on how little its times say about another machine.
enum ReachNote {
  /// Returns one sentence, if any time was measured.
  static func parts(_ record: RunRecord) -> [Part] {
    guard record.cells.contains(where: { $0.metric.unit == .nanoseconds && !$0.blocks.isEmpty })
    else { return [] }
    let allocator = record.machine.allocator.map { " (\($0))" } ?? ""
    // The brackets contain the options of SQLite's build that change its counts.
    let options = record.machine.sqlite?.firstMatch(of: /\((.*)\)$/)?.1
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

/// How far to trust the figures.
enum ConclusionSection {
  /// The most conclusions on a terminal, and the most hints among them.
  private static let (most, mostHints) = (6, 3)

  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts("Before you trust it", report.conclusions, medium)
  }

  static func warnings(_ report: Report, on medium: Medium) -> [Part] {
    parts("Before you trust it", report.conclusions.filter { $0.severity != .hint }, medium)
  }

  static func hints(_ report: Report, on medium: Medium) -> [Part] {
    parts("Good to know", report.conclusions.filter { $0.severity == .hint }, medium)
  }

  private static func parts(
    _ title: String, _ conclusions: [Conclusion], _ medium: Medium
  ) -> [Part] {
    // Hints come last.
    let doubts = conclusions.count { $0.severity != .hint }
    let shown = conclusions.prefix(medium == .page ? .max : min(most, doubts + mostHints))
      .map { "\($0.severity.rawValue): \($0.text)" }
    let rest = conclusions.count - shown.count
    let more = rest > 0 ? ["and \(Wording.count(rest)) more: the format markdown has all"] : []
    return Part.list(title, shown + more)
  }
}

enum NoteSection {
  /// The most notes that are shown in full.
  private static let most = 3

  /// Returns a few short notes in full. Others become one sentence on a terminal, and a fold on a page.
  static func parts(_ notes: [String], on medium: Medium) -> [Part] {
    guard let first = notes.first else { return [] }
    let title = "\(Wording.plural(notes.count, "note")) on this menu"
    func short(_ note: String) -> String { note.displayable.shortened(to: Terminal.usualWidth - 8) }
    let areShort = medium == .page || notes.allSatisfy { short($0) == $0.displayable }
    if notes.count <= most, areShort { return [.list(notes.map { "note: \($0)" })] }
    return medium == .page
      ? [.details(title: title, items: notes)]
      : [.paragraph("\(title); the first: \(short(first)); the format markdown has all")]
  }
}

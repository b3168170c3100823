import Basics
import BenchAnalysis
import BenchResults

/// A note, once per report, on the systems that it was measured on.
enum ReachNote {
  /// Returns one sentence, if any time was measured.
  static func parts(_ record: RunRecord) -> [Part] {
    guard record.cells.contains(where: { $0.metric.unit == .nanoseconds && !$0.blocks.isEmpty })
    else { return [] }
    let systems = record.byMachine.map { $0.machine.system ?? "an unknown system" }.distinct
    let phone = systems.contains { $0.hasPrefix("iOS ") } ? "" : ", not on a phone"
    // The brackets contain the options of SQLite's build that change its counts.
    let options = record.machine.sqlite?.firstMatch(of: /\((.*)\)$/)?.1
    let sqlite = options.map { " Counts of SQLite are of a build with \($0)." } ?? ""
    return [.paragraph("Measured on \(systems.joined(separator: ", "))\(phone).\(sqlite)")]
  }
}

/// How far to trust the figures.
enum ConclusionSection {
  /// The most conclusions on a terminal, and the most hints before a page folds the rest.
  private static let (most, mostHints) = (6, 3)

  static func parts(_ report: Report, on medium: Medium) -> [Part] {
    parts("Warnings and hints", report.conclusions, medium)
  }

  static func warnings(_ report: Report, on medium: Medium) -> [Part] {
    parts("Errors and warnings", report.conclusions.filter { $0.severity != .hint }, medium)
  }

  static func hints(_ report: Report, on medium: Medium) -> [Part] {
    parts("Hints", report.conclusions.filter { $0.severity == .hint }, medium)
  }

  private static func parts(
    _ title: String, _ conclusions: [Conclusion], _ medium: Medium
  ) -> [Part] {
    // Hints come last.
    let doubts = conclusions.count { $0.severity != .hint }
    let room = medium == .page ? doubts + mostHints : min(most, doubts + mostHints)
    let all = conclusions.map { "\($0.severity.rawValue): \($0.text)" }
    let (shown, rest) = (all.prefix(room), all.dropFirst(room))
    guard let first = rest.first else { return Part.list(title, all) }
    let more = "\(Wording.count(rest.count)) more"
    guard medium == .page else {
      return Part.list(title, shown + ["and \(more): the format markdown has all"])
    }
    return Part.list(title, Array(shown))
      + [rest.count == 1 ? .list([first]) : .details(title: more, items: Array(rest))]
  }
}

enum NoteSection {
  /// Returns one sentence for a terminal, and a fold for a page.
  static func parts(_ notes: [String], on medium: Medium) -> [Part] {
    guard let first = notes.first else { return [] }
    let title = "\(Wording.plural(notes.count, "note")) on this menu"
    if medium == .page { return [.details(title: title, items: notes)] }
    let short = first.displayable.shortened(to: Terminal.usualWidth - 8)
    return [.paragraph("\(title), all in the format markdown. The first: \(short)")]
  }
}

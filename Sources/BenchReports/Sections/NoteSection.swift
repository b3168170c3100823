import BenchAnalysis

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
    "\(Wording.plural(notes.count, "note")) on what the importer adapted or could not place"
  }

  private var sentence: String {
    // Shortened so that the whole takes three lines even where it cannot be broken.
    let first = (notes.first ?? "").shortened(to: TableReporter.width)
    return "\(title); the first: \(first); all are in report.md"
  }
}

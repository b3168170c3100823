import Basics
import BenchAnalysis
import BenchResults

extension MarkdownReporter {
  /// The report for places that take only so much: GitHub drops a step's summary of more than 1 MiB
  /// whole, and refuses a comment of more than 65,536 characters.
  ///
  /// What matters most comes first: regressions, errors and warnings, what each backend costs, where
  /// the cost lies, hints and facts. Everything from the first line on that does not fit is left out,
  /// and the last line counts it and points to `report.md`.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that the text may take.
  package func render(_ report: Report, limit: Int) -> String {
    let pieces = MarkdownPiece.all(LimitedDocument.parts(of: report))
    let (whole, limit) = (pieces.reduce(0) { $0 + $1.text.utf8.count }, max(0, limit))
    guard whole > limit else { return pieces.map(\.text).joined() }
    // The longest note there can be: of less left out it only gets shorter.
    var room = limit - MarkdownPiece.note(of: pieces[...]).utf8.count
    let kept = pieces.prefix { piece in
      room -= piece.text.utf8.count
      return room >= 0
    }
    let note = MarkdownPiece.note(of: pieces.dropFirst(kept.count))
    return (kept.map(\.text).joined() + note).cut(to: limit)
  }
}

extension String {
  /// The beginning that takes at most so many bytes.
  fileprivate func cut(to limit: Int) -> String {
    var used = 0
    return String(
      String.UnicodeScalarView(
        unicodeScalars.prefix { scalar in
          used += UTF8.width(scalar)
          return used <= limit
        }))
  }
}

/// The report's parts by weight, each with what its lines are called when they are counted.
enum LimitedDocument {
  struct Entry {
    var part: Part
    var noun: String
  }

  /// The heaviest first; a heading stands before what it heads.
  static func parts(of report: Report) -> [Entry] {
    VerdictSection(report: report, limits: .summary).entries
      + report.groups.flatMap(comparison)
      + report.groups.flatMap { glance(report, $0) }
      + entries(ReachNote(report.record).parts, "note")
      + report.groups.flatMap(details)
      + entries(ConclusionSection.hints(report, on: .page), "conclusion")
      + entries(FactSection(report: report).parts, "fact")
  }

  static func entries(_ parts: [Part], _ noun: String) -> [Entry] {
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

/// The least of a Markdown text that is kept or left out: a list's item, a table's row, a paragraph
/// with the heading above it.
struct MarkdownPiece {
  var text: String
  /// What it is counted as.
  var noun: String
  /// How many it counts for: 0 of running text.
  var count: Int

  /// The pieces of all parts, in order; a heading belongs to the piece below it.
  static func all(_ entries: [LimitedDocument.Entry]) -> [MarkdownPiece] {
    var (pieces, heading) = ([MarkdownPiece](), "")
    for entry in entries {
      var chunks = chunks(entry.part)
      if let last = chunks.indices.last { chunks[last].text += "\n" }
      if case .heading = entry.part {
        heading += chunks.map(\.text).joined()
        continue
      }
      pieces += chunks.map { MarkdownPiece(text: $0.text, noun: entry.noun, count: $0.count) }
      if !heading.isEmpty, !chunks.isEmpty {
        pieces[pieces.count - chunks.count].text = heading + chunks[0].text
        heading = ""
      }
    }
    if let last = pieces.indices.last { pieces[last].text.removeLast() }
    return pieces
  }

  private static func chunks(_ part: Part) -> [(text: String, count: Int)] {
    switch part {
    case .headline, .heading, .paragraph: return [(part.markdown, 0)]
    case .details(_, let items): return [(part.markdown, items.count)]
    case .list(let items): return items.map { (Part.list([$0]).markdown, 1) }
    case .table(let table):
      // A head without a row would be no table.
      let lines = table.markdown.map { $0 + "\n" }
      let head = lines.prefix(3).joined()
      return [(head, min(1, table.rows.count))] + lines.dropFirst(3).map { ($0, 1) }
    }
  }

  /// `left out for want of room: 3 rows, 7 facts; all of it is in report.md`, in the order given,
  /// after a blank line: else it would belong to a list or a table.
  static func note(of pieces: ArraySlice<MarkdownPiece>) -> String {
    let counts = pieces.filter { $0.count > 0 }.grouped(by: \.noun).map { noun, pieces in
      Wording.plural(pieces.reduce(0) { $0 + $1.count }, noun)
    }
    let what = counts.joined(separator: ", ")
    return "\nleft out for want of room: \(what.isEmpty ? "running text" : what);"
      + " all of it is in report.md\n"
  }
}

import BenchAnalysis
import BenchResults

extension MarkdownReporter {
  /// Writes the report for places with a size limit. GitHub drops the whole summary of a step if it exceeds
  /// 1 MiB, and refuses a comment of more than 65,536 characters.
  ///
  /// The verdict contains every regression, because tables may be cut off. Everything from the first line
  /// that does not fit is left out. The last line counts what is left out, and points to `report.md`.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that the text may take.
  package func render(_ report: Report, limit: Int) -> String {
    let whole = ReportDocument.parts(of: report, on: .page, isAlone: true).markdown
    let limit = max(0, limit)
    guard whole.utf8.count > limit else { return whole }
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let end = "\n</details>\n"
    // The longest possible note: the less is left out, the shorter it gets.
    var room = limit - end.utf8.count - Self.note(lines[...]).utf8.count
    var kept = lines.prefix { line in
      room -= line.utf8.count + 1
      return room >= 0
    }
    while let last = kept.indices.last, Self.isStart(last, of: lines) { kept.removeLast() }
    // An open fold would also hide the note.
    let tags = kept.filter { ["<details>", "</details>"].contains($0) }
    var text = kept.map { $0 + "\n" }.joined() + (tags.last == "<details>" ? end : "")
    text += Self.note(lines[kept.endIndex...])
    // There may be less room than the note takes.
    while text.utf8.count > limit { text.unicodeScalars.removeLast() }
    return text
  }

  /// Returns whether a line means nothing without the next: a heading, the head of a table.
  private static func isStart(_ place: Int, of lines: [Substring]) -> Bool {
    let line = lines[place]
    return line.isEmpty || line.hasPrefix("## ") || line.hasPrefix("| ---")
      || (line.hasPrefix("| ") && (place == 0 || lines[place - 1].isEmpty))
  }

  /// Returns the note after a blank line, so that it does not belong to a list or a table.
  private static func note(_ rest: ArraySlice<Substring>) -> String {
    let count = Wording.plural(rest.count { !$0.isEmpty }, "line")
    return "\n\(count) did not fit here. report.md has everything.\n"
  }
}

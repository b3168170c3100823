import BenchAnalysis
import BenchResults

extension MarkdownReporter {
  /// The report for places that take only so much: GitHub drops a step's summary of more than 1 MiB
  /// whole, and refuses a comment of more than 65,536 characters.
  ///
  /// Every regression is in its verdict, since no table may follow. Everything from the first line on that does not
  /// fit is left out, and the last line counts it and points to `report.md`.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that the text may take.
  package func render(_ report: Report, limit: Int) -> String {
    let whole = ReportDocument.parts(of: report, on: .page, isAlone: true).markdown
    let limit = max(0, limit)
    guard whole.utf8.count > limit else { return whole }
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    let end = "\n</details>\n"
    // The longest note there can be: of less left out it only gets shorter.
    var room = limit - end.utf8.count - Self.note(lines[...]).utf8.count
    var kept = lines.prefix { line in
      room -= line.utf8.count + 1
      return room >= 0
    }
    while let last = kept.indices.last, Self.isStart(last, of: lines) { kept.removeLast() }
    // What is folded must not fold the note.
    let tags = kept.filter { ["<details>", "</details>"].contains($0) }
    var text = kept.map { $0 + "\n" }.joined() + (tags.last == "<details>" ? end : "")
    text += Self.note(lines[kept.endIndex...])
    // There may be less room than the note takes.
    while text.utf8.count > limit { text.unicodeScalars.removeLast() }
    return text
  }

  /// Whether a line says nothing without the one after it: a heading, the head of a table.
  private static func isStart(_ place: Int, of lines: [Substring]) -> Bool {
    let line = lines[place]
    return line.isEmpty || line.hasPrefix("## ") || line.hasPrefix("| ---")
      || (line.hasPrefix("| ") && (place == 0 || lines[place - 1].isEmpty))
  }

  /// After a blank line: else it would belong to a list or a table.
  private static func note(_ rest: ArraySlice<Substring>) -> String {
    let count = Wording.plural(rest.count { !$0.isEmpty }, "line")
    return "\nleft out for want of room: \(count); all of it is in report.md\n"
  }
}

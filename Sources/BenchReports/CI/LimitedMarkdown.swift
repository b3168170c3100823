import BenchAnalysis
import BenchResults

extension MarkdownReporter {
  private static let note = "The rest did not fit here. report.md has everything.\n"

  /// Writes the report for places with a size limit. GitHub drops the whole summary of a step if it exceeds
  /// 1 MiB, and refuses a comment of more than 65,536 characters.
  ///
  /// The verdict has every regression. Everything from the first part that does not fit is left out.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that the text may take.
  package func render(_ report: Report, limit: Int) -> String {
    let parts = ReportDocument.parts(of: report, on: .page, isAlone: true)
    let whole = parts.markdown
    guard whole.utf8.count > limit else { return whole }
    var room = max(0, limit) - Self.note.utf8.count
    var kept = parts.prefix { part in
      room -= part.markdown.utf8.count + 1
      return room >= 0
    }
    // A heading means nothing without what is below it.
    while case .heading? = kept.last { kept.removeLast() }
    let text = kept.map { $0.markdown + "\n" }.joined() + Self.note
    return text.utf8.count > limit ? "" : text
  }
}

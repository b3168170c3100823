import BenchAnalysis
import BenchResults

extension MarkdownReporter {
  /// The report for places that take only so much: GitHub drops a step's summary of more than 1 MiB
  /// whole, and refuses a comment of more than 65,536 characters.
  ///
  /// What matters most comes first: regressions, errors and warnings, what each storage costs, where
  /// the cost lies, hints and facts. Everything from the first line on that does not fit is left out,
  /// and the last line counts it and points to `report.md`.
  ///
  /// - Parameter limit: The most bytes of UTF-8 that the text may take.
  public func render(_ report: Report, limit: Int) -> String {
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

import BenchAnalysis

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
    var order: [String] = []
    var counts: [String: Int] = [:]
    for piece in pieces where piece.count > 0 {
      if counts[piece.noun] == nil { order.append(piece.noun) }
      counts[piece.noun, default: 0] += piece.count
    }
    let what = order.map { Wording.plural(counts[$0] ?? 0, $0) }.joined(separator: ", ")
    return "\nleft out for want of room: \(what.isEmpty ? "running text" : what);"
      + " all of it is in report.md\n"
  }
}

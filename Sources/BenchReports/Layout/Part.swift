/// One part of a report that people read, in no format yet.
enum Part {
  /// The sentence that says it all: a terminal never cuts it.
  case headline(String)
  /// A title above other parts.
  case heading(String)
  /// Running text.
  case paragraph(String)
  /// Figures.
  case table(TextTable)
  /// Short statements, one a line.
  case list([String])
  /// Short statements that a page unfolds on demand.
  case details(title: String, items: [String])

  /// Lines for a terminal, ending in a line break.
  func text(width: Int) -> String {
    switch self {
    case .headline(let text): Self.joined(text.displayable.wrapped(to: width))
    case .heading(let title): Self.joined([title.displayable.shortened(to: width)])
    case .paragraph(let text): Self.joined(text.displayable.wrapped(to: width))
    case .table(let table): Self.joined(table.text(width: width))
    case .list(let items):
      Self.joined(items.flatMap { "• \($0.displayable)".wrapped(to: width, indent: 2) })
    case .details(let title, let items):
      Part.paragraph(title).text(width: width) + "\n" + Part.list(items).text(width: width)
    }
  }

  /// GitHub-flavoured Markdown, ending in a line break.
  var markdown: String {
    switch self {
    case .headline(let text): Self.joined(["# " + text.markdownEscaped])
    case .heading(let title): Self.joined(["## " + title.markdownEscaped])
    case .paragraph(let text): Self.joined([text.markdownEscaped])
    case .table(let table): Self.joined(table.markdown)
    case .list(let items): Self.joined(items.map { "- " + $0.markdownEscaped })
    case .details(let title, let items):
      // Without the blank lines GitHub would take the list for more HTML.
      Self.joined(["<details>", "<summary>\(title.htmlEscaped)</summary>", ""])
        + Part.list(items).markdown + Self.joined(["", "</details>"])
    }
  }

  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}

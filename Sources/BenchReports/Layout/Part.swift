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
    case .headline(let text), .heading(let text), .paragraph(let text):
      Self.joined(text.displayable.wrapped(to: width))
    case .table(let table): Self.joined(table.text(width: width))
    case .list(let items):
      Self.joined(items.flatMap { "• \($0.displayable)".wrapped(to: width, indent: 2) })
    case .details(let title, let items):
      Part.paragraph(title).text(width: width) + "\n" + Part.list(items).text(width: width)
    }
  }

  /// The part for a terminal that has no block characters.
  var withoutBars: Part {
    guard case .table(var table) = self else { return self }
    table.bars = nil
    return .table(table)
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
      Self.joined(["<details>", "<summary>\(title.markupEscaped)</summary>", ""])
        + Part.list(items).markdown + Self.joined(["", "</details>"])
    }
  }

  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}

extension [Part] {
  /// The parts for a terminal of so many columns: taken for ``TableReporter/leastWidth`` where it has
  /// fewer, and for ``TableReporter/mostWidth`` where it has more, unless nothing limits it.
  func text(width: Int) -> String {
    let most = width == TableReporter.unlimitedWidth ? width : TableReporter.mostWidth
    let width = Swift.min(Swift.max(width, TableReporter.leastWidth), most)
    return map { $0.text(width: width) }.joined(separator: "\n")
  }

  /// The parts for a page.
  var markdown: String { map(\.markdown).joined(separator: "\n") }
}

/// What a report is read on.
enum Medium {
  /// A terminal, where what is far up is lost: little is shown, and the rest pointed to.
  case terminal
  /// A page, which has room for all.
  case page
}

extension String {
  /// The text with some characters as `%` and two hexadecimal digits a byte of UTF-8, so that no two
  /// texts become one: white space, control characters and `%` always, others as asked for.
  func percentEncoded(also special: Set<Unicode.Scalar>) -> String {
    percentEncoded { scalar in
      let isControl = [.control, .format].contains(scalar.properties.generalCategory)
      return scalar.properties.isWhitespace || isControl || scalar == "%"
        || special.contains(scalar)
    }
  }

  /// The same of the characters that are special.
  func percentEncoded(where isSpecial: (Unicode.Scalar) -> Bool) -> String {
    unicodeScalars.map { scalar in
      isSpecial(scalar)
        ? String(scalar).utf8.map { "%" + $0.hexadecimal }.joined() : String(scalar)
    }.joined()
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}

extension Double {
  /// The shortest text that reads back as the same number, with a point in every locale; a whole one
  /// without a point. Of finite numbers only: the formats have no other.
  var digits: String { Int(exactly: self).map(String.init) ?? description }
}

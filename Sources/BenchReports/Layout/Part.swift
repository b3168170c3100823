import BenchAnalysis

/// Content for people to read, independent of a format.
package protocol Readable {
  func parts(on medium: Medium) -> [Part]
}

extension Readable {
  package func text(width: Int) -> String {
    parts(on: .terminal).text(on: Terminal(width: width))
  }

  package var markdown: String { parts(on: .page).markdown }
}

/// One part of a report for people, independent of a format.
package enum Part {
  /// The sentence with the main result. A terminal never cuts it.
  case headline(String)
  case heading(String)
  case paragraph(String)
  case table(Table)
  /// Short statements, one per line.
  case statements([Statement])
  /// Short statements that a page unfolds on demand.
  case details(title: String, items: [String])
  case picture(Picture)

  /// One of several statements, optionally with a verdict's word in front.
  package struct Statement {
    var verdict = ""
    var tone: Tone?
    var words: String

    var text: String { (verdict.isEmpty ? "" : "\(verdict): ") + words }
  }

  /// A picture: lines of characters for a terminal, and markup for a page, which has title and legend.
  package struct Picture: Sendable {
    let title: String
    let lines: @Sendable (Terminal) -> [String]
    let legend: String
    let page: String
  }

  static func list(_ items: [String]) -> Part {
    .statements(items.map { Statement(words: $0) })
  }

  /// Returns items under a title, or empty if there are no items.
  static func list(_ title: String, _ items: [String]) -> [Part] {
    items.isEmpty ? [] : [.heading(title), .list(items)]
  }

  /// Returns lines for a terminal, ending in a line break.
  func text(on terminal: Terminal) -> String {
    let width = terminal.width
    return switch self {
    case .headline(let text), .heading(let text), .paragraph(let text):
      Self.joined(text.displayable.wrapped(to: width))
    case .table(let table): Self.joined(table.text(on: terminal))
    case .statements(let items):
      Self.joined(
        items.flatMap { item in
          let lines = "• \(item.text.displayable)".wrapped(to: width, indent: 2)
          let start = "• \(item.verdict)"
          guard let first = lines.first, first.hasPrefix(start) else { return lines }
          return ["• " + terminal.painted(item.verdict, item.tone) + first.dropFirst(start.count)]
            + lines.dropFirst()
        })
    case .details(let title, let items):
      Part.paragraph(title).text(on: terminal) + "\n" + Part.list(items).text(on: terminal)
    case .picture(let picture):
      Self.joined(
        picture.title.wrapped(to: width) + [""] + picture.lines(terminal) + [""]
          + picture.legend.wrapped(to: width))
    }
  }

  /// GitHub-flavoured Markdown, ending in a line break.
  var markdown: String {
    switch self {
    case .headline(let text): Self.joined(["# " + text.markdownEscaped])
    case .heading(let title): Self.joined(["## " + title.markdownEscaped])
    case .paragraph(let text): Self.joined([text.markdownEscaped])
    case .table(let table): Self.joined(table.markdown)
    case .statements(let items): Self.joined(items.map { "- " + $0.text.markdownEscaped })
    case .details(let title, let items):
      // Without blank lines GitHub would treat the list as more HTML.
      Self.joined(["<details>", "<summary>\(title.markupEscaped)</summary>", ""])
        + Part.list(items).markdown + Self.joined(["", "</details>"])
    case .picture(let picture):
      // No name may end the block of code.
      Self.joined(
        ["## " + picture.title.markdownEscaped, "", "```text"]
          + picture.lines(Terminal(width: 80)).map { $0.replacing("`", with: "'") }
          + ["```", "", picture.legend.markdownEscaped])
    }
  }

  private static func joined(_ lines: [String]) -> String {
    lines.joined(separator: "\n") + "\n"
  }
}

extension [Part] {
  /// Returns the parts for a terminal. Its width is limited to the supported range, unless it is
  /// unlimited.
  func text(on terminal: Terminal) -> String {
    var terminal = terminal
    let most = terminal.width == Terminal.unlimitedWidth ? terminal.width : Terminal.mostWidth
    terminal.width = Swift.min(Swift.max(terminal.width, Terminal.leastWidth), most)
    return map { $0.text(on: terminal) }.joined(separator: "\n")
  }

  var markdown: String { map(\.markdown).joined(separator: "\n") }
}

/// The medium that a report is read on.
package enum Medium {
  /// A terminal, where text soon scrolls away: it shows little, and points to the rest.
  case terminal
  /// A page, which has room for everything.
  case page
}

/// The properties of a terminal.
package struct Terminal: Sendable {
  /// The width if the terminal's own is unknown, in columns.
  package static let usualWidth = 100
  /// The longest line on a wide terminal: text in longer ones is hard to read.
  package static let mostWidth = 140
  /// A width at which everything fits.
  package static let unlimitedWidth = 1_000_000
  /// The narrowest terminal that tables are made for, in columns.
  package static let leastWidth = 60

  var width = usualWidth
  var hasColours = false

  /// Returns a text with ECMA-48 colour codes, if the terminal has colours. Measure widths without codes.
  func painted(_ text: String, _ tone: Tone?) -> String {
    guard hasColours, let tone else { return text }
    return "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m"
  }
}

/// How good a verdict is, as an ECMA-48 colour: red, green or yellow.
enum Tone: Int, Sendable {
  case bad = 31
  case good
  case open
}

extension Verdict {
  /// The tone of the verdict, or nil if it is neutral.
  var tone: Tone? {
    switch self {
    case .regressed, .missing, .belowFloor, .overLimit: .bad
    case .improved: .good
    case .inconclusive: .open
    case .new, .unchanged: nil
    }
  }
}

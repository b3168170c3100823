import BenchAnalysis

/// What people read, in no format yet.
package protocol Readable {
  func parts(on medium: Medium) -> [Part]
}

extension Readable {
  package func text(width: Int) -> String {
    parts(on: .terminal).text(on: Terminal(width: width))
  }

  package var markdown: String { parts(on: .page).markdown }
}

/// One part of a report that people read, in no format yet.
package enum Part {
  /// The sentence that says it all: a terminal never cuts it.
  case headline(String)
  case heading(String)
  case paragraph(String)
  case table(Table)
  /// Short statements, one a line.
  case statements([Statement])
  /// Short statements that a page unfolds on demand.
  case details(title: String, items: [String])

  /// One of several, which a verdict may stand before.
  package struct Statement {
    var verdict: Verdict?
    var words: String

    var text: String { (verdict.map { "\($0.id): " } ?? "") + words }
  }

  static func list(_ items: [String]) -> Part {
    .statements(items.map { Statement(words: $0) })
  }

  /// Items under a title; nothing of none.
  static func list(_ title: String, _ items: [String]) -> [Part] {
    items.isEmpty ? [] : [.heading(title), .list(items)]
  }

  /// Lines for a terminal, ending in a line break.
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
          guard let verdict = item.verdict, let first = lines.first else { return lines }
          let word = "• \(verdict.id)"
          return ["• " + terminal.painted(verdict.id, verdict.tone) + first.dropFirst(word.count)]
            + lines.dropFirst()
        })
    case .details(let title, let items):
      Part.paragraph(title).text(on: terminal) + "\n" + Part.list(items).text(on: terminal)
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
  /// The parts for a terminal: one of fewer columns than the least is taken for that, one of more than the most
  /// likewise, unless nothing limits it.
  func text(on terminal: Terminal) -> String {
    var terminal = terminal
    let most = terminal.width == Terminal.unlimitedWidth ? terminal.width : Terminal.mostWidth
    terminal.width = Swift.min(Swift.max(terminal.width, Terminal.leastWidth), most)
    return map { $0.text(on: terminal) }.joined(separator: "\n")
  }

  var markdown: String { map(\.markdown).joined(separator: "\n") }
}

/// What a report is read on.
package enum Medium {
  /// A terminal, where what is far up is lost: little is shown, and the rest pointed to.
  case terminal
  /// A page, which has room for all.
  case page
}

/// What a terminal shows.
package struct Terminal: Sendable {
  /// The widest line where nobody says how wide the terminal is, in columns.
  package static let usualWidth = 100
  /// The widest line of a wide terminal: text in longer ones is hard to read.
  package static let mostWidth = 140
  /// So many columns that everything has room.
  package static let unlimitedWidth = 1_000_000
  /// The narrowest terminal that the tables are made for, in columns.
  package static let leastWidth = 60

  var width = usualWidth
  var hasColours = false
  var hasBars = false

  /// A text in a colour, by the codes of ECMA-48, where there are colours: no width may count a code.
  func painted(_ text: String, _ tone: Tone?) -> String {
    guard hasColours, let tone else { return text }
    return "\u{1b}[\(tone.rawValue)m\(text)\u{1b}[0m"
  }
}

/// How good a verdict is, as the colour that says so: red, green and yellow of ECMA-48.
enum Tone: Int, Sendable {
  case bad = 31
  case good
  case open
}

extension Verdict {
  /// Nil of one that is neither.
  var tone: Tone? {
    switch self {
    case .regressed, .missing, .belowFloor: .bad
    case .improved: .good
    case .inconclusive: .open
    case .new, .unchanged: nil
    }
  }
}

import BenchAnalysis

/// Tables for a terminal; what has no room is named.
package struct TableReporter: Reporter {
  /// The widest line where nobody says how wide the terminal is, in columns.
  package static let width = 100
  /// The widest line of a wide terminal: text in longer ones is hard to read.
  package static let mostWidth = 140
  /// So many columns that everything has room.
  package static let unlimitedWidth = 1_000_000
  /// The narrowest terminal that the tables are made for, in columns.
  package static let leastWidth = 60

  private let width: Int
  private let hasColours: Bool
  private let hasBars: Bool

  /// Makes the reporter for a terminal of so many columns, at least ``leastWidth``; with verdicts in
  /// colour where it has colours, and with bars where it has block characters.
  package init(width: Int = width, hasColours: Bool = false, hasBars: Bool = false) {
    (self.width, self.hasColours, self.hasBars) = (width, hasColours, hasBars)
  }

  package var id: String { "table" }
  package var summary: String { "tables as wide as the terminal, units scaled for people" }

  /// The report as lines of text.
  package func render(_ report: Report) -> String {
    let parts = ReportDocument.parts(of: report, on: .terminal)
    let text = (hasBars ? parts : parts.map(\.withoutBars)).text(width: width)
    return hasColours ? VerdictColours.painted(text) : text
  }
}

/// Verdicts in a terminal's colours. They are painted over the finished text, so that no width ever
/// counts a code.
enum VerdictColours {
  /// The codes of ECMA-48 for red, green and yellow.
  private static let codes = [
    "regressed": 31, "missing": 31, "below-floor": 31, "improved": 32, "inconclusive": 33,
  ]

  /// The text with every word that is a verdict in its colour.
  static func painted(_ text: String) -> String {
    var (result, word) = ("", "")
    func end() {
      result += codes[word].map { "\u{1b}[\($0)m\(word)\u{1b}[0m" } ?? word
      word = ""
    }
    for character in text {
      if character.isLetter || character == "-" {
        word.append(character)
      } else {
        end()
        result.append(character)
      }
    }
    end()
    return result
  }
}

/// Tables as GitHub renders them, the worst regressions first.
package struct MarkdownReporter: Reporter {
  package init() {}

  package var id: String { "markdown" }
  package var fileName: String? { "report.md" }
  package var summary: String { "tables for GitHub, regressions first" }

  /// The report in GitHub-flavoured Markdown.
  package func render(_ report: Report) -> String {
    ReportDocument.parts(of: report, on: .page).markdown
  }
}

import Basics
import BenchAnalysis
import Foundation

/// A picture of figures with all that makes it readable to whoever cannot see it: what it is, what to see in it,
/// and the figures themselves.
package struct Chart: Sendable {
  /// What `--chart` calls it: `phases`, or `2-phases` of the second group.
  package let name: String
  let title: String
  /// What to see, one sentence or two, written from the data.
  let sentence: String
  let drawing: DrawingText
  let table: ChartTable

  init(_ name: String, title: String, sentence: String, _ drawing: Drawing, table: ChartTable) {
    self.name = Self.plain(name)
    (self.title, self.sentence, self.table) = (title, sentence, table)
    self.drawing = DrawingText(body: drawing.body, height: drawing.height)
  }

  /// A name that can be linked to, and that no other has: a phase's id may hold anything.
  static func plain(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        String(UnicodeScalar(byte))
      default: "_" + byte.hexadecimal
      }
    }.joined()
  }

  /// The same by another name.
  func named(_ name: String) -> Chart {
    Chart(name: name, title: title, sentence: sentence, drawing: drawing, table: table)
  }

  private init(
    name: String, title: String, sentence: String, drawing: DrawingText, table: ChartTable
  ) {
    (self.name, self.title, self.sentence) = (name, title, sentence)
    (self.drawing, self.table) = (drawing, table)
  }

  /// The picture as a file of its own, which looks the same wherever it is shown, in light and in dark.
  package var file: String {
    svg(
      attributes:
        "xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Int(Drawing.width))\" height=\"\(Int(drawing.height))\"",
      inside: "<style>\(ChartStyle.variables)\n\(ChartStyle.rules)\n"
        + ".chart .ground { fill: var(--ground); }</style>\n"
        + "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n") + "\n"
  }

  /// The picture in a page, with its sentence and its figures.
  var figure: String { figure(withValues: true) }

  /// The same.
  ///
  /// - Parameter withValues: Whether a figure is told whole beside its three digits, for whoever reads pages by
  ///   program.
  func figure(withValues: Bool) -> String {
    """
    <figure class="figure" id="chart-\(name)">
    <figcaption>\(title.markupEscaped)</figcaption>
    \(svg(attributes: "", inside: ""))
    <p>\(sentence.markupEscaped)</p>
    <details><summary>The figures of this chart</summary>
    \(table.html(label: title, withValues: withValues))
    </details>
    </figure>
    """
  }

  private func svg(attributes: String, inside: String) -> String {
    let box = "0 0 \(Int(Drawing.width)) \(Int(drawing.height.rounded(.up)))"
    return """
      <svg class="chart" viewBox="\(box)" role="img" aria-labelledby="title-\(name) text-\(name)"\(attributes.isEmpty ? "" : " " + attributes)>
      <title id="title-\(name)">\(title.markupEscaped)</title>
      <desc id="text-\(name)">\(sentence.markupEscaped)</desc>
      \(inside)\(drawing.body)
      </svg>
      """
  }

  /// A finished drawing.
  struct DrawingText: Sendable {
    let body: String
    let height: Double
  }
}

/// The figures of a chart, or of a page: one header a column, numbers to the right.
struct ChartTable: Sendable {
  /// A figure as it is read, and by what it is sorted.
  struct Value: Sendable, ExpressibleByStringLiteral {
    let text: String
    /// Nil of words.
    let number: Double?

    init(_ text: String, _ number: Double? = nil) { (self.text, self.number) = (text, number) }
    init(stringLiteral text: String) { self.init(text) }
  }

  let columns: [String]
  let rows: [[Value]]

  /// The table in a page.
  func html(label: String, withValues: Bool) -> String {
    // A column of numbers is one whatever is missing in it.
    let areNumbers = columns.indices.map { place in
      place > 0 && rows.contains { $0[place].number != nil }
    }
    return HTMLTable.text(
      head: zip(columns, areNumbers).map { (title: $0, isNumber: $1) },
      rows: rows.map { row in
        zip(row, areNumbers).map { value, isNumber in
          HTMLTable.Cell(
            html: value.text.markupEscaped, isNumber: isNumber,
            value: withValues ? value.number?.finite : nil)
        }
      }, label: label, isSortable: false)
  }
}

import Basics
import BenchAnalysis

/// A picture of figures that can also be read without seeing it: it has a title, a sentence on what
/// to see, and the figures themselves.
package struct Chart: Sendable {
  /// The name that `--chart` takes: `phases`, or `2-phases` for the second group.
  package private(set) var name: String
  let title: String
  /// One or two sentences on what to see.
  let sentence: String
  let drawing: Drawing
  let table: Table

  /// Describes the range of sorted figures and their owners: `from 1 ms with a to 2 ms with b`.
  static func span(_ figures: [(name: String, text: String)]) -> String {
    guard let first = figures.first, let last = figures.last else { return "" }
    return first.text == last.text
      ? "\(first.text) with \(Wording.list(figures.map(\.name)))"
      : "from \(first.text) with \(first.name) to \(last.text) with \(last.name)"
  }

  /// Returns a unique name that can be linked to, because a phase's id may contain any character.
  static func plain(_ name: String) -> String {
    let plain: [ClosedRange<Unicode.Scalar>] = ["0"..."9", "A"..."Z", "a"..."z", "-"..."-"]
    return name.percentEncoded { scalar in !plain.contains { $0.contains(scalar) } }
      .replacing("%", with: "_")
  }

  func named(_ name: String) -> Chart {
    var chart = self
    chart.name = name
    return chart
  }

  /// The chart as a separate file, under its title. It looks the same everywhere, light and dark.
  package var file: String {
    var head = Drawing()
    let lines = title.displayable.wrapped(to: Int(Drawing.width / Drawing.width(of: "n")) - 4)
    for (number, line) in lines.enumerated() {
      head.text(line, 8, 14 + 14 * Double(number), style: "strong")
    }
    let height = 8 + 14 * lines.count
    return svg(
      Int(drawing.height.rounded(.up)) + height,
      """
      <style>\(ChartStyle.rules)\
      .chart .ground { fill: var(--ground); }</style>
      <rect class="ground" width="100%" height="100%"/>
      \(head.body)
      <g transform="translate(0 \(height))">
      \(drawing.body)
      </g>
      """) + "\n"
  }

  var figure: String {
    """
    <figure class="figure" id="chart-\(name)">
    <figcaption>\(title.markupEscaped)</figcaption>
    \(svg(Int(drawing.height.rounded(.up)), drawing.body))
    <p>\(sentence.markupEscaped)</p>
    <details><summary>The figures of this chart</summary>
    \(table.html(label: title, isSortable: false))
    </details>
    </figure>
    """
  }

  private func svg(_ height: Int, _ body: String) -> String {
    let width = Int(Drawing.width)
    return """
      <svg class="chart" xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title-\(name) text-\(name)">
      <title id="title-\(name)">\(title.markupEscaped)</title>
      <desc id="text-\(name)">\(sentence.markupEscaped)</desc>
      \(body)
      </svg>
      """
  }
}

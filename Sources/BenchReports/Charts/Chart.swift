import Basics
import BenchAnalysis

/// A picture of figures with all that makes it readable to whoever cannot see it: what it is, what to see in it,
/// and the figures themselves.
package struct Chart: Sendable {
  /// What `--chart` calls it: `phases`, or `2-phases` of the second group.
  package private(set) var name: String
  let title: String
  /// What to see, one sentence or two, written from the data.
  let sentence: String
  let drawing: Drawing
  let table: Table

  /// From the least to the most of sorted figures, and whose they are: `from 1 ms with a to 2 ms with b`.
  static func span(_ figures: [(name: String, text: String)]) -> String {
    guard let first = figures.first, let last = figures.last else { return "" }
    return first.text == last.text
      ? "\(first.text) with \(Wording.list(figures.map(\.name)))"
      : "from \(first.text) with \(first.name) to \(last.text) with \(last.name)"
  }

  /// A name that can be linked to, and that no other has: a phase's id may hold anything.
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

  /// The picture as a file of its own, under its title, which looks the same wherever it is shown, in light and in dark.
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

import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// The first picture of a comparison: how far each judged cost may have moved, next to the band in which it is the
/// same. Costs whose intervals reach furthest up come first. A page has a chart, and other media have characters.
struct RatioChart: Sendable {
  /// The rows that are drawn.
  let rows: [ReportRow]
  /// The number of rows that are not drawn, because they matter least.
  let rest: Int
  /// The ratio at the ticks. An interval that reaches further than ``reach`` ends in an arrow.
  let tick: Double

  /// The most rows that are drawn.
  private static let most = 40
  /// The half width of the axis, as a natural logarithm.
  var reach: Double { 1.2 * log(tick) }

  /// Draws one row for each cost. Returns nil if none has an interval.
  init?(_ costs: [ReportRow]) {
    let extents = costs.compactMap(\.comparison?.interval).map { max(log($0.high), -log($0.low)) }
      .sorted()
    guard !extents.isEmpty else { return nil }
    // Half of the intervals are whole, and so are proven changes of up to 20 %: wider ones would squeeze the others.
    let proven = costs.filter(\.isProven).compactMap { $0.comparison?.ratio }.map { abs(log($0)) }
    let usual = max(extents[extents.count / 2], min(proven.max() ?? 0, log(1.2)))
    tick = [1.05, 1.1, 1.2].first { log($0) >= usual } ?? 1.5
    let ordered = costs.enumerated().sorted {
      ($0.element.upperEnd, -$0.offset) > ($1.element.upperEnd, -$1.offset)
    }.map(\.element)
    // What is proven is drawn, however little it moved.
    let kept = (ordered.filter(\.isProven) + ordered).map(\.series.key).distinct.prefix(Self.most)
    rows = ordered.filter { kept.contains($0.series.key) }
    rest = ordered.count - rows.count
  }

  var title: String { "Changes of \(Wording.plural(rows.count + rest, "cost")), worst first" }

  var chart: Chart {
    Chart(
      name: "ratios", title: title,
      sentence:
        "A whisker is the 95 % interval of a change, or the middle 80 % of alike pairs. Its mark is"
        + " the estimate, the band ±2 %. Right is slower. An arrow means that the interval goes on.",
      drawing: drawing, table: table)
  }

  /// The names of the rows in aligned columns. The menu, the workload and the durability are only there if they differ.
  var names: [String] {
    let sites: [KeyPath<Cell, String>] = [\.menu, \.workload, \.durability]
    let telling = sites.filter { site in Set(rows.map { $0.cell[keyPath: site] }).count > 1 }
    let parts = rows.map { row -> [String] in
      let places = telling.map { row.cell[keyPath: $0] }
      return ([row.cell.backend] + places + [row.phase, row.metric.title]).map(\.displayable)
    }
    let widths = (parts.first ?? []).indices.map { place in
      parts.map { $0[place].displayWidth }.max() ?? 0
    }
    return parts.map { zip($0, widths).map { $0.padded(to: $1) }.joined(separator: " ") }
  }

  /// Describes a row: `slower, +5.9 % (4.9–6.9), 52 pairs`, in short `slower, +5.9 %`.
  static func words(_ row: ReportRow, isShort: Bool) -> String {
    let word = row.moved.map { Wording.verdict($0, row.metric) } ?? ""
    guard row.isProven, let comparison = row.comparison, let ratio = comparison.ratio,
      let interval = comparison.interval
    else { return word }
    if isShort { return "\(word), \(Wording.shift(ratio))" }
    let pairs = comparison.pairs.map { ", \(Wording.plural($0, "pair"))" } ?? ""
    return "\(word), \(Wording.shift(ratio, within: interval))\(pairs)"
  }

  private var drawing: Drawing {
    RowPlot(
      axis: { Axis(linearOver: -reach...reach, from: $0, to: $1) }, origin: 0,
      band: log(Wording.same.low)...log(Wording.same.high), ticks: [-log(tick), 0, log(tick)],
      rows: zip(rows, names).map { row, name in
        let styles: [Verdict?: String] = [
          .regressed: "fill5", .improved: "fill2", .unchanged: "fill7",
        ]
        let style = styles[row.moved] ?? "fill3"
        return RowPlot.Row(
          name: name, isStrong: row.moved == .regressed,
          lanes: [
            RowPlot.Lane(
              mark: row.comparison?.ratio.map {
                (Drawing.Mark.diamond, style, log($0), "\(row.name): \(row.movement)")
              },
              interval: row.comparison?.interval.map { $0.map { log($0) } },
              text: Self.words(row, isShort: true))
          ])
      }, tick: { Wording.shift(exp($0)) }
    ).drawing
  }

  private var table: Table {
    Table(
      columns: ["row", "verdict", "ratio", "interval", "baseline", "now"],
      rows: rows.map { row in
        [
          Table.Cell(row.name), Table.Cell(Self.words(row, isShort: true)),
          Table.Cell(row.changeText, row.comparison?.ratio), Table.Cell(row.intervalText),
          Table.Cell(row.baselineText), Table.Cell(row.nowText),
        ]
      })
  }
}

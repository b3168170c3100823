import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// A series over time: a point a run, a bar a level, a broken line where it changed.
enum TrendChart {
  /// Of more runs than these their intervals would be one grey area.
  private static let mostIntervals = 60

  static func chart(_ trend: Trend, _ findings: [HistoryReport.Finding], name: String) -> Chart {
    Chart(
      name, title: "\(trend.key.name)\(HistoryDocument.part(trend))",
      sentence: sentence(trend, findings), drawing(trend), table: table(trend))
  }

  private static func drawing(_ trend: Trend) -> Drawing {
    var drawing = Drawing()
    let (right, top, bottom) = (352.0, 6.0, 186.0)
    let unit = trend.key.metric.unit
    let intervals = hidesIntervals(trend) ? [] : trend.points.map(\.figure.interval)
    let values =
      trend.points.map(\.figure.p50) + intervals.compactMap { $0?.low }
      + intervals.compactMap { $0?.high }
    let y =
      trend.key.metric.isExact
      ? exactAxis(values, from: bottom, to: top)
      : values.allSatisfy { $0 > 0 }
        ? Axis(logarithmicOver: values, from: bottom, to: top)
        : Axis(linearTo: values.max() ?? 1, from: bottom, to: top)
    let names = y.ticks().map { Wording.value($0, unit) }
    // Ticks that three digits do not tell apart have all of theirs.
    let isClose = trend.key.metric.isExact && names.distinct.count < names.count
    let left = isClose ? 84.0 : 56
    // As far from each other as runs are, not as days are: a week without a run tells nothing.
    let step = (right - left) / Double(trend.points.count)
    func edge(_ place: Int) -> Double { left + Double(place) * step }
    func x(_ place: Int) -> Double { edge(place) + step / 2 }
    drawing.verticalAxis(y, left: left, right: right) {
      isClose ? Wording.count($0) + (unit == .bytes ? " B" : "") : Wording.value($0, unit)
    }
    for (place, interval) in intervals.enumerated() {
      guard let interval else { continue }
      let (low, high) = (y.place(interval.low), y.place(interval.high))
      drawing.line(x(place), low, x(place), high, style: "whisker")
    }
    for level in trend.levels {
      let (start, end) = (edge(level.places.lowerBound), edge(level.places.upperBound))
      drawing.line(start, y.place(level.middle), end, y.place(level.middle), style: "middle")
    }
    for change in trend.changes {
      drawing.line(edge(change.place), top, edge(change.place), bottom, style: "frontier")
    }
    drawing.dots(
      trend.points.enumerated().map { (x($0), y.place($1.figure.p50)) }, style: "runs")
    if let first = trend.points.first?.run, let last = trend.points.last?.run {
      let (start, end) = (HistoryDocument.moment(first), HistoryDocument.moment(last))
      // Under their points, as far as there is room.
      let room = Drawing.width(ofSmall: start) / 2
      drawing.text(
        start, max(x(0), left + room), bottom + 14, anchor: .middle, style: "small")
      // Of one minute it would be said twice.
      if end != start {
        drawing.text(
          end, min(x(trend.points.count - 1), right - room), bottom + 14, anchor: .middle,
          style: "small")
      }
    }
    drawing.height = bottom + 20
    return drawing
  }

  /// Over what an exact series has: each step of it is one, however small beside the whole.
  private static func exactAxis(_ values: [Double], from start: Double, to end: Double) -> Axis {
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    guard high > low else { return Axis(linearTo: high, from: start, to: end) }
    let room = (high - low) / 10
    return Axis(linearOver: low - room...high + room, from: start, to: end)
  }

  /// Whether it has intervals that are not drawn.
  private static func hidesIntervals(_ trend: Trend) -> Bool {
    trend.points.count > mostIntervals && trend.points.contains { $0.figure.interval != nil }
  }

  private static func sentence(_ trend: Trend, _ findings: [HistoryReport.Finding]) -> String {
    let text = answer(trend, findings)
    guard hidesIntervals(trend) else { return text }
    return text
      + " Of more than \(mostIntervals) runs no intervals are drawn; the figures have them."
  }

  private static func answer(_ trend: Trend, _ findings: [HistoryReport.Finding]) -> String {
    let metric = trend.key.metric
    let runs = Wording.plural(trend.points.count, "run")
    let last = Wording.value(trend.levels.last?.middle ?? 0, metric.unit)
    guard trend.points.count >= Trend.fewestRuns else {
      let tell = trend.points.count == 1 ? "tells" : "tell"
      return "It is at \(last). \(runs) \(tell) no change: it takes \(Trend.fewestRuns)."
    }
    guard !findings.isEmpty else {
      guard let ends = Interval(of: trend.points.map(\.figure.p50)), ends.width > 0 else {
        return "It stayed at \(last) in \(runs)."
      }
      let (low, high) = Wording.values(ends.low, ends.high, metric.unit)
      let range = low == high ? "" : ", from \(low) to \(high)"
      return "No change is told in \(runs)\(range) around \(last)."
    }
    let words = findings.map { finding in
      if case .creep = finding.kind { return "It crept: \(HistoryDocument.words(finding))." }
      return "It became \(HistoryDocument.words(finding))."
    }
    return words.joined(separator: " ")
  }

  private static func table(_ trend: Trend) -> ChartTable {
    let unit = trend.key.metric.unit
    let levels = trend.levels.enumerated().flatMap { number, level in
      level.places.map { _ in number + 1 }
    }
    return ChartTable(
      columns: ["began", "revision", "figure", "interval", "level"],
      rows: zip(trend.points, levels).map { point, level in
        let (run, figure) = (point.run, point.figure)
        let interval = figure.interval.map {
          "\(Wording.value($0.low, unit))–\(Wording.value($0.high, unit))"
        }
        return [
          ChartTable.Value(HistoryDocument.moment(run)),
          ChartTable.Value(run.revision ?? TextTable.unknown),
          ChartTable.Value(Wording.value(figure.p50, unit), figure.p50),
          ChartTable.Value(interval ?? TextTable.unknown),
          ChartTable.Value("\(level)", Double(level)),
        ]
      })
  }
}

extension HistoryDocument {
  /// How many series a page draws, those that changed first, then times: each has all its runs in it.
  private static let mostCharts = 24

  /// The history as one page: what changed, the series drawn, all of them as tables.
  var page: String {
    let ranks = report.trends.grouped { trend in
      trend.isChanged ? 0 : trend.key.metric.id == Metric.wall.id ? 1 : 2
    }.sorted { $0.key < $1.key }
    let series = ranks.flatMap { rank, trends in
      // Of what changed first what got worse, and what did most.
      rank > 0 ? trends : trends.sorted { $0.harm > $1.harm }
    }
    let findings = report.findings
    let charts = series.prefix(Self.mostCharts).enumerated().map { number, trend in
      TrendChart.chart(
        trend, findings.filter { $0.trend.isSame(as: trend) }, name: "trend-\(number + 1)")
    }
    let names = Dictionary(charts.map { ($0.title, $0.name) }) { first, _ in first }
    let rest = series.count - charts.count
    let pointer =
      rest > 0
      ? "<p>\(Wording.count(rest)) more series are in the tables alone: "
        + "name some to have them drawn.</p>" : ""
    return HTMLPage(
      title: "History",
      sections: [
        HTMLPage.Section(id: "answer", title: nil, body: answer(on: .page).html),
        HTMLPage.Section(
          id: "charts", title: "Trends",
          body: HTMLPage.words(oneProcess: false)
            + "\n<p>A point is a run, the line through it its interval, a bar the median of a level, a broken line "
            + "a change.</p>\n"
            + "<div class=\"figures\">\n\(charts.map(\.figure).joined(separator: "\n"))\n</div>"
            + pointer),
        HTMLPage.Section(
          id: "figures", title: "Series",
          body: HTMLPage.filter
            + self.series(on: .page, true).html { cell in
              guard cell.column == "phase" else { return nil }
              // The cell above the table, then phase and metric: the series' name.
              let name = ([cell.heading] + cell.row.prefix(2)).joined(separator: "/")
              return names[name].map { "#chart-\($0)" }
            }),
      ]
    ).text
  }
}

extension Trend {
  /// By what factor it got worse with its changes, in logarithms: below 0 where it got better.
  fileprivate var harm: Double {
    guard let ratio, ratio > 0, ratio.isFinite else { return isChanged ? .infinity : 0 }
    return key.metric.better == .lower ? log(ratio) : -log(ratio)
  }

  /// Whether it is the same series.
  fileprivate func isSame(as other: Trend) -> Bool {
    key == other.key && number == other.number
  }
}

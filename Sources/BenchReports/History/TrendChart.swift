import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// A series over time: one point per run, one bar per level, a broken line at each change.
enum TrendChart {
  static func chart(_ trend: Trend, _ findings: [HistoryReport.Finding], name: String) -> Chart {
    Chart(
      name: name, title: HistoryDocument.title(trend), sentence: sentence(trend, findings),
      drawing: drawing(trend), table: table(trend))
  }

  private static func drawing(_ trend: Trend) -> Drawing {
    var drawing = Drawing()
    let (right, top, bottom) = (352.0, 8.0, 188.0)
    let unit = trend.key.metric.unit
    let y = axis(trend, from: bottom, to: top)
    // If three digits do not tell the ticks apart, they get all their digits.
    let names = y.ticks().map { Wording.value($0, unit) }
    let isClose = trend.key.metric.isExact && names.distinct.count < names.count
    let left = isClose ? 84.0 : 56
    // Runs have equal distances, whatever their dates: a week without a run says nothing.
    let step = (right - left) / Double(trend.points.count)
    func edge(_ place: Int) -> Double { left + Double(place) * step }
    func x(_ place: Int) -> Double { edge(place) + step / 2 }
    drawing.verticalAxis(y, left: left, right: right) {
      isClose ? Wording.count($0) + (unit == .bytes ? " B" : "") : Wording.value($0, unit)
    }
    let intervals = trend.points.enumerated().compactMap { place, point in
      point.figure.interval.map { [(x(place), y.place($0.low)), (x(place), y.place($0.high))] }
    }
    drawing.lines(through: intervals, style: "interval")
    let levels = trend.levels.map { level in
      [level.places.lowerBound, level.places.upperBound].map { (edge($0), y.place(level.middle)) }
    }
    drawing.lines(through: levels, style: "middle")
    let changes = trend.changes.filter(\.isSudden).map { edge($0.places.lowerBound) }
    drawing.lines(through: changes.map { [($0, top), ($0, bottom)] }, style: "broken")
    drawing.dots(
      trend.points.enumerated().map { (x($0), y.place($1.figure.p50)) }, style: "runs")
    // Names stand below their points. Two runs of the same minute share one.
    let ends = [trend.points.first, trend.points.last].compactMap { $0?.run }
    for (place, name) in ends.map(HistoryDocument.moment).distinct.enumerated() {
      drawing.text(
        name, place == 0 ? left : right, bottom + 14, anchor: place == 0 ? .start : .end,
        style: "small")
    }
    drawing.height = bottom + 20
    return drawing
  }

  /// Returns the axis. For an exact series it covers only the values, so that every small step shows.
  private static func axis(_ trend: Trend, from start: Double, to end: Double) -> Axis {
    let figures = trend.points.map(\.figure)
    let values = figures.flatMap {
      [$0.p50, $0.interval?.low, $0.interval?.high].compactMap(\.self)
    }
    let (low, high) = (values.min() ?? 0, values.max() ?? 1)
    let (room, isExact) = ((high - low) / 10, trend.key.metric.isExact)
    if isExact && room > 0 {
      return Axis(linearOver: low - room...high + room, from: start, to: end)
    }
    return low > 0 && !isExact
      ? Axis(logarithmicOver: values, from: start, to: end)
      : Axis(linearTo: high, from: start, to: end)
  }

  private static func sentence(_ trend: Trend, _ findings: [HistoryReport.Finding]) -> String {
    let metric = trend.key.metric
    let runs = Wording.plural(trend.points.count, "run")
    let now = Wording.value(trend.now, metric.unit)
    guard trend.points.count >= trend.fewestRuns else {
      return "It is at \(now) in \(runs). A change takes \(trend.fewestRuns) runs to show."
    }
    guard !findings.isEmpty else {
      guard let ends = Interval(of: trend.points.map(\.figure.p50)), ends.width > 0 else {
        return "It stayed at \(now) in \(runs)."
      }
      let (low, high) = Wording.values(ends.low, ends.high, metric.unit)
      let range = low == high ? "" : ", from \(low) to \(high)"
      return "No change is found in \(runs)\(range). The newest is at \(now)."
    }
    let told = findings.prefix(3).map { "It became \(HistoryDocument.words($0))." }
    let rest = findings.count - told.count
    return (told + (rest > 0 ? ["Earlier changes: \(Wording.count(rest))."] : []))
      .joined(separator: " ")
  }

  private static func table(_ trend: Trend) -> Table {
    let unit = trend.key.metric.unit
    return Table(
      columns: ["began", "revision", "figure", "interval"],
      rows: trend.points.map { point in
        let (run, figure) = (point.run, point.figure)
        let interval = figure.interval.map { Wording.range($0, unit) }
        return [
          Table.Cell(HistoryDocument.moment(run)),
          Table.Cell(run.revision),
          Table.Cell(Wording.value(figure.p50, unit), figure.p50),
          Table.Cell(interval),
        ]
      })
  }
}

extension HistoryDocument {
  /// The most series that a page draws, changed ones first, then times: each contains all its runs.
  private static let mostCharts = 24

  /// The history as one page: the changes, charts of series, and all series as tables.
  var page: String {
    let ranks = report.trends.grouped { trend in
      trend.isChanged ? 0 : trend.key.metric.id == Metric.wall.id ? 1 : 2
    }.sorted { $0.key < $1.key }
    let series = ranks.flatMap { rank, trends in
      // Among changed series, the one that got worst comes first.
      rank > 0 ? trends : trends.sorted { $0.harm > $1.harm }
    }
    let findings = report.findings
    let charts = series.prefix(Self.mostCharts).enumerated().map { number, trend in
      TrendChart.chart(
        trend,
        findings.filter { $0.trend.key == trend.key && $0.trend.number == trend.number },
        name: "trend-\(number + 1)")
    }
    let names = Dictionary(charts.map { ($0.title, $0.name) }) { first, _ in first }
    let rest = series.count - charts.count
    let pointer =
      rest > 0
      ? "<p>Only in the tables: \(Wording.count(rest)) more series. Name some to draw them.</p>"
      : ""
    return HTMLPage(
      title: "History",
      sections: [
        .answer(answer(on: .page)),
        .charts(
          HTMLPage.words
            + "\n<p>A point is a run, and the line through it is its interval. "
            + "A bar is the median of a level, and a broken line is a change.</p>\n"
            + "<div class=\"figures\">\n\(charts.map(\.figure).joined(separator: "\n"))\n</div>"
            + pointer, title: "Trends"),
        .figures(
          self.series(on: .page).html { series in names[series].map { "chart-\($0)" } },
          title: "Series"),
      ]
    ).text
  }
}

extension Trend {
  /// The factor by which it got worse with its changes, as a logarithm: below 0 if it got better.
  fileprivate var harm: Double {
    guard let ratio, ratio > 0, ratio.isFinite else { return isChanged ? .infinity : 0 }
    return key.metric.better == .lower ? log(ratio) : -log(ratio)
  }
}

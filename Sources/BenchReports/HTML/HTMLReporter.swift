import Basics
import BenchAnalysis
import BenchResults

/// A run as one page in a single file: the answer, charts, tables, and how it was measured.
///
/// The page loads nothing. It is complete without script, which adds sorting and filtering.
package struct HTMLReporter: Reporter {
  private let graphs: [FlameGraph]

  /// - Parameter graphs: The flame graphs of phases that were profiled.
  package init(graphs: [FlameGraph] = []) { self.graphs = graphs }

  package var id: String { "html" }
  package var fileName: String? { "report.html" }
  package var summary: String { "a page with charts that needs no network" }

  package func render(_ report: Report) -> String {
    let charts = RunCharts.all(report)
    let isRun = report.comparison == nil
    let first = charts.first { $0.name == (isRun ? "phases" : "ratios") }
    let rest = charts.filter { $0.name != first?.name }
    let isAlone = first != nil && rest.isEmpty
    return HTMLPage(
      title: title(report), of: report.record,
      sections: [
        isRun
          ? summary(report, first)
          : .answer(VerdictSection(report: report, medium: .page).parts)
      ] + (isAlone ? [] : [.charts(rest.html)])
        + profiles(report) + [
          .figures(figures(report, charts)),
          // The summary of a run already includes the hints.
          .measured(report, isRun ? [] : ConclusionSection.hints(report, on: .page)),
        ]
    ).text
  }

  /// Returns the differences for rows that were profiled on both sides, then the separate profiles.
  private func profiles(_ report: Report) -> [HTMLPage.Section] {
    let changes = report.profiles.map { pair in
      FlameGraph(
        from: pair.old, to: pair.new, names: (old: "the baseline", new: "the candidate"),
        speed: pair.speed)
    }
    let body = (changes + graphs).map(\.embedded).joined(separator: "\n")
    return body.isEmpty ? [] : [.init(id: "profiles", title: "Time by function", body: body)]
  }

  private func title(_ report: Report) -> String {
    let cells = report.record.cells.map(\.cell)
    let names = [cells.map(\.backend), cells.map(\.menu), cells.map(\.workload)].map {
      Wording.list($0.distinct, most: 4)
    }
    let kind = report.comparison == nil ? "Run" : "Comparison"
    return cells.isEmpty ? kind : "\(kind): \(names.joined(separator: " · "))"
  }

  /// Returns the best of the first table, the table next to its chart, the best of the other tables
  /// folded away, and what to doubt.
  private func summary(_ report: Report, _ chart: Chart?) -> HTMLPage.Section {
    let best = report.groups.compactMap(Self.best)
    let (head, rest) = (Part.headline(best.first ?? "This run ranks no cost."), best.dropFirst())
    let table = report.groups.first.map {
      GlanceSection($0, failures: report.record.failures).parts
    }
    let others = Part.details(
      title: "The best of \(Wording.plural(rest.count, "more table"))", items: Array(rest))
    let after = (rest.isEmpty ? [] : [others]) + ConclusionSection.parts(report, on: .page)
    return HTMLPage.Section(
      id: "answer", title: "Summary",
      body: """
        \([head].html)
        <div class="first">
        <div>\((table ?? []).html { $0 == "phases" && chart != nil ? "chart-phases" : nil })</div>
        \(chart?.figure ?? "")
        </div>
        \(Self.next(report.record))
        \(after.html)
        """)
  }

  /// Returns the command to go on with, if the first menu can be named again and no name means more to a shell.
  private static func next(_ record: RunRecord) -> String {
    let backends = record.cells.map(\.cell.backend).distinct.joined(separator: ",")
    guard let menu = record.menus.first, menu.source.hasPrefix("generated: "),
      "\(backends)\(menu.name)".wholeMatch(of: /[\w@:=,.-]+/) != nil
    else { return "" }
    return "<p>Find out which functions take the time: "
      + "<code>bench profile --backend \(backends) --menu \(menu.name)</code></p>"
  }

  /// Returns `large · roundtrip at durability atomic: save is fastest with sqlite, 12.1 ms; …`, for example.
  private static func best(_ group: ReportGroup) -> String? {
    let parts = group.costs.flatMap { best($0.name, group.overview.filter(\.isRival)) }
    return parts.isEmpty ? nil : "\(ReportDocument.title(group)): \(parts.joined(separator: "; "))"
  }

  /// Returns `save is fastest with sqlite, 12.1 ms`, as far as that is known: nothing without figures, and one
  /// for those that flush each save and one for the others if these differ.
  private static func best(_ cost: String, _ rivals: [CostRow]) -> [String] {
    let withheld = rivals.filter { $0.withheld.contains(cost) }.map(\.backend)
    guard withheld.isEmpty else {
      return [
        "no backend is known to be best at \(cost): \(Wording.list(withheld)) "
          + "\(withheld.count == 1 ? "is" : "are") below a floor"
      ]
    }
    let figures = rivals.compactMap { row in row.costs[cost].map { (row.backend, $0) } }
      .filter { !$0.1.isHeld }.sorted { ($0.1.value, $0.0) < ($1.1.value, $1.0) }
    return figures.grouped { $0.1.isUnflushed }.map { best(cost, of: $0.elements) }
  }

  private static func best(_ cost: String, of figures: [(String, CostFigure)]) -> String {
    let first = figures[0]
    let time = CostText.value(first.1, .nanoseconds)
    guard figures.count > 1 else { return "\(cost) takes \(time) with \(first.0)" }
    let close = figures.dropFirst().filter { _, figure in
      first.1.isUnresolved ? figure.isUnresolved : figure.isClose || figure.value == first.1.value
    }.map(\.0)
    guard close.isEmpty else {
      return "\(cost) is too close to call between \(Wording.list([first.0] + close)), \(time)"
    }
    // Without an interval a storage might still be the best.
    return "\(cost) is fastest with \(first.0), \(time)"
      + (figures.contains { $0.1.hasFewBlocks } ? ", unproven: too few blocks" : "")
  }

  /// If there are more times, a page only has the phases of whole costs: all of them would take many MB.
  private static let fewTimes = 1_000

  /// Returns the groups' tables, in which a storage links to the chart of its phases.
  private func figures(_ report: Report, _ charts: [Chart]) -> String {
    let names = Set(charts.map(\.name))
    let isLarge =
      report.rows.count { $0.metric.id == Metric.wall.id && $0.series.isJudged } > Self.fewTimes
    let groups = report.groups.enumerated().map { index, group in
      ReportDocument.group(report, group, .page, withPhases: !isLarge).html { chart in
        let name = RunCharts.name(chart, ofGroup: index)
        return names.contains(name) ? "chart-\(name)" : nil
      }
    }
    let rest =
      isLarge && report.comparison == nil
      ? "<p>These tables have whole costs. For phases, see report.csv and the charts.</p>\n"
      : ""
    return rest + groups.joined(separator: "\n") + "\n"
      + ReachNote.parts(report.record).html
  }
}

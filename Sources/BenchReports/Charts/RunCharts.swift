import Basics
import BenchAnalysis
import BenchResults

/// The charts of a run, by the names by which one is asked for.
package enum RunCharts {
  /// Of more times than this a page has the phases of whole costs alone: with all of them it would have many MB.
  private static let fewTimes = 1_000

  /// Whether a page leaves out phases.
  static func isLarge(_ report: Report) -> Bool {
    report.rows.count { $0.metric.id == Metric.wall.id && $0.series.isJudged } > fewTimes
  }

  /// Those of a page, and of a large one how to draw what is not in it.
  static func html(_ report: Report, needs: NeedsSection? = nil) -> (charts: [Chart], html: String)
  {
    let all = all(report, needs: needs)
    guard isLarge(report) else { return (all, all.html(of: report.record)) }
    let aside = Set(
      report.groups.enumerated().flatMap(blocksAside) + (needs?.chartsOfOtherMenus ?? []))
    let charts = all.filter { !aside.contains($0.name) }
    let note = all.first { aside.contains($0.name) }.map { hidden in
      "<p>Blocks are drawn of whole costs' phases and of those that changed, scores with the first menu; others are "
        + "charts of their own: "
        + "<code>bench report RUN --format svg --chart \(hidden.name)</code>, say.</p>\n"
    }
    return (charts, (note ?? "") + charts.html(of: report.record, withValues: false))
  }

  /// The charts of blocks of phases that are in no whole cost and did not change.
  private static func blocksAside(_ index: Int, _ group: ReportGroup) -> [String] {
    let changed = group.rows.filter { [.regressed, .improved].contains($0.verdict) }.map(\.phase)
    let shown = Set(group.costs.flatMap(\.phases) + changed)
    return group.rows.map(\.phase).distinct.filter { !shown.contains($0) }
      .map { name(BlockChart.name(of: $0), ofGroup: index) }
  }

  /// In the order in which a page shows them; of several groups those of the second are called `2-phases`.
  package static func all(_ report: Report) -> [Chart] { all(report, needs: NeedsSection(report)) }

  /// The same of a page that has what the needs come to already, or has no place for it.
  private static func all(_ report: Report, needs: NeedsSection?) -> [Chart] {
    let ofGroups = report.groups.enumerated().flatMap { index, group in
      let charts =
        [PhaseChart.timeline(group), PhaseChart.chart(group)].compactMap(\.self)
        + ScatterChart.charts(group)
        + [
          StoreGrowthChart.chart(group), LatencyChart.chart(group),
          UtilisationChart.chart(group), FloorChart.chart(group),
        ]
        .compactMap(\.self)
        + BlockChart.charts(group, oneProcess: report.record.settings.oneProcess == true)
      return charts.map { $0.named(name($0.name, ofGroup: index)) }
    }
    // A curve along menus that were measured on unlike machines would be one of the machines.
    let growth =
      report.record.unlikeShards.isEmpty
      ? GrowthChart.charts(ScaleReport(of: report)) : []
    return [RatioChart.chart(report)].compactMap(\.self) + (needs?.charts ?? []) + growth + ofGroups
  }

  /// A chart's name among those of several groups: that of the first is not numbered.
  static func name(_ name: String, ofGroup index: Int) -> String {
    index == 0 ? name : "\(index + 1)-\(name)"
  }
}

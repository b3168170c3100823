import BenchAnalysis
import BenchResults

/// The charts of a run, by the names by which one is asked for.
package enum RunCharts {
  /// Of more groups than this a page has the phases of whole costs alone: with all of them it would have many MB.
  private static let fewGroups = 8

  static func isLarge(_ report: Report) -> Bool { report.groups.count > fewGroups }

  /// Those of a page, and of a large one what is not in it.
  static func html(_ report: Report) -> (charts: [Chart], html: String) {
    guard isLarge(report) else {
      let charts = all(report)
      return (charts, charts.html(of: report.record))
    }
    let charts = all(report, ofCosts: true)
    let note =
      "<p>Blocks are drawn of the phases of whole costs; "
      + "<code>bench report RUN --format svg --chart NAME</code> draws those of any other.</p>\n"
    return (charts, note + charts.html(of: report.record, withValues: false))
  }

  /// In the order in which a page shows them; of several groups those of the second are called `2-phases`.
  ///
  /// - Parameter isOfCosts: Whether blocks are drawn of the phases of whole costs alone.
  package static func all(_ report: Report, ofCosts isOfCosts: Bool = false) -> [Chart] {
    let ofGroups = report.groups.enumerated().flatMap { index, group in
      let charts =
        [PhaseChart.timeline(group), PhaseChart.chart(group)].compactMap(\.self)
        + ScatterChart.charts(group)
        + [
          StoreGrowthChart.chart(group), LatencyChart.chart(group),
          UtilisationChart.chart(group), FloorChart.chart(group),
        ]
        .compactMap(\.self)
        + BlockChart.charts(
          group, ofCosts: isOfCosts, oneProcess: report.record.settings.oneProcess == true)
      return charts.map { $0.named(name($0.name, ofGroup: index)) }
    }
    // A curve along menus that were measured on unlike machines would be one of the machines.
    let growth =
      report.record.unlikeShards.isEmpty
      ? GrowthChart.charts(ScaleReport(of: report)) : []
    return [RatioChart.chart(report)].compactMap(\.self) + growth + ofGroups
  }

  /// A chart's name among those of several groups: that of the first is not numbered.
  static func name(_ name: String, ofGroup index: Int) -> String {
    index == 0 ? name : "\(index + 1)-\(name)"
  }
}

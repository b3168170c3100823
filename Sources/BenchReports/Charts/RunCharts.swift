import BenchAnalysis

/// The charts of a run, by the names by which one is asked for.
package enum RunCharts {
  /// In the order in which a page shows them; of several groups those of the second are called `2-phases`.
  package static func all(_ report: Report) -> [Chart] {
    let ofGroups = report.groups.enumerated().flatMap { index, group in
      [PhaseChart.timeline(group), PhaseChart.chart(group), LatencyChart.chart(group)]
        .compactMap(\.self).map { $0.named(name($0.name, ofGroup: index)) }
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

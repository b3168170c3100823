import BenchAnalysis

/// The charts of a run, by the names that `--chart` takes.
package enum RunCharts {
  /// Returns the charts in the order of a page. In the second of several groups, names begin with `2-`.
  package static func all(_ report: Report) -> [Chart] {
    let ofGroups = report.groups.enumerated().flatMap { index, group in
      [PhaseChart.timeline(group), PhaseChart.chart(group), LatencyChart.chart(group)]
        .compactMap(\.self).map { $0.named(name($0.name, ofGroup: index)) }
    }
    // A curve over menus from unlike machines would show the machines.
    let growth =
      report.record.unlikeShards.isEmpty
      ? GrowthChart.charts(ScaleReport(of: report)) : []
    return [RatioChart(report.judgedCosts)?.chart].compactMap(\.self) + growth + ofGroups
  }

  /// Returns a chart's name among those of several groups. The first group's names have no number.
  static func name(_ name: String, ofGroup index: Int) -> String {
    index == 0 ? name : "\(index + 1)-\(name)"
  }
}

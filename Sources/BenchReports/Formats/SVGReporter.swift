import Basics
import BenchAnalysis

/// One chart of a run as a file of its own, for a document or a page.
package struct SVGReporter: Reporter {
  private let chart: String?

  /// Draws the chart of a name; the first one where nil.
  package init(chart: String? = nil) { self.chart = chart }

  package var id: String { "svg" }
  package var summary: String { "one chart, named by --chart" }

  /// - Throws: ``NoSuchChart``.
  package func render(_ report: Report) throws -> String {
    let charts = RunCharts.all(report)
    guard let found = chart.map({ name in charts.first { $0.name == name } }) ?? charts.first else {
      throw NoSuchChart(name: chart, known: charts.map(\.name))
    }
    return found.file
  }
}

/// The report has no chart of that name, or none at all.
struct NoSuchChart: UserFacingError, Equatable {
  let name: String?
  let known: [String]

  var message: String {
    known.isEmpty ? "the run has no figure to draw" : "the run has no chart '\(name ?? "")'"
  }
  var help: String? { known.isEmpty ? nil : "charts: \(known.joined(separator: ", "))" }
  var kind: FailureKind { known.isEmpty ? .unmeasured : .usage }
}

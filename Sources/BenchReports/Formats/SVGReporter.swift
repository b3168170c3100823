import Basics
import BenchAnalysis

/// One chart of a run as a separate file, for a document or a page.
package struct SVGReporter: Reporter {
  private let chart: String?

  /// Draws the chart of this name, or the first chart if nil.
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

/// The error if a report has no chart of that name, or no chart.
struct NoSuchChart: UserFacingError, Equatable {
  let name: String?
  let known: [String]

  var message: String {
    known.isEmpty ? "the run has no figure to draw" : "the run has no chart '\(name ?? "")'"
  }
  var help: String? { known.isEmpty ? nil : "charts: \(known.joined(separator: ", "))" }
  var kind: FailureKind { known.isEmpty ? .unmeasured : .usage }
}

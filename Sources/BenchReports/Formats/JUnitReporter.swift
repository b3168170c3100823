import BenchAnalysis
import BenchResults
import Foundation

/// JUnit XML, for the test reports of CI systems.
///
/// It has one test case per judged row: see ``JUnitCase`` for the result of each verdict. Floors
/// and the control are not tests. `time` is the median wall time in seconds. Other metrics and
/// unknown times have none. The facts of the run are the suite's properties.
///
/// Source: JUnit XML as Jenkins' xUnit plugin reads it (`junit-10.xsd`), which knows the formats of
/// Ant, Surefire and pytest. Characters that XML 1.0 cannot hold become `�`.
package struct JUnitReporter: Reporter {
  package init() {}

  package var id: String { "junit" }
  package var summary: String { "JUnit XML, for the test reports of CI systems" }

  /// Writes one suite with a case for every judged row and every cell that could not be measured.
  package func render(_ report: Report) -> String {
    let cases = JUnitCase.all(report)
    func count(_ element: String) -> String {
      String(cases.count { $0.outcome?.element == element })
    }
    let head = [
      ("name", report.record.tool.name), ("tests", String(cases.count)),
      ("failures", count("failure")), ("errors", count("error")),
    ]
    let more = [("skipped", count("skipped")), ("timestamp", report.record.settings.started)]
    let properties = RunFact.all(report.record).map { fact in
      "      \(JUnitCase.tag("property", [("name", fact.id), ("value", fact.value)]))/>"
    }
    let start = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "\(JUnitCase.tag("testsuites", head))>",
      "  \(JUnitCase.tag("testsuite", head + more))>", "    <properties>",
    ]
    let lines = start + properties + ["    </properties>"] + cases.flatMap(\.lines)
    return (lines + ["  </testsuite>", "</testsuites>", ""]).joined(separator: "\n")
  }
}

/// One test case of JUnit XML.
///
/// A regressed row and one over its limit are failures. A row that is missing, not measured, of another menu, below
/// its floor or not a number is an error: absence is never a pass. Inconclusive, new and unjudged rows are skipped,
/// and so are missing ones that may be missing. Other measured rows pass. An outcome that no row shows is an error.
struct JUnitCase {
  /// The cell, or the program if there is no cell.
  var place: String
  var name: String
  var seconds: Double?
  /// Nil for a pass.
  var outcome: Outcome?
  /// The measured figures, for people.
  var figures = ""

  /// The element is `failure`, `error` or `skipped`.
  typealias Outcome = (element: String, type: String, message: String)

  /// Returns the cells that could not be measured, then the judged rows.
  static func all(_ report: Report) -> [JUnitCase] {
    let unmeasured = report.record.failures + report.record.emptyCells
    let cases =
      unmeasured.map(JUnitCase.init)
      + report.allRows.filter(\.series.isJudged).compactMap { JUnitCase($0, report) }
    let isRed = cases.contains { ["failure", "error"].contains($0.outcome?.element) }
    return isRed ? cases : cases + [JUnitCase(whole: report)].compactMap(\.self)
  }

  /// Makes a case for the comparison as a whole, or nil if it passed.
  private init?(whole report: Report) {
    let outcome = report.outcome()
    if case .passed = outcome { return nil }
    let cells = report.record.outcomes.map(\.cell) + report.rows.map(\.cell)
    place = (outcome.cell ?? cells.first)?.description ?? report.record.tool.name
    name = "comparison"
    self.outcome = ("error", outcome.id, outcome.words)
  }

  private init(_ failure: Failure) {
    place = failure.cell.description
    name = failure.stage ?? "measure"
    outcome = ("error", "failed", failure.reason)
  }

  /// Makes a case for a row, or nil if the row has neither a verdict nor values.
  private init?(_ row: ReportRow, _ report: Report) {
    place = row.cell.description
    name = "\(row.phase) \(row.metric.id)"
    seconds = row.metric.id == Metric.wall.id ? row.summary.map { $0.p50 / 1e9 } : nil
    if let verdict = row.verdict {
      outcome = Self.outcome(verdict, row, report)
      figures = row.comparison?.baselineP50 == nil ? row.nowText ?? "" : row.movement
    } else if row.summary != nil {
      outcome = report.comparison.map { Self.unjudged(row, $0) }
      figures = row.nowText ?? ""
    } else if row.series.blocks.contains(where: { !$0.isEmpty }) {
      outcome = ("error", "not-finite", "a value is not a finite number")
    } else {
      return nil
    }
    if let floor = row.floor, floor.isBelow, let words = floor.explanation {
      figures += "; below its floor: \(words)"
    }
  }

  private static func outcome(
    _ verdict: Verdict, _ row: ReportRow, _ report: Report
  ) -> Outcome? {
    switch verdict {
    case .regressed: return ("failure", verdict.id, "\(row.word): \(row.movement)")
    case .missing:
      let element = report.rule.needsRows ? "error" : "skipped"
      return (element, verdict.id, "no figure of the other side to compare with")
    case .belowFloor: return ("error", verdict.id, row.belowFloorReason ?? "")
    case .overLimit: return ("failure", verdict.id, row.besideLimit)
    case .inconclusive: return ("skipped", verdict.id, row.word)
    case .new: return ("skipped", verdict.id, "new: not in the baseline")
    case .improved, .unchanged: return nil
    }
  }

  /// Returns why a row with figures has no verdict: it may not be compared, or it decides nothing.
  private static func unjudged(_ row: ReportRow, _ comparison: Comparison) -> Outcome {
    let found = comparison.comparability
    let start = "not compared with the baseline: "
    if found.differentMenus.contains(row.cell.menu) {
      return ("error", "not-compared", start + "the baseline's menu of that name has other content")
    }
    let alone = row.comparison?.baselineP50 == nil ? "nothing to compare with" : nil
    if let obstacle = found.obstacle(to: row.metric) ?? alone {
      return ("skipped", "not-compared", start + obstacle)
    }
    let isShownAlone = row.metric.isTime && !comparison.gatesTimes
    let why = isShownAlone ? "times are shown but not judged" : row.whyNotJudged
    return ("skipped", "not-judged", "no verdict: \(why)")
  }

  /// The case in lines, with every value escaped.
  var lines: [String] {
    let time = seconds.map { [("time", String(format: "%.9f", $0))] } ?? []
    let result = outcome.map { one in
      Self.tag(one.element, [("type", one.type), ("message", one.message)]) + "/>"
    }
    let output = figures.isEmpty ? nil : "<system-out>\(figures.xmlEscaped)</system-out>"
    let children = [result, output].compactMap(\.self).map { "      \($0)" }
    let start = "    " + Self.tag("testcase", [("classname", place), ("name", name)] + time)
    return children.isEmpty ? [start + "/>"] : [start + ">"] + children + ["    </testcase>"]
  }

  /// Begins an element, up to the end of its attributes.
  static func tag(_ name: String, _ attributes: [(String, String)]) -> String {
    "<\(name)" + attributes.map { " \($0.0)=\"\($0.1.xmlEscaped)\"" }.joined()
  }
}

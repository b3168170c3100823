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
    let properties = RunFact.all(report.record).map { fact in
      XMLElement(name: "property", attributes: [("name", fact.id), ("value", fact.value)])
    }
    let suite = XMLElement(
      name: "testsuite",
      attributes: head
        + [("skipped", count("skipped")), ("timestamp", report.record.settings.started)],
      children: [XMLElement(name: "properties", children: properties)] + cases.map(\.element))
    let root = XMLElement(name: "testsuites", attributes: head, children: [suite])
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + root.lines()).joined(separator: "\n")
      + "\n"
  }
}

/// One test case of JUnit XML.
///
/// A regressed row is a failure. A row that is missing, not measured, of another menu, below its floor or not a
/// number is an error, because absence is never a pass. Inconclusive, new and unjudged rows are skipped with the
/// reason, and so are missing ones that may be missing. Improved and unchanged rows pass, as does every measured
/// row without a baseline. An outcome with an exit status of its own that no row shows is an error by itself.
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
      + report.rows.filter(\.series.isJudged).compactMap { JUnitCase($0, report) }
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
    case .regressed: return ("failure", verdict.id, row.movement)
    case .missing:
      let reason =
        row.summary == nil
        ? "measured in the baseline, but not now" : "measured now, but refused in the baseline"
      return (report.rule.needsRows ? "error" : "skipped", verdict.id, reason)
    case .belowFloor: return ("error", verdict.id, row.belowFloorReason ?? "")
    case .inconclusive:
      let pointer = report.pointer(from: row).map { "; \($0)" } ?? ""
      return ("skipped", verdict.id, "\(verdict.id): \(row.reason)\(pointer)")
    case .new: return ("skipped", verdict.id, "new: not in the baseline")
    case .improved, .unchanged: return nil
    }
  }

  /// Returns why a row with figures has no verdict: it may not be compared, or it decides nothing.
  private static func unjudged(_ row: ReportRow, _ comparison: Comparison) -> Outcome {
    let found = comparison.comparability
    let isOtherMenu = found.differentMenus.contains(row.cell.menu)
    let obstacle =
      isOtherMenu
      ? "the baseline's menu of that name has other content" : found.obstacle(to: row.metric)
    let isAlone = row.comparison?.baselineP50 == nil
    if let obstacle = obstacle ?? (isAlone ? "nothing to compare with" : nil) {
      return (
        isOtherMenu ? "error" : "skipped", "not-compared",
        "not compared with the baseline: \(obstacle)"
      )
    }
    let isShownAlone = row.metric.isTime && !comparison.gatesTimes
    let why = isShownAlone ? "times are shown but not judged" : row.whyNotJudged
    return ("skipped", "not-judged", "no verdict: \(why)")
  }

  var element: XMLElement {
    let time = seconds.map { [("time", String(format: "%.9f", $0))] } ?? []
    let outcome = outcome.map {
      [XMLElement(name: $0.element, attributes: [("type", $0.type), ("message", $0.message)])]
    }
    let output = figures.isEmpty ? [] : [XMLElement(name: "system-out", text: figures)]
    return XMLElement(
      name: "testcase", attributes: [("classname", place), ("name", name)] + time,
      children: (outcome ?? []) + output)
  }
}

/// One element of an XML text, with either text or children.
struct XMLElement {
  var name: String
  var attributes: [(name: String, value: String)] = []
  var text = ""
  var children: [XMLElement] = []

  /// Returns the element in lines, two spaces per level, with every value escaped.
  func lines(indent: Int = 0) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    let start =
      margin + "<" + name
      + attributes.map { " \($0.name)=\"\($0.value.xmlEscaped)\"" }.joined()
    if !children.isEmpty {
      return [start + ">"] + children.flatMap { $0.lines(indent: indent + 1) }
        + [margin + "</\(name)>"]
    }
    return [text.isEmpty ? start + "/>" : start + ">" + text.xmlEscaped + "</\(name)>"]
  }
}

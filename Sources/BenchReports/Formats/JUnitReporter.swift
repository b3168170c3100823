import BenchAnalysis
import BenchResults

/// JUnit XML, for the test reports of CI systems.
///
/// One test case a judged row; see ``JUnitCase`` for what each verdict becomes. Floors and the control
/// are no tests. `time` is the median wall time in seconds; other metrics, and what is unknown, have
/// none. The facts of the run are the suite's properties.
///
/// Source: JUnit XML as Jenkins' xUnit plugin takes it (`junit-10.xsd`), which knows the formats of
/// Ant, Surefire and pytest. What XML 1.0 cannot hold becomes `�`.
public struct JUnitReporter: Reporter {
  /// Makes the reporter.
  public init() {}

  /// `junit`.
  public var id: String { "junit" }
  /// None: made where it is asked for.
  public var fileName: String? { nil }
  /// What it is for.
  public var summary: String { "JUnit XML, for the test reports of CI systems" }

  /// One suite with a case for every judged row and every cell that could not be measured.
  public func render(_ report: Report) -> String {
    let cases = JUnitCase.all(report)
    let name = report.record.tool.name
    let root = XMLElement(
      name: "testsuites", attributes: [("name", name)] + Self.counts(cases),
      children: [suite(report.record, cases)])
    return (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"] + root.lines()).joined(separator: "\n")
      + "\n"
  }

  private func suite(_ record: RunRecord, _ cases: [JUnitCase]) -> XMLElement {
    let properties = RunFact.all(record).map { fact in
      XMLElement(name: "property", attributes: [("name", fact.id), ("value", fact.value)])
    }
    return XMLElement(
      name: "testsuite",
      attributes: [("name", record.tool.name)] + Self.counts(cases) + [
        ("skipped", Self.count(cases, "skipped")), ("timestamp", record.settings.started),
      ],
      children: [XMLElement(name: "properties", children: properties)] + cases.map(\.element))
  }

  private static func counts(_ cases: [JUnitCase]) -> [(name: String, value: String)] {
    [
      ("tests", String(cases.count)), ("failures", count(cases, "failure")),
      ("errors", count(cases, "error")),
    ]
  }

  private static func count(_ cases: [JUnitCase], _ outcome: String) -> String {
    String(cases.count { $0.outcome?.element == outcome })
  }
}

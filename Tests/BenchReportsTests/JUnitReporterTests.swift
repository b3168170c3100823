import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("JUnit XML")
struct JUnitReporterTests {
  @Test(
    "Without a baseline every judged row with figures passes, and no floor or control is a test")
  func run() throws {
    let report = Report(record: Fixture.run())
    let cases = try cases(report)
    let judged = report.allRows.map(\.series).filter { $0.isJudged && $0.unsupported == nil }
    #expect(
      cases.dropFirst().map { "\($0.classname) \($0.name)" }
        == judged.map { "\($0.cell) \($0.phase) \($0.metric.id)" })
    #expect(cases.dropFirst().allSatisfy { $0.outcome == nil && $0.output != "" })
  }

  @Test("A regression is a failure with its figures, an unchanged row a pass")
  func regressed() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let cases = try cases(report)
    // Three counts of decode, and three views of the load that it is a part of.
    #expect(cases.count { $0.outcome == "failure regressed" } == 6)
    func json(_ name: String) -> JUnitReader.Case? {
      cases.first { $0.classname.hasPrefix("json/") && $0.name == name }
    }
    #expect(json("load cpu")?.message == "slower: +25 % (8–44), 50.3 ms → 62.8 ms")
    #expect(json("decode wall")?.time == "0.063696875")
    #expect(json("decode wall")?.outcome == "skipped not-judged")
    let same = cases.first { $0.name == "encode allocations" }
    #expect(same?.outcome == nil && same?.output == "same, 11 → 11")
    let allocations = cases.first { $0.name == "decode allocations" }
    #expect(allocations?.time == nil)
  }

  @Test("A regression from 0, which has no ratio, shows both figures")
  func fromZero() throws {
    var now = Fixture.run()
    for index in now.cells.indices where now.cells[index].metric.id == "write_calls" {
      now.cells[index].blocks = [[3], [3]]
    }
    let failures = try cases(Report(record: now, baseline: Fixture.baseline))
      .filter { $0.outcome == "failure regressed" }
    #expect(failures.map(\.message) == ["more: 0 → 3"])
  }

  @Test("A cost that cannot say is skipped with its bound")
  func inconclusive() throws {
    let cases = try cases(Report(record: Fixture.run(), baseline: Fixture.baseline))
    let save = cases.first { $0.classname.hasPrefix("sqlite/") && $0.name == "save cpu" }
    #expect(save?.outcome == "skipped inconclusive")
    #expect(save?.message == "cannot say, up to +21 %")
  }

  @Test("A row of the baseline alone is an error, and a new one is skipped")
  func absence() throws {
    var less = Fixture.run()
    less.cells.removeAll { $0.cell.backend == "json" && $0.phase == "read" }
    let missing = try cases(Report(record: less, baseline: Fixture.baseline))
      .filter { $0.outcome == "error missing" }
    #expect(missing.map(\.name).first == "read wall" && missing.count == 7)
    #expect(missing.first?.message == "no figure of the other side to compare with")
    let new = try cases(Report(record: Fixture.run(), baseline: less))
      .filter { $0.outcome == "skipped new" }
    #expect(new.count == 7)
  }

  @Test("A cell that could not be measured is an error with the reason")
  func failed() throws {
    let first = try cases(Report(record: Fixture.run())).first
    #expect(first?.classname == "plist/large/roundtrip/atomic" && first?.name == "decode")
    #expect(first?.outcome == "error failed")
    #expect(first?.message == "the worker was killed by signal 9")
  }

  @Test("A value that is not finite is an error, not a pass")
  func notFinite() throws {
    var record = Fixture.run()
    record.cells[0].blocks[0][0] = .nan
    let odd = try cases(Report(record: record)).filter { $0.outcome == "error not-finite" }
    #expect(odd.map(\.name) == ["encode wall"])
  }

  @Test("Times of another machine are skipped with the differences, and exact metrics are judged")
  func notCompared() throws {
    var then = Fixture.baseline
    then.machine.cpu = "another"
    let cases = try cases(Report(record: Fixture.run(), baseline: then))
    let skipped = cases.filter { $0.outcome == "skipped not-compared" }
    #expect(
      skipped.count == 42
        && skipped.allSatisfy { $0.name.contains(/\ (wall|wall_mean|cpu)$/) })
    #expect(
      skipped.first?.message
        == "not compared with the baseline: cpu: AMD EPYC 7B13, baseline another")
    #expect(cases.first { $0.name == "encode allocations" }?.outcome == nil)
  }

  @Test("A row without a verdict is skipped, with the reason")
  func notJudged() throws {
    var gate = Fixture.gate
    for side in [\GateFixture.candidate, \.baseline] {
      gate[keyPath: side].cells += [
        Series(
          cell: Fixture.cell("json"), phase: "open", metric: .wall,
          blocks: Array(repeating: [100], count: 44)),
        Series(
          cell: Fixture.cell("json"), phase: "read", metric: .touchedBytes, blocks: [[7], [7]]),
        Series(
          cell: Fixture.cell("json"), phase: "read", metric: .instructions, blocks: [[7], [7]]),
      ]
    }
    gate.candidate.machine.instructionCounter = "perf_event"
    gate.baseline.machine.instructionCounter = "callgrind 3.19.0"
    let found = try cases(Report(record: gate.candidate, baseline: gate.baseline))
    for (name, outcome, message) in [
      ("open wall", "not-judged", "no verdict: too short for the clock"),
      (
        "read touched_bytes", "not-judged",
        "no verdict: figures that vary, with too few blocks for a test"
      ),
      (
        "read instructions", "not-compared",
        "not compared with the baseline: counter: perf_event, baseline callgrind 3.19.0"
      ),
    ] {
      let one = found.first { $0.classname.hasPrefix("json/") && $0.name == name }
      #expect(one?.outcome == "skipped \(outcome)" && one?.message == message, "\(name)")
    }
    let stored = try cases(
      Report(record: Fixture.run(), baseline: Fixture.baseline, gatesTimes: false))
    let time = stored.first { $0.name == "encode wall" }
    #expect(time?.outcome == "skipped not-judged")
    #expect(time?.message == "no verdict: times are shown but not judged")
  }

  @Test("If the largest samples decided, they are the figures, with enough digits to differ")
  func most() throws {
    func counted(_ metric: Metric, _ largest: Double) -> RunRecord {
      var record = Fixture.run()
      record.cells = [
        Series(
          cell: Fixture.cell("json"), phase: "write", metric: metric,
          blocks: Array(repeating: [0, 0, 0, largest], count: 2))
      ]
      return record
    }
    func message(_ metric: Metric, _ now: Double, _ then: Double) throws -> [String] {
      try cases(Report(record: counted(metric, now), baseline: counted(metric, then)))
        .filter { $0.outcome == "failure regressed" }.map(\.message)
    }
    #expect(try message(.writeCalls, 3, 0) == ["more: at most 3, was 0"])
    #expect(
      try message(.writtenBytes, 1_850_240, 1_850_112)
        == ["larger: at most 1,850,240 B, was 1,850,112 B"])
  }

  @Test("A status of the whole command is red here as well")
  func whole() throws {
    var (now, then) = (Fixture.run(), Fixture.baseline)
    (now.failures, then.failures) = ([], [])
    now.outcomes.removeAll { $0.cell.backend == "plist" }
    let passed = try cases(Report(record: now, baseline: then))
    #expect(!passed.contains { $0.outcome?.hasPrefix("error") ?? false })
    // Only the other side failed.
    then.failures = [Failure(cell: Fixture.cell("json"), stage: "decode", reason: "it hung")]
    let failed = try cases(Report(record: now, baseline: then)).filter { $0.name == "comparison" }
    #expect(failed.map(\.outcome) == ["error unmeasured"])
    #expect(failed[0].message == "\(Fixture.cell("json")) could not be measured in decode: it hung")
    // Nothing but times, of another machine.
    then.failures = []
    now.cells.removeAll { !$0.metric.isTime }
    then.cells.removeAll { !$0.metric.isTime }
    then.machine.cpu = "another"
    let apart = try cases(Report(record: now, baseline: then)).filter { $0.name == "comparison" }
    #expect(apart.map(\.outcome) == ["error times-not-compared"])
    // No cell at all.
    var empty = now
    (empty.cells, empty.outcomes) = ([], [])
    let none = try cases(Report(record: empty, baseline: empty))
    #expect(none.map(\.classname) == ["bench"])
    #expect(none.map(\.outcome) == ["error nothing-compared"])
  }

  @Test("A row that may be missing is skipped")
  func meant() throws {
    var less = Fixture.run()
    less.cells.removeAll { $0.cell.backend == "json" && $0.phase == "read" }
    var report = Report(record: less, baseline: Fixture.baseline)
    report.rule = .comparison(allowsMissing: true)
    #expect(try cases(report).count { $0.outcome == "skipped missing" } == 7)
  }

  @Test("A menu of other content is an error with that reason")
  func otherMenu() throws {
    var then = Fixture.baseline
    then.menus[0].fingerprint = "00000000000000bb"
    let cases = try cases(Report(record: Fixture.run(), baseline: then)).dropFirst()
    #expect(
      Set(cases.map(\.message)) == [
        "not compared with the baseline: the baseline's menu of that name has other content"
      ])
    #expect(Set(cases.map(\.outcome)) == ["error not-compared"])
  }

  @Test("With any names, it parses, and has each name except for characters that XML cannot have")
  func hostile() throws {
    let cases = try cases(Report(record: Fixture.hostile()))
    #expect(cases.count == 83)
    #expect(cases[0].name == "de<code> " && cases[0].message == "\"]]>\u{FFFD}&  100 %")
    #expect(
      cases[1].classname.hasPrefix("memorya\"b'<c>&amp;\\d]]>/x=1,y:2|`z`  пицца 漢 👨‍👩‍👧\u{FFFD}[31m"))
  }

  @Test("It has the facts of the run as properties, and omits unknown ones")
  func properties() throws {
    var record = Fixture.run()
    record.machine.sqlite = nil
    let text = JUnitReporter().render(Report(record: record))
    #expect(text.contains("<property name=\"cpu\" value=\"AMD EPYC 7B13\"/>"))
    #expect(text.contains("<property name=\"revision\" value=\"76342b5-dirty\"/>"))
    #expect(!text.contains("sqlite\" value") && !text.contains("instruction_counter"))
  }

  private func cases(_ report: Report) throws -> [JUnitReader.Case] {
    try JUnitReader.cases(JUnitReporter().render(report))
  }
}

/// Reads JUnit XML and refuses elements where they do not belong, and counts that are not true.
private final class JUnitReader: NSObject, XMLParserDelegate {
  struct Case {
    var classname = ""
    var name = ""
    var time: String?
    var outcome: String?
    var message = ""
    var output = ""
  }

  struct Malformed: Error {
    var why: String
  }

  private static let parents = [
    "testsuites": "", "testsuite": "testsuites", "properties": "testsuite",
    "property": "properties", "testcase": "testsuite", "failure": "testcase",
    "error": "testcase", "skipped": "testcase", "system-out": "testcase",
  ]

  private var (cases, path, counts) = ([Case](), [""], [[String: String]]())
  private var misplaced: [String] = []

  static func cases(_ text: String) throws -> [Case] {
    let (reader, parser) = (JUnitReader(), XMLParser(data: Data(text.utf8)))
    parser.delegate = reader
    guard parser.parse() else { throw Malformed(why: "\(String(describing: parser.parserError))") }
    guard reader.misplaced.isEmpty else { throw Malformed(why: "\(reader.misplaced)") }
    func count(_ element: String) -> String {
      String(reader.cases.count { $0.outcome?.hasPrefix(element) ?? false })
    }
    for said in reader.counts {
      #expect(said["tests"] == String(reader.cases.count))
      #expect(said["failures"] == count("failure") && said["errors"] == count("error"))
      #expect(said["skipped"] == nil || said["skipped"] == count("skipped"))
    }
    return reader.cases
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String] = [:]
  ) {
    if Self.parents[name] != path.last { misplaced.append(name) }
    path.append(name)
    switch name {
    case "testsuites", "testsuite": counts.append(attributes)
    case "testcase":
      cases.append(
        Case(
          classname: attributes["classname"] ?? "", name: attributes["name"] ?? "",
          time: attributes["time"]))
    case "failure", "error", "skipped":
      cases[cases.count - 1].outcome = "\(name) \(attributes["type"] ?? "")"
      cases[cases.count - 1].message = attributes["message"] ?? ""
    default: break
    }
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if path.last == "system-out" { cases[cases.count - 1].output += text }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    path.removeLast()
  }
}

import BenchAnalysis
import BenchReports
import BenchResults
import Testing

@Suite("OpenMetrics")
struct OpenMetricsReporterTests {
  @Test("Every row with figures is there in base units, floors and the control told by their phase")
  func complete() throws {
    let report = Report(record: Fixture.run())
    let samples = try OpenMetricsText.samples(OpenMetricsReporter().render(report))
    let medians = samples.filter { $0.labels["figure"] == "p50" }
    let rows = (report.rows + report.costRows).filter { $0.summary != nil }
    #expect(medians.count == rows.count)
    for row in rows {
      let sample = medians.first { sample in
        sample.name.hasPrefix("menubench_\(row.metric.id)") && sample.labels["phase"] == row.phase
          && sample.labels["backend"] == row.cell.backend
      }
      let scale = row.metric.unit == .nanoseconds ? 1e9 : 1
      #expect(sample?.value == row.summary.map { $0.p50 / scale }, "\(row.phase) \(row.metric.id)")
    }
    #expect(medians.contains { $0.labels["phase"] == "floor-c-write" })
  }

  @Test("A family is named after its unit, a count after its metric alone")
  func names() throws {
    let samples = try OpenMetricsText.samples(
      OpenMetricsReporter().render(Report(record: Fixture.run())))
    #expect(
      Set(samples.map(\.name)) == [
        "menubench_run_info", "menubench_wall_seconds", "menubench_cpu_seconds",
        "menubench_allocations", "menubench_allocated_bytes", "menubench_peak_heap_bytes",
        "menubench_payload_bytes", "menubench_stored_bytes", "menubench_written_bytes",
        "menubench_write_calls", "menubench_read_bytes", "menubench_read_calls",
      ])
  }

  @Test("An interval has two samples where it is known and none where it is not")
  func interval() throws {
    func bounds(_ report: Report) throws -> [Int] {
      let samples = try OpenMetricsText.samples(OpenMetricsReporter().render(report))
      return ["ci_low", "ci_high"].map { bound in samples.count { $0.labels["figure"] == bound } }
    }
    let report = Report(record: Fixture.run())
    let known = (report.rows + report.costRows).count { $0.summary?.interval != nil }
    #expect(known > 0)
    #expect(try bounds(report) == [known, known])
    #expect(try bounds(Report(record: Fixture.run(blocks: 5))) == [0, 0])
  }

  @Test("Labels read back as they were but for what would command a terminal")
  func labels() throws {
    let samples = try OpenMetricsText.samples(
      OpenMetricsReporter().render(Report(record: Fixture.hostile())))
    let labels = try #require(samples.first { $0.labels["backend"] != nil }).labels
    #expect(labels["backend"] == "memorya\"b'<c>&amp;\\d]]>")
    #expect(labels["menu"]?.hasPrefix("x=1,y:2|`z` \nпицца 漢 👨‍👩‍👧\u{FFFD}[31m") == true)
    #expect(labels["durability"] == " d ")
    #expect(samples.first?.labels["cpu"] == "A\"M\\D\n<b>#")
  }

  @Test("Metrics that no one knows keep names of their own")
  func unknownMetrics() throws {
    var record = Fixture.run()
    record.cells[0].metric = Metric(id: "a.b", unit: .count)
    record.cells[1].metric = Metric(id: "a_b", unit: .count)
    record.cells[2].metric = Metric(id: "ж\n\"", unit: .bytes)
    let names = try OpenMetricsText.samples(
      OpenMetricsReporter().render(Report(record: record))
    ).map(\.name)
    #expect(names.contains("menubench_a_2e_b") && names.contains("menubench_a_b"))
    #expect(names.contains("menubench__436__a__22__bytes"))
  }
}

/// Reads OpenMetrics' text format as its specification has it, for gauges alone.
private struct OpenMetricsText {
  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }

  struct Malformed: Error {
    var line: String
  }

  static func samples(_ text: String) throws -> [Sample] {
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    guard lines.suffix(2) == ["# EOF", ""] else { throw Malformed(line: lines.last ?? "") }
    var (samples, family, seen) = ([Sample](), "", Set<String>())
    for line in lines.dropLast(2) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if words[0] == "#" {
        let name = String(words[2])
        if words[1] == "TYPE" {
          guard words[3] == "gauge", seen.insert(name).inserted else { throw Malformed(line: line) }
          family = name
        }
        guard name == family else { throw Malformed(line: line) }
        if words[1] == "UNIT", !name.hasSuffix("_" + words[3]) { throw Malformed(line: line) }
      } else {
        samples.append(try sample(line))
        guard samples.last?.name == family else { throw Malformed(line: line) }
      }
    }
    let keys = samples.map { "\($0.name) \($0.labels.sorted { $0.key < $1.key })" }
    guard Set(keys).count == keys.count else { throw Malformed(line: "a series twice") }
    return samples
  }

  private static func sample(_ line: String) throws -> Sample {
    var rest = line.unicodeScalars[...]
    func malformed() -> Malformed { Malformed(line: line) }
    func take(until end: Unicode.Scalar) throws -> String {
      guard let place = rest.firstIndex(of: end) else { throw malformed() }
      defer { rest = rest[rest.index(after: place)...] }
      return String(rest[..<place])
    }
    func taken() throws -> Unicode.Scalar {
      guard let scalar = rest.popFirst() else { throw malformed() }
      return scalar
    }
    let (name, legal) = (try take(until: "{"), Set("abcdefghijklmnopqrstuvwxyz0123456789_"))
    guard name.allSatisfy(legal.contains) else { throw malformed() }
    var labels: [String: String] = [:]
    while true {
      let (label, quote) = (try take(until: "="), try taken())
      guard quote == "\"", label.allSatisfy(legal.contains) else { throw malformed() }
      var value = String.UnicodeScalarView()
      while true {
        let scalar = try taken()
        if scalar == "\"" { break }
        guard scalar == "\\" else {
          value.append(scalar)
          continue
        }
        let escaped = try taken()
        guard ["\\", "\"", "n"].contains(escaped) else { throw malformed() }
        value.append(escaped == "n" ? "\n" : escaped)
      }
      guard labels.updateValue(String(value), forKey: label) == nil else { throw malformed() }
      let end = try taken()
      if end == "}" { break }
      guard end == "," else { throw malformed() }
    }
    guard try taken() == " ", let value = Double(String(rest)) else { throw malformed() }
    return Sample(name: name, labels: labels, value: value)
  }
}

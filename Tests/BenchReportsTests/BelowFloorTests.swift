import BenchAnalysis
import BenchReports
import BenchResults
import Testing

/// A time that cannot be true is an error in every format, and enters no series over time.
@Suite("A phase below its floor")
struct BelowFloorTests {
  private static let label = "json/large/roundtrip/atomic"

  /// JSON's write at 0.34 of its floor.
  private func record(explanation: String? = nil) -> RunRecord {
    var record = Fixture.run()
    for index in record.cells.indices
    where record.cells[index].cell.backend == "json" && record.cells[index].phase == "write"
      && record.cells[index].metric == .wall
    {
      record.cells[index].blocks = Array(repeating: [391_000], count: 12)
    }
    let json = record.backends.firstIndex { $0.id == "json" }
    if let json { record.backends[json].belowFloor = explanation.map { ["write": $0] } }
    return record
  }

  private func text(_ format: String, _ record: RunRecord) throws -> String {
    let reporter = ReporterRegistry.all.first { $0.id == format }
    return try #require(reporter).render(Report(record: record))
  }

  @Test("is marked in tables, and named with both figures", arguments: ["table", "markdown"])
  func tables(format: String) throws {
    let text = try text(format, record())
    #expect(text.contains("0.34× !"))
    #expect(text.contains("error: json/large write takes 391 µs (at most 391 µs)"))
    #expect(!text.contains("against the baseline"))
  }

  @Test("has its own verdict in CSV, with the figures")
  func csv() throws {
    let line = try text("csv", record()).split(separator: "\n").first {
      $0.hasPrefix("json,large,roundtrip,atomic,write,wall,")
    }
    #expect(line?.hasSuffix(",0,391000,391000,0.34028361899896564,,,,,below-floor") == true)
  }

  @Test("is an error in JUnit and an annotation on GitHub")
  func errors() throws {
    let reason = "takes 391 µs (at most 391 µs), but its floor, floor-write, takes 1.15 ms"
    #expect(
      try text("junit", record()).contains(
        "<error type=\"below-floor\" message=\"\(reason) (at least"))
    let lines = Annotations.lines(for: Report(record: record()))
    #expect(
      lines.contains { $0.hasPrefix("::error title=below-floor%3A \(Self.label) write time::") })
  }

  @Test("is left out of series over time, and a comment says so if the format has comments")
  func series() throws {
    let go = try text("gobench", record())
    #expect(go.contains("# below-floor: \(Self.label) write time takes 391 µs"))
    let writes = go.split(separator: "\n").filter {
      $0.hasPrefix("BenchmarkMenu/backend=json/") && $0.contains("/phase=write ")
    }
    #expect(writes.count == 12 && writes.allSatisfy { !$0.contains(" ns/op") })
  }

  @Test("adds no line to Go's text, whatever its floor is called")
  func hostileFloor() throws {
    var record = record()
    let name = "floor-write\nBenchmarkX 1 1 ns/op"
    for index in record.cells.indices {
      if record.cells[index].floor == "floor-write" { record.cells[index].floor = name }
      if record.cells[index].phase == "floor-write" { record.cells[index].phase = name }
    }
    let go = try text("gobench", record)
    #expect(go.contains("but its floor, floor-write BenchmarkX 1 1 ns/op, takes 1.15 ms"))
    #expect(!go.contains("\nBenchmarkX"))
  }

  @Test("is a figure like others if the backend explains it, with the explanation")
  func explained() throws {
    let record = record(explanation: "does not touch the store")
    for format in ["table", "markdown"] {
      let text = try text(format, record)
      #expect(text.contains("json write is below its floor: does not touch the store\n"))
      #expect(text.contains("0.34×") && !text.contains("0.34× !"))
    }
    #expect(
      try text("junit", record).contains("391 µs; below its floor: does not touch the store<"))
    #expect(try !text("csv", record).contains("below-floor"))
  }

  @Test("is not reported if the floor is too uncertain")
  func uncertain() throws {
    var record = Fixture.run()
    for index in record.cells.indices
    where record.cells[index].cell.backend == "json" && record.cells[index].phase == "floor-write" {
      record.cells[index].blocks = (0..<12).map { [$0.isMultiple(of: 2) ? 404_000 : 3_951_000] }
    }
    let text = try text("markdown", record)
    #expect(text.contains("| json | write | 1.40 ms | ±0.5 % | — |"))
  }
}

@Suite("Metrics that this program does not know")
struct UnknownMetricTests {
  private static let metrics = [
    Metric(id: "strange_share", unit: .percent), Metric(id: "strange_bytes", unit: .bytes),
    Metric(id: "lookups", unit: .count, isExact: true),
  ]

  private var record: RunRecord {
    var record = Fixture.run()
    record.cells.removeAll { $0.cell.backend != "json" || $0.metric != .wall }
    for (metric, value) in zip(Self.metrics, [2.5, 8_192, 42_000]) {
      record.cells.append(
        Series(
          cell: record.cells[0].cell, phase: "read", metric: metric,
          blocks: Array(repeating: [value], count: 6)))
    }
    return record
  }

  @Test("have a column by their id, in their own units")
  func tables() {
    let text = MarkdownReporter().render(Report(record: record))
    #expect(text.contains("| strange_share | strange_bytes | lookups |"))
    #expect(text.contains("| 2.5 % | 8.19 kB | 42,000 |"))
  }

  @Test("are in every other format", arguments: ["csv", "json", "junit"])
  func formats(format: String) throws {
    let reporter = try #require(ReporterRegistry.all.first { $0.id == format })
    let text = try reporter.render(Report(record: record))
    for metric in Self.metrics { #expect(text.contains(metric.id), "\(metric.id)") }
  }

  @Test("have names in Go's text that its readers accept")
  func slugs() {
    let text = GoBenchReporter().render(Report(record: record))
    #expect(text.contains(" 2.5 strange-share-percent/op"))
  }
}

import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import Testing

@Suite("The JSON of github-action-benchmark, Bencher and JMH")
struct JSONFormatTests {
  @Test("github-action-benchmark gets every judged row with figures, by the README's keys")
  func github() throws {
    let record = Fixture.run()
    let entries = try #require(
      try json(GitHubBenchmarkReporter(), record) as? [[String: Any]])
    let judged = record.cells.filter { $0.isJudged && $0.unsupported == nil }
    #expect(
      entries.map { $0["name"] as? String }
        == judged.map { "\($0.cell) \($0.phase) \($0.metric.id)" }
        + Report(record: record).costRows.map { "\($0.cell) \($0.phase) wall" })
    let (wall, allocations) = (entries[0], entries[2])
    #expect(Set(wall.keys) == ["name", "unit", "value", "range", "extra"])
    #expect(wall["value"] as? Double == 52_956 && wall["unit"] as? String == "ns")
    #expect(wall["range"] as? String == "± 397")
    #expect(wall["extra"] as? String == "36 samples in 12 blocks")
    #expect(allocations["range"] == nil && allocations["unit"] as? String == "count")
  }

  @Test("What takes smaller for better refuses a metric of which larger is better")
  func largerIsBetter() {
    var record = Fixture.run()
    record.cells[0].metric = Metric(id: "rate", unit: .count, better: .higher)
    let error = FormatError.largerIsBetter(format: "github-benchmark", metric: "rate")
    #expect(throws: error) { try GitHubBenchmarkReporter().render(Report(record: record)) }
    #expect("\(error)" == "github-benchmark takes smaller for better, which it is not of rate")
  }

  @Test("Bencher gets every judged phase: wall time as latency, bounds where there are any")
  func bencher() throws {
    let benchmarks = try #require(
      try json(BencherReporter(), Fixture.run()) as? [String: [String: [String: Double]]])
    #expect(benchmarks.count == 18)
    let write = try #require(benchmarks["json/large/roundtrip/atomic/write"])
    #expect(
      Set(write.keys) == [
        "latency", "cpu", "allocations", "allocated-bytes", "peak-heap-bytes", "stored-bytes",
        "written-bytes", "write-calls",
      ])
    #expect(
      write["latency"] == [
        "value": 1_398_833.5, "lower_value": 1_390_667, "upper_value": 1_409_333,
      ])
    #expect(write["stored-bytes"] == ["value": 1_640_000])
  }

  @Test("Bencher's names take 1,024 bytes at most and stay apart")
  func longNames() throws {
    var record = Fixture.run()
    let menu = String(repeating: "ж", count: 2_000)
    for index in record.cells.indices { record.cells[index].cell.menu = menu }
    let benchmarks = try #require(try json(BencherReporter(), record) as? [String: Any])
    #expect(benchmarks.count == 18)
    #expect(benchmarks.keys.allSatisfy { (1_000...1_024).contains($0.utf8.count) })
  }

  @Test("Bencher's measures are never empty and take 64 bytes at most")
  func measures() throws {
    var record = Fixture.run()
    record.cells[0].metric = Metric(id: "_", unit: .count)
    record.cells[1].metric = Metric(id: String(repeating: "漢_ ", count: 50), unit: .count)
    let benchmarks = try #require(
      try json(BencherReporter(), record) as? [String: [String: Any]])
    let measures = try #require(benchmarks["memory/large/roundtrip/atomic/encode"]?.keys)
    #expect(measures.contains("unnamed") && measures.contains { $0.hasPrefix("漢-%20漢-%20") })
    #expect(measures.allSatisfy { (1...64).contains($0.utf8.count) })
  }

  @Test("JMH gets every phase, floors and the control too: a fork a block, NaN for an unknown")
  func jmh() throws {
    let record = Fixture.run()
    let results = try #require(try json(JMHReporter(), record) as? [[String: Any]])
    #expect(results.count == Set(record.cells.map { "\($0.cell) \($0.phase)" }).count + 6)
    #expect(results.contains { $0["benchmark"] as? String == "bench.roundtrip.control" })
    let result = try #require(
      results.first {
        $0["benchmark"] as? String == "bench.roundtrip.write"
          && $0["params"] as? [String: String] == [
            "backend": "json", "menu": "large", "durability": "atomic",
          ]
      })
    #expect(result["mode"] as? String == "ss" && result["forks"] as? Int == 12)
    #expect(result["measurementIterations"] as? Int == 3 && result["threads"] as? Int == 1)
    let primary = try #require(result["primaryMetric"] as? [String: Any])
    let raw = try #require(primary["rawData"] as? [[Double]])
    let score = try #require(primary["score"] as? Double)
    let samples = raw.flatMap { $0 }
    #expect(abs(score - samples.reduce(0, +) / Double(samples.count)) < 1e-6)
    let error = try #require(primary["scoreError"] as? Double)
    #expect(abs(error - 9_641.1) < 0.1)
    let bounds = try #require(primary["scoreConfidence"] as? [Double])
    #expect(bounds.count == 2)
    #expect(zip(bounds, [score - error, score + error]).allSatisfy { abs($0 - $1) < 1e-6 })
    let percentiles = try #require(primary["scorePercentiles"] as? [String: Double])
    #expect(percentiles["50.0"] == samples.sorted()[17...18].reduce(0, +) / 2)
    #expect(primary["scoreUnit"] as? String == "ns/op")
    let series = record.cells.first { $0.cell.backend == "json" && $0.phase == "write" }
    #expect(primary["rawData"] as? [[Double]] == series?.blocks)
    let secondary = try #require(result["secondaryMetrics"] as? [String: [String: Any]])
    #expect(secondary["stored_bytes"]?["scoreError"] as? String == "NaN")
    #expect(secondary["stored_bytes"]?["scoreConfidence"] as? [String] == ["NaN", "NaN"])
    #expect(secondary["instructions"] == nil)
  }

  @Test("A JMH phase without wall time has its first metric for the primary one")
  func withoutWall() throws {
    var record = Fixture.run()
    record.cells.removeAll { $0.metric.isTime }
    let results = try #require(try json(JMHReporter(), record) as? [[String: Any]])
    let units = results.map { ($0["primaryMetric"] as? [String: Any])?["scoreUnit"] as? String }
    #expect(units == Array(repeating: "count/op", count: 12))
  }

  @Test("JMH's visualizer finds three parts in a name and one = in a parameter, whatever the names")
  func visualizer() throws {
    let results = try #require(try json(JMHReporter(), Fixture.hostile()) as? [[String: Any]])
    #expect(results.count == 26)
    for result in results {
      #expect((result["benchmark"] as? String)?.split(separator: ".").count == 3)
      let params = try #require(result["params"] as? [String: String])
      #expect(params.values.allSatisfy { !$0.contains(" ") && !$0.contains("=") })
      #expect(params["menu"]?.removingPercentEncoding == Fixture.hostileNames["menu"])
    }
  }

  @Test(
    "Whatever the names, each is JSON and loses no row",
    arguments: [
      ("github-benchmark", 79), ("bencher", 15), ("jmh", 26),
    ])
  func hostile(format: String, count: Int) throws {
    let reporter = try #require(ReporterRegistry.all.first { $0.id == format })
    let value = try json(reporter, Fixture.hostile())
    #expect((value as? [Any])?.count ?? (value as? [String: Any])?.count == count)
  }

  @Test("A row without a finite figure is in none of them", arguments: [Double.infinity, .nan])
  func notFinite(value: Double) throws {
    var record = Fixture.run()
    record.cells[0].blocks[0][0] = value
    let entries = try json(GitHubBenchmarkReporter(), record) as? [[String: Any]]
    #expect(entries?.first?["name"] as? String == "memory/large/roundtrip/atomic encode cpu")
    let benchmarks = try json(BencherReporter(), record) as? [String: [String: Any]]
    #expect(benchmarks?["memory/large/roundtrip/atomic/encode"]?["latency"] == nil)
    let results = try json(JMHReporter(), record) as? [Any]
    // Nor is what that phase is a part of.
    #expect(results?.count == Set(record.cells.map { "\($0.cell) \($0.phase)" }).count + 5)
  }

  @Test("An empty run is an empty array or object")
  func empty() throws {
    var record = Fixture.run()
    record.cells = []
    #expect((try json(GitHubBenchmarkReporter(), record) as? [Any])?.isEmpty == true)
    #expect((try json(BencherReporter(), record) as? [String: Any])?.isEmpty == true)
    #expect((try json(JMHReporter(), record) as? [Any])?.isEmpty == true)
  }

  private func json(_ reporter: any Reporter, _ record: RunRecord) throws -> Any {
    try JSONSerialization.jsonObject(
      with: Data(try reporter.render(Report(record: record)).utf8))
  }
}

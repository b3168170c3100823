import BenchAnalysis
import BenchReports
import BenchResults
import Foundation
import Testing

@Suite("Go's benchmark text")
struct GoBenchReporterTests {
  @Test("It has a line for each block, with the block's medians of all metrics")
  func blocks() throws {
    let text = try GoBenchText(GoBenchReporter().render(Report(record: Fixture.run())))
    let name =
      "BenchmarkMenu/backend=json/menu=large/workload=roundtrip/durability=atomic/phase=write"
    let lines = text.results.filter { $0.name == name }
    #expect(lines.count == 12 && lines.allSatisfy { $0.iterations == 3 })
    #expect(
      lines[0].values == [
        "ns/op": 1_388_333, "cpu-ns/op": 1_360_567, "allocs/op": 280, "B/op": 1_400_000,
        "peak-heap-B/op": 466_667, "stored-B/op": 1_640_000, "written-B/op": 1_640_000,
        "write-calls/op": 3,
      ])
    #expect(Set(lines[2].values.keys) == ["ns/op", "cpu-ns/op"])
  }

  @Test("It begins with wall time and counts its samples, wherever the record has it")
  func wallFirst() {
    var record = Fixture.run()
    record.cells.reverse()
    let lines = GoBenchReporter().render(Report(record: record)).split(separator: "\n")
      .filter { $0.contains("backend=json/") && $0.contains("phase=write ") }
    #expect(lines.count == 12)
    #expect(lines.allSatisfy { $0.split(separator: " ")[1] == "3" })
    #expect(lines.allSatisfy { $0.split(separator: " ")[3] == "ns/op" })
  }

  @Test("It has every phase, with floors and the control, and omits unknown values")
  func complete() throws {
    let report = Report(record: Fixture.run())
    let text = try GoBenchText(GoBenchReporter().render(report))
    let rows = (report.rows + report.costRows).filter { $0.summary != nil }
    let phases = Set(rows.map { "\($0.cell) \($0.phase)" })
    #expect(Set(text.results.map(\.name)).count == phases.count)
    #expect(text.results.allSatisfy { $0.values["instructions/op"] == nil })
  }

  @Test(
    "Configuration lines have only facts that affect times, so that runs of one machine compare")
  func configuration() throws {
    let reporter = GoBenchReporter()
    let now = try GoBenchText(reporter.render(Report(record: Fixture.run())))
    #expect(
      now.configuration == [
        "cpu": "AMD EPYC 7B13", "cores": "2", "system": "Debian GNU/Linux 12", "swift": "6.3.1",
        "allocator": "jemalloc 5.3.0", "build": "release",
      ])
    var record = Fixture.run(started: "13:00")
    record.tool.revision = "other"
    let later = try GoBenchText(reporter.render(Report(record: record)))
    #expect(later.configuration == now.configuration)
    #expect(later.comments.contains("# started: 2026-01-01T13:00:00Z"))
  }

  @Test("It says for each unit which way is better, and whether it is exact")
  func units() throws {
    var record = Fixture.run()
    record.cells[0].metric = Metric(id: "rate", unit: .count, better: .higher)
    let text = try GoBenchText(GoBenchReporter().render(Report(record: record)))
    #expect(text.units["ns/op"] == ["better=lower"])
    #expect(text.units["allocs/op"] == ["better=lower", "assume=exact"])
    #expect(text.units["rate/op"] == ["better=higher"])
  }

  @Test("Names have no spaces, no slash and no number of processors, and read back")
  func hostile() throws {
    let text = try GoBenchText(GoBenchReporter().render(Report(record: Fixture.hostile())))
    let names = Set(text.results.map(\.name))
    #expect(names.count == 26)
    for name in names {
      let parts = name.split(separator: "/").dropFirst()
      #expect(parts.count == 5)
      let menu = parts.first { $0.hasPrefix("menu=") }?.dropFirst("menu=".count)
      #expect(menu.flatMap { String($0).removingPercentEncoding } == Fixture.hostileNames["menu"])
      // The reason why github-action-benchmark skips a line.
      #expect(name.allSatisfy { $0.isASCII && !"@'>\\`~!?".contains($0) })
    }
    #expect(names.count { $0.hasSuffix("/phase=p%2Fq%2D8") } == 3)
    #expect(text.configuration["cpu"] == "A\"M\\D <b>#")
  }

  @Test("A block without samples is left out, and the others keep their places")
  func emptyBlock() throws {
    var record = Fixture.run(blocks: 3)
    record.cells.removeAll { $0.phase != "encode" || $0.metric.id == "cpu" }
    record.cells[0].blocks[0] = []
    record.cells[0].blocks[2] = []
    let text = try GoBenchText(GoBenchReporter().render(Report(record: record)))
    let first = text.results.filter { $0.name.contains("backend=memory/") }
    #expect(first.map { $0.values["ns/op"] != nil } == [false, true])
    #expect(first.map(\.iterations) == [1, 3])
  }
}

/// Reads Go's benchmark text by the rules of its proposal, and refuses what a reader would ignore.
private struct GoBenchText {
  struct Result {
    var name: String
    var iterations: Int
    var values: [String: Double]
  }

  struct Malformed: Error {
    var line: String
  }

  var results: [Result] = []
  var units: [String: [String]] = [:]
  var configuration: [String: String] = [:]
  var comments: [String] = []

  init(_ text: String) throws {
    for line in text.unicodeScalars.split(separator: "\n").map(String.init) {
      let words = line.unicodeScalars.split { $0.properties.isWhitespace }.map(String.init)
      if line.hasPrefix("Benchmark") {
        results.append(try Self.result(line, words))
      } else if words.first == "Unit" {
        units[words[1]] = Array(words.dropFirst(2))
      } else if line.hasPrefix("# ") {
        comments.append(line)
      } else {
        guard let colon = line.range(of: ": "), line.first?.isLowercase == true,
          !line[..<colon.lowerBound].contains(where: { $0.isWhitespace || $0.isUppercase })
        else { throw Malformed(line: line) }
        configuration[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
      }
    }
  }

  private static func result(_ line: String, _ words: [String]) throws -> Result {
    guard line.dropFirst("Benchmark".count).first?.isUppercase == true, words.count >= 4,
      words.count.isMultiple(of: 2), let iterations = Int(words[1]), iterations > 0,
      words[0].range(of: "-[0-9]+$", options: .regularExpression) == nil
    else { throw Malformed(line: line) }
    var values: [String: Double] = [:]
    for place in stride(from: 2, to: words.count, by: 2) {
      guard let value = Double(words[place]),
        values.updateValue(value, forKey: words[place + 1]) == nil
      else { throw Malformed(line: line) }
    }
    return Result(name: words[0], iterations: iterations, values: values)
  }
}

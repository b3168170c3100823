import BenchAnalysis
import BenchResults
import Testing

@testable import BenchReports

@Suite("The report of merged shards")
struct ShardReportTests {
  /// Five sizes of a menu, measured by two shards alternately.
  private func merged(_ first: String, _ second: String) -> Report {
    var record = Fixture.growing()
    let units = record.menus.enumerated().map {
      Split.Unit(
        menu: $0.element.name, workload: "roundtrip", durabilities: ["atomic"],
        shard: $0.offset % 2 + 1)
    }
    let shards = [first, second].enumerated().map { index, cpu in
      Shard(number: index + 1).with(\.machine, record.machine.with(\.cpu, cpu))
        .with(\.settings, record.settings)
    }
    record.split = Split(count: 2, units: units, shards: shards)
    return Report(record: record)
  }

  @Test("It names the shard of every group, and the machine of every shard")
  func marks() {
    let lines = MarkdownReporter().render(merged("EPYC", "Xeon")).split(separator: "\n")
    let headings = lines.filter { $0.hasPrefix("## products=") }
    #expect(headings.count == 5)
    #expect(headings.map { $0.last } == ["1", "2", "1", "2", "1"])
    #expect(headings.allSatisfy { $0.contains(" at durability atomic · shard ") })
    #expect(lines.contains { $0.hasPrefix("- machine of shard 1: EPYC, 2 cores, ") })
    #expect(lines.contains { $0.hasPrefix("- machine of shard 2: Xeon, 2 cores, ") })
    #expect(lines.contains("Measured on Debian GNU/Linux 12, not on a phone."))
  }

  @Test("It names machines of the same facts once")
  func alike() {
    let text = MarkdownReporter().render(merged("EPYC", "EPYC"))
    #expect(text.contains("\n- machine of shard 1, 2: EPYC, 2 cores, "))
  }

  @Test("It draws a curve along the menus if the machines are equal, and none otherwise")
  func curves() {
    func names(_ report: Report) -> [String] {
      RunCharts.all(report).map(\.name).filter { $0.hasPrefix("growth-roundtrip-") }
    }
    #expect(!names(merged("EPYC", "EPYC")).isEmpty)
    #expect(names(merged("EPYC", "Xeon")).isEmpty)
  }
}

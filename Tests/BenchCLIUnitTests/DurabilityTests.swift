import BenchAnalysis
import BenchReports
import BenchResults
import PersistenceBackends
import Testing

@Suite("The meaning of a durability")
struct DurabilityTests {
  @Test("is the same in a report and in bench list", arguments: Durability.allCases)
  func meaning(durability: Durability) {
    let measured = Cell(
      backend: "json", menu: "large", workload: "roundtrip", durability: durability.rawValue)
    let page = MarkdownReporter().render(Report(record: run([count(1, in: measured)])))
    #expect(page.contains("- durability \(durability.rawValue): \(durability.meaning)\n"))
  }
}

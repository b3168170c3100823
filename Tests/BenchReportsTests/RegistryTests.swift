import BenchReports
import Testing

@Suite("The registry of formats")
struct RegistryTests {
  @Test("It has an id, a file and a purpose for each format")
  func distinct() {
    let all = ReporterRegistry.all
    #expect(
      all.map(\.id) == [
        "table", "csv", "markdown", "html", "svg", "json", "junit", "gobench",
      ])
    #expect(all.compactMap(\.fileName) == ["report.csv", "report.md", "report.html", "run.json"])
    #expect(Set(all.map(\.summary)).count == all.count)
  }
}

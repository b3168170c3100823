import BenchReports
import Foundation
import Testing

@Suite("The registry of formats")
struct RegistryTests {
  @Test("Lists the type of every file in Formats, and no other")
  func complete() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/BenchReports/Formats").standardizedFileURL
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let listed = ReporterRegistry.all.map { String(describing: type(of: $0)) + ".swift" }
    #expect(files.sorted() == listed.sorted())
  }

  @Test("Gives each format an id, a file and a purpose of its own")
  func distinct() {
    let all = ReporterRegistry.all
    #expect(
      all.map(\.id) == [
        "table", "csv", "markdown", "json", "junit", "github-benchmark", "bencher", "jmh",
        "openmetrics", "gobench",
      ])
    #expect(all.compactMap(\.fileName) == ["report.csv", "report.md", "run.json"])
    #expect(Set(all.map(\.summary)).count == all.count)
  }
}

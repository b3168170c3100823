import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("A run's folder")
struct OutputFolderTests {
  @Test("has every report, whatever becomes of showing one")
  func unshown() throws {
    try inFolder { folder in
      let output = try OutputFolder(folder)
      let error = refusal {
        try output.finish(Report(record: run([count(5)])), and: [("compare.md", "level\n")]) {
          throw CLIError("nobody reads", status: .failed)
        }
      }
      #expect(error?.message == "nobody reads")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
          "compare.md", "report.csv", "report.html", "report.md", "run.json",
        ])
      let page = try String(contentsOfFile: folder + "/compare.md", encoding: .utf8)
      #expect(page == "level\n")
    }
  }
}

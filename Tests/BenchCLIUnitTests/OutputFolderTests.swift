import ArgumentParser
import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("The folder of a run")
struct OutputFolderTests {
  @Test("has every report, even if one cannot be shown")
  func unshown() throws {
    try inFolder { folder in
      let output = try OutputFolder(folder)
      let error = refusal {
        try output.finish(
          Report(record: run([count(5)])), and: [(name: "compare.md", data: Data("level\n".utf8))]
        ) {
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

  @Test("is refused if your own file has the name of a report, and accepted again after a run")
  func foreign() throws {
    for name in ["report.md", "run.json", "report.html"] {
      try inFolder { folder in
        let mine = Data("{}\n".utf8)
        try mine.write(to: URL(filePath: folder + "/" + name))
        #expect(
          refusal { _ = try OutputFolder(folder) }?.message
            == "\(folder)/\(name) would be overwritten, but that folder holds no run of bench that wrote it"
        )
        #expect(try Data(contentsOf: URL(filePath: folder + "/" + name)) == mine)
      }
    }
    try inFolder { folder in
      for _ in 0..<2 { try OutputFolder(folder).finish(Report(record: run([count(5)]))) {} }
    }
  }

  @Test("Two exports to one file are refused, however it is spelt")
  func exports() throws {
    for second in ["csv=x.xml", "csv=./x.xml"] {
      let options = try ShowOptions.parse(["--export", "junit=x.xml", "--export", second])
      #expect(
        refusal { _ = try options.chosen() }?.message
          == "\(second.dropFirst(4)) is given twice: the second report would replace the first")
    }
  }
}

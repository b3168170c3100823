import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("The runs of a path")
struct StoredRunsTests {
  @Test("are what a killed run left, until there is a whole run")
  func killed() throws {
    try inFolder { folder in
      for (file, value) in [("run.partial.json", 5.0), ("run.json", 6)] {
        let record = run([count(value)])
        try RunFile.write(record, to: "\(folder)/\(file)")
        #expect(try StoredRun.read(folder).cells == record.cells)
      }
    }
  }

  @Test("are the run itself, or the runs in a folder, in the order of their numbers")
  func found() throws {
    try inFolder { folder in
      for path in [
        "10/run.json", "2/run.json", "3/run.partial.json", ".4/run.json", "5/notes.txt", "6.json",
        "7.json.gz", "8.txt",
      ] {
        let file = URL(filePath: "\(folder)/\(path)")
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: file)
      }
      func paths(_ names: String...) -> [String] { names.map { "\(folder)/\($0)" } }
      #expect(try StoredRun.paths(in: folder) == paths("2", "10"))
      let files = paths("2", "6.json", "7.json.gz", "10")
      #expect(try StoredRun.paths(in: folder, takingFiles: true) == files)
      #expect(try StoredRun.paths(in: folder + "/5", takingFiles: true) == [])
      for path in paths("2", "6.json", "nowhere") {
        #expect(try StoredRun.paths(in: path) == [path])
      }
    }
  }
}

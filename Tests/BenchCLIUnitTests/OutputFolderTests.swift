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

  @Test("is refused if the command reads the run there")
  func read() throws {
    try inFolder { folder in
      try OutputFolder(folder).finish(Report(record: run([count(5)]))) {}
      let output = try OutputFolder(folder)
      for input in [folder, folder + "/run.json"] {
        #expect(
          refusal { try output.refuse(losing: ["large", input]) }?.message
            == "--out would replace \(input), which this command reads")
      }
      let other = refusal { try output.refuse(losing: ["large", folder + "/mine.json"]) }
      #expect(other?.message == nil)
    }
  }

  @Test("An export is refused in the place of a run or of what the command reads, and to -")
  func lost() throws {
    try inFolder { folder in
      let (stored, menu) = (folder + "/run.json", folder + "/menu.json")
      try RunFile.write(run([count(5)]), to: stored)
      try Data("{}".utf8).write(to: URL(filePath: menu))
      func refused(_ export: String, reading inputs: String...) -> String? {
        refusal {
          try ShowOptions.parse(["--export", export]).chosen().refuse(losing: inputs)
        }?.message
      }
      let raw = " is a stored run, whose raw values would be lost"
      #expect(refused("csv=\(stored)") == stored + raw)
      #expect(refused("json=\(stored)", reading: "large") == nil)
      #expect(
        refused("json=\(stored)", reading: "large", folder)
          == "--export would replace \(folder), which this command reads")
      #expect(refused("html=\(menu)") == nil)
      #expect(
        refused("html=\(folder)/./menu.json", reading: menu)
          == "--export would replace \(menu), which this command reads")
      #expect(refused("csv=-") == "--export csv=- names no file")
    }
  }

  @Test("A menu is not written in the place of a run, or of the menu that is read")
  func lostMenus() throws {
    try inFolder { folder in
      let (stored, menu) = (folder + "/run.json", folder + "/menu.json")
      try RunFile.write(run([count(5)]), to: stored)
      try Data("{}".utf8).write(to: URL(filePath: menu))
      let generated = refusal {
        try GenerateCommand.parse(["--menu", "small", "--out", stored]).run()
      }
      #expect(
        generated?.message == "\(stored) is a stored run, whose raw values would be lost")
      let imported = refusal { try ImportCommand.parse([menu, "--out", menu]).run() }
      #expect(imported?.message == "--out would replace \(menu), which this command reads")
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

@Suite("The folder of a run's stores")
struct ScratchFolderTests {
  @Test("removes those of killed runs at once, but no locked or other folder")
  func swept() throws {
    try inFolder { folder in
      for name in [".stores-0a1b2c3d", ".stores-mine"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)/store-0", withIntermediateDirectories: true)
      }
      let runs = try (0..<2).map { _ in try ScratchFolder(in: folder, for: []) }
      #expect(
        try Set(FileManager.default.contentsOfDirectory(atPath: folder))
          == Set(runs.map { URL(filePath: $0.path).lastPathComponent } + [".stores-mine"]))
      for run in runs { run.remove() }
    }
  }
}

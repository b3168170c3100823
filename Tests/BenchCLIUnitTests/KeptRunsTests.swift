import Foundation
import Testing

@testable import BenchCLI

@Suite("Kept runs")
struct KeptRunsTests {
  private func kept(in folder: String) -> KeptRuns {
    KeptRuns(folder: folder + "/runs", link: folder + "/latest")
  }

  private let time = Date(timeIntervalSince1970: 1_795_000_000)

  private func target(_ kept: KeptRuns) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: kept.link)
  }

  /// Makes the folder of a run some seconds later, with a file in it.
  private func run(_ kept: KeptRuns, _ seconds: Double = 0) throws -> String {
    let path = try kept.newFolder(of: "run", at: time + seconds)
    try Data("{}".utf8).write(to: URL(filePath: path + "/run.json"))
    return path
  }

  @Test("have their own folders, named after their start and command")
  func names() throws {
    try inFolder { folder in
      let kept = kept(in: folder)
      let paths = try [run(kept), run(kept), run(kept, 1)]
      #expect(
        paths.map { String($0.dropFirst(kept.folder.count + 1)) }
          == ["20261118-110640-run", "20261118-110640-run-2", "20261118-110641-run"])
      #expect(kept.names().count == 3)
    }
  }

  @Test("are found by name, or by their age in runs")
  func found() throws {
    try inFolder { folder in
      let kept = kept(in: folder)
      #expect(kept.path(of: "latest") == nil)
      let paths = try (0..<12).map { _ in try run(kept) }
      #expect(kept.path(of: "latest") == paths[11])
      #expect(kept.path(of: "latest~0") == paths[11])
      #expect(kept.path(of: "Reports/latest~11") == paths[0])
      #expect(kept.path(of: "latest~12") == nil)
      #expect(kept.path(of: "20261118-110640-run-3") == paths[2])
      // A run that crashed left a part, which does not count as a run.
      let broken = try kept.newFolder(of: "run", at: time + 9)
      try Data("{}".utf8).write(to: URL(filePath: broken + "/run.partial.json"))
      #expect(kept.path(of: "latest") == paths[11])
      for other in ["nightly", "latest~", "latest~x", "../runs", ""] {
        #expect(kept.path(of: other) == nil)
      }
    }
  }

  @Test("are the newest 50, or as many as you keep, and foreign files stay")
  func newest() throws {
    #expect(KeptRuns().most == 50)
    try inFolder { folder in
      var kept = kept(in: folder)
      kept.most = 2
      let paths = try (0..<4).map { try run(kept, Double($0)) }
      let theirs = kept.folder + "/notes"
      try FileManager.default.createDirectory(atPath: theirs, withIntermediateDirectories: false)
      try kept.show(paths[3])
      #expect(kept.names() == ["20261118-110642-run", "20261118-110643-run"])
      #expect(FileManager.default.fileExists(atPath: theirs))
      #expect(try target(kept) == "runs/20261118-110643-run")
      #expect(FileManager.default.fileExists(atPath: kept.link + "/run.json"))
    }
  }

  @Test("do not start if something else has the link's place, and do not replace it at their end")
  func occupied() throws {
    try inFolder { folder in
      let kept = kept(in: folder)
      let path = try run(kept)
      try Data("mine".utf8).write(to: URL(filePath: kept.link))
      #expect(throws: CLIError.self) { try kept.newFolder(of: "run", at: time) }
      #expect(
        refusal { try kept.show(path) }?.message
          == "\(kept.link) cannot be linked to the run: File exists")
      #expect(try String(contentsOfFile: kept.link, encoding: .utf8) == "mine")
      #expect(kept.names().count == 1)
    }
    try inFolder { folder in
      let kept = kept(in: folder)
      try FileManager.default.createDirectory(
        atPath: kept.link, withIntermediateDirectories: true)
      #expect(throws: CLIError.self) { try kept.newFolder(of: "run", at: time) }
      #expect(kept.names().isEmpty)
    }
  }

  @Test("do not include empty folders")
  func empty() throws {
    try inFolder { folder in
      let kept = kept(in: folder)
      _ = try kept.newFolder(of: "gate", at: time)
      #expect(kept.names() == ["20261118-110640-gate"])
      _ = try run(kept, 5)
      #expect(kept.names() == ["20261118-110645-run"])
    }
  }
}

import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("The README tells the truth")
struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The fenced blocks of one language, without their fences.
  private static func blocks(_ language: String, in file: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: file), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  /// Every command line of a document that starts bench.
  private static func commands(in file: String) throws -> [String] {
    try blocks("sh", in: file).flatMap { $0.components(separatedBy: "\n") }
      .filter { $0.hasPrefix("./scripts/bench ") }
      .map { String($0.dropFirst("./scripts/bench ".count)) }
  }

  @Test("Every bench command in the README and CONTRIBUTING runs, in their order")
  func commands() async throws {
    try await inFolder { folder in
      let datasets = Self.root.appending(path: "Datasets").path
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/Datasets", withDestinationPath: datasets)
      let commands =
        try Self.commands(in: "README.md") + Self.commands(in: "CONTRIBUTING.md")
      #expect(commands.count >= 8)
      for command in commands where !command.contains("--targets") {
        // Once each and untimed: a test asserts that a command works, not how fast.
        let more = command.hasPrefix("run ") ? " --allow-debug --blocks 1" : ""
        let outcome = try await Executable.bench(command + more, in: folder)
        #expect(outcome.status == .exited(0), "\(command): \(outcome.errors)")
      }
    }
  }

  @Test("Every script that the README and CONTRIBUTING name is there and can be run")
  func scripts() throws {
    for file in ["README.md", "CONTRIBUTING.md"] {
      for line in try Self.blocks("sh", in: file).flatMap({ $0.components(separatedBy: "\n") })
      where line.hasPrefix("./scripts/") {
        let script = line.split(separator: " ")[0]
        let path = Self.root.appending(path: String(script)).path
        #expect(FileManager.default.isExecutableFile(atPath: path), "\(script)")
      }
    }
  }

  @Test("The backend that the README adds is code that is built, and it works")
  func backend() async throws {
    let example = try String(
      contentsOf: Self.root.appending(path: "Tests/FaultyBench/XMLPlistBackend.swift"),
      encoding: .utf8)
    // Within the package's own target it does not import itself.
    let shown = example.replacing("import PersistenceBackends\n", with: "")
    let blocks = try Self.blocks("swift", in: "README.md")
    #expect(blocks.contains { $0 + "\n" == shown })
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "run --allow-debug --backend xml-plist --menu small --blocks 1 --out out", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(try RunFile.read(folder + "/out/run.json").failures.isEmpty)
    }
  }

  @Test("The output that the README shows has the headings that the command prints")
  func output() async throws {
    let shown = try Self.blocks("text", in: "README.md").joined(separator: "\n")
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --backend all --menu large --blocks 1", in: folder)
      let printed = outcome.output.components(separatedBy: "\n")
      let headings = printed.filter { $0.hasPrefix("backend ") }
        .map { $0.split(separator: " ").joined(separator: " ") }
      let inReadme = Set(
        shown.components(separatedBy: "\n").map {
          $0.split(separator: " ").joined(separator: " ")
        })
      #expect(!headings.isEmpty)
      for heading in headings { #expect(inReadme.contains(heading), "\(heading)") }
      #expect(printed.first.map { shown.contains($0) } == true)
    }
  }
}

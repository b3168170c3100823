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
        let outcome = try await Executable.bench(Self.shortened(command), in: folder)
        #expect(
          outcome.status == .exited(command.contains("--inject") ? 2 : 0),
          "\(command): \(outcome.errors)")
      }
    }
  }

  /// The same command once and untimed: a test asserts that it works, not how fast. A gate's revision
  /// is taken for built, and is this very program: building it would take minutes.
  private static func shortened(_ command: String) -> String {
    switch command.prefix(while: { $0 != " " }) {
    case "run":
      smaller(command) + " --allow-debug --blocks 1"
        + (command.contains("--backend all") && !command.contains("--metrics")
          ? " --metrics wall" : "")
    case "compare" where !command.contains("--run"):
      command + " --allow-debug --blocks 1 --backend json,lmdb --menu small"
        + " --workload roundtrip,combo"
    case "scale" where !command.contains("--run"):
      command + " --allow-debug --blocks 1 --to 1000 --points 3"
    case "gate":
      command.replacing(/--against \S+/, with: "--against \(Executable.bench.path)")
        + " --allow-debug --menu \(Gate.menu) --tier exact --metrics \(Gate.counters)"
    case "selftest":
      command + " --allow-debug --backend json --menu \(Gate.menu)"
        + " --suites 1 --pairs 1 --gates 0 --counted 1"
    default: command
    }
  }

  /// What takes minutes with the menus that its figures are of is tried with a small one.
  private static func smaller(_ command: String) -> String {
    command.replacing(/--menu (large,huge|products=\d{4}\S*)/, with: "--menu small")
      .replacing("large:lists", with: "small:lists")
  }

  @Test("The configuration that the README shows is one that a gate reads")
  func configuration() async throws {
    let shown = try Self.blocks("json", in: "README.md")
    #expect(shown.count == 1)
    try await inFolder { folder in
      try shown.first?.write(
        toFile: folder + "/menubench.json", atomically: true, encoding: .utf8)
      let outcome = try await Executable.bench(Gate.itself + " --backend all", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let other = try await Executable.bench(Gate.itself + " --config no.json", in: folder)
      #expect(other.status == .exited(64))
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

  @Test("The main for a document of one's own that the README shows is the example package's")
  func ownDocument() throws {
    let folder = "Tests/ExamplePackage/Sources/"
    for file in ["ReadingListBench/ReadingListBench.swift", "OurMenuBench/OurMenuBench.swift"] {
      let example = try String(
        contentsOf: Self.root.appending(path: folder + file), encoding: .utf8)
      #expect(try Self.blocks("swift", in: "README.md").contains { $0 + "\n" == example })
    }
  }

  @Test("The output that the README shows has the headings that the command prints")
  func output() async throws {
    let shown = try Self.blocks("text", in: "README.md").joined(separator: "\n")
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --backend json,plist,sqlite,memory --menu large --blocks 1", in: folder)
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

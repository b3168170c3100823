import BenchAnalysis
import BenchProbes
import BenchResults
import Foundation
import Subprocess
import Testing

@testable import BenchTesting

@Suite("A storage costs no more than its baseline")
struct CostComparisonTests {
  private static let menu = "products=20,combos=2,slots=2,options=4,seed=1"
  private static let cell = Cell(
    backend: "json", menu: menu, workload: "roundtrip", durability: "atomic")
  private static let exact = Metric.all.filter(\.isExact).map(\.id).joined(separator: ",")

  /// How this build's bench is run.
  private static let run =
    Build.configuration == "release" ? "swift run -c release bench" : "swift run bench"

  /// Runs a test in a package's folder whose baseline `ours` is bench's own, with a change of it.
  private func withBaseline(
    _ change: (inout RunRecord) -> Void, _ body: (_ folder: String) async throws -> Void
  ) async throws {
    try await inFolder { folder in
      let arguments = [
        "run", "--allow-debug", "--blocks", "1", "--backend", "json", "--menu", Self.menu,
        "--metrics", Self.exact, "--save-baseline", "ours",
      ]
      let saved = try await Products.executable("bench").run(arguments, in: folder)
      #expect(saved.status == .exited(0), "\(saved.errors)")
      let path = folder + "/Reports/baselines/ours.json"
      var record = try RunFile.read(path)
      change(&record)
      try RunFile.write(record, to: path)
      try await body(folder)
    }
  }

  private func inFolder(_ body: (_ folder: String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // By the name that a program sees as its working folder.
    try await body(folder.resolvingSymlinksInPath().path)
  }

  /// Compares as a test of that package does, some folders further down.
  private func compared(
    in folder: String, phase: String? = nil, metrics: [String]? = nil,
    by executable: String? = "bench", build: String = Build.configuration
  ) async throws -> CostFailure? {
    let comparison = CostComparison(
      baseline: "ours", phase: phase, metrics: metrics, executable: executable,
      testFile: folder + "/Tests/OurTests/CostTests.swift", build: build)
    do {
      try await comparison.check()
      return nil
    } catch let failure as CostFailure {
      return failure
    }
  }

  /// Makes the baseline's count of json's decode, or of another phase, so much smaller.
  private static func less(
    _ metric: Metric, by amount: Double, of phase: String = "decode"
  ) -> (inout RunRecord) -> Void {
    { record in
      for index in record.cells.indices
      where record.cells[index].phase == phase && record.cells[index].metric == metric {
        record.cells[index].blocks = record.cells[index].blocks.map { $0.map { $0 - amount } }
      }
    }
  }

  @Test("where nothing changed, in every phase or one")
  func same() async throws {
    try await withBaseline({ _ in }) { folder in
      let all = try await compared(in: folder)
      #expect(all == nil)
      let one = try await compared(in: folder, phase: "decode", metrics: ["allocations"])
      #expect(one == nil)
    }
  }

  @Test("not with one allocation more, which is named; of another phase it is no matter")
  func allocation() async throws {
    try await withBaseline(Self.less(.allocations, by: 1)) { folder in
      let failure = try #require(try await compared(in: folder, phase: "decode"))
      let row = "\(Self.cell) decode allocations: +1"
      #expect(failure.message.hasPrefix(row + "\n1 figure regressed; worst \(Self.cell) decode"))
      #expect(
        failure.help?.hasPrefix(
          "where that is meant, in \(folder): \(Self.run) baseline remove ours, then \(Self.run) run"
        )
          == true)
      #expect(try await compared(in: folder, phase: "encode") == nil)
      #expect(try await compared(in: folder, metrics: ["payload_bytes"]) == nil)
    }
  }

  @Test("not with one byte more")
  func byte() async throws {
    try await withBaseline(Self.less(.payloadBytes, by: 1, of: "encode")) { folder in
      let failure = try #require(try await compared(in: folder))
      #expect(failure.message.hasPrefix("\(Self.cell) encode payload_bytes: +1 B\n"))
    }
  }

  @Test("and a change that menubench.json allows is none")
  func tolerance() async throws {
    try await withBaseline(Self.less(.allocations, by: 1)) { folder in
      try Data(#"{"tolerances": {"allocations": 1}}"#.utf8).write(
        to: URL(filePath: folder + "/menubench.json"))
      #expect(try await compared(in: folder) == nil)
    }
  }

  @Test("not without a baseline: what to type is said")
  func none() async throws {
    try await inFolder { folder in
      try Data().write(to: URL(filePath: folder + "/Package.swift"))
      let failure = try #require(try await compared(in: folder, build: "debug"))
      #expect(failure.message == "no baseline 'ours', looked for in \(folder)")
      #expect(
        failure.help?.hasSuffix(
          "to save one there: swift run bench run --allow-debug --blocks 1 --backend BACKEND"
            + " --menu MENU --save-baseline ours") == true)
    }
  }

  @Test("of a menu from a file by the path that was typed, and not where no file is there")
  func file() async throws {
    try await inFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/menus", withIntermediateDirectories: false)
      let path = "menus/ours.json"
      for arguments in [
        ["generate", "--menu", Self.menu, "--out", path],
        [
          "run", "--allow-debug", "--blocks", "1", "--backend", "json", "--menu", path, "--metrics",
          Self.exact, "--save-baseline", "ours",
        ],
      ] {
        let outcome = try await Products.executable("bench").run(arguments, in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
      }
      #expect(try await compared(in: folder) == nil)
      try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
      let failure = try #require(try await compared(in: folder))
      #expect(
        failure.message
          == "the baseline 'ours' is of the menu menus/ours.json, which is not there from \(folder)"
      )
      #expect(
        failure.help?.hasPrefix(
          "put the file there, or save a baseline of a generated menu: \(Self.run) run ")
          == true)
    }
  }

  @Test("not against a baseline of another build mode")
  func build() async throws {
    try await withBaseline {
      $0.machine.build = "release"
    } _: { folder in
      let failure = try #require(try await compared(in: folder, build: "debug"))
      #expect(
        failure.message
          == "the baseline 'ours' is of a release build, these tests are a debug build: "
          + "their counts are not to be compared")
      #expect(failure.help?.hasPrefix("swift test -c release, or a baseline of this build") == true)
      #expect(failure.help?.hasSuffix(" --durability atomic --save-baseline ours-debug") == true)
    }
  }

  @Test("not against a menu that is another by now, nor another method")
  func others() async throws {
    try await withBaseline {
      $0.menus[0].fingerprint = "0"
    } _: { folder in
      let failure = try #require(try await compared(in: folder))
      #expect(failure.message.contains("nothing of menu \(Self.menu) could be compared"))
    }
    try await withBaseline {
      $0.tool.method = 1
    } _: { folder in
      let failure = try #require(try await compared(in: folder))
      #expect(
        failure.message.contains("was measured by method 1 of MenuBench, this run by method 5"))
    }
  }

  @Test("not where the baseline lacks a count that is meant, as without jemalloc")
  func lacking() async throws {
    let unsupported = { (record: inout RunRecord) in
      for index in record.cells.indices where record.cells[index].metric == .allocations {
        record.cells[index].blocks = []
        record.cells[index].unsupported = "no jemalloc here"
      }
    }
    try await withBaseline(unsupported) { folder in
      let failure = try #require(try await compared(in: folder, phase: "decode"))
      #expect(
        failure.message
          == "the baseline 'ours' has no allocations of \(Self.cell) decode: no jemalloc here")
      #expect(try await compared(in: folder, metrics: ["payload_bytes", "written_bytes"]) == nil)
      // The payload is of encoding.
      let other = try await compared(in: folder, phase: "decode", metrics: ["payload_bytes"])
      #expect(other?.message == "the baseline 'ours' has no payload_bytes of \(Self.cell) decode")
    }
  }

  @Test("and names that there are not are refused, with those there are")
  func names() async throws {
    try await withBaseline({ _ in }) { folder in
      let phase = try #require(try await compared(in: folder, phase: "decod"))
      #expect(phase.message == "the baseline 'ours' has no counts of a phase 'decod'")
      #expect(phase.help == "phases: decode, encode, open, read, release, write")
      let metric = try #require(try await compared(in: folder, metrics: ["wall"]))
      #expect(metric.message == "'wall' is no exact metric")
      let program = try #require(try await compared(in: folder, by: "bnch"))
      #expect(program.message == "there is no executable 'bnch' in \(Products.folder)")
      let unnamed = try #require(try await compared(in: folder, by: nil))
      #expect(unnamed.message.hasPrefix("which executable is meant is not clear: "))
    }
  }

  @Test("The only executable beside the tests needs no name")
  func only() async throws {
    try await inFolder { folder in
      let files = FileManager.default
      let executable: [FileAttributeKey: Any] = [.posixPermissions: 0o755]
      for name in ["OurBench", "OurPackageTests.xctest", "Macros-tool"] {
        _ = files.createFile(atPath: "\(folder)/\(name)", contents: Data(), attributes: executable)
      }
      _ = files.createFile(atPath: folder + "/notes", contents: Data())
      try files.createDirectory(atPath: folder + "/ModuleCache", withIntermediateDirectories: false)
      #expect(try Products.executable(nil, in: folder).path == folder + "/OurBench")
    }
  }

  @Test("What is no failure of ours is told too, in the system's words")
  func foundations() async {
    let full = await CostTrait.complaint { throw CocoaError(.fileWriteOutOfSpace) }
    #expect(full == "its costs could not be compared: No space left on device")
    let ours = await CostTrait.complaint { throw CostFailure("it costs more", help: "less") }
    #expect(ours == "it costs more\nhelp: less")
    let none = await CostTrait.complaint {}
    #expect(none == nil)
  }

  @Test("A test with the trait fails by the comparison's words, and is performed")
  func trait() async throws {
    let test = try #require(Test.current)
    try await withKnownIssue {
      try await confirmation { performed in
        try await CostTrait.costsNoMore(than: "nosuch", by: "bench").provideScope(
          for: test, testCase: nil
        ) { performed() }
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasPrefix("no baseline 'nosuch', looked for in ") }
    }
  }
}

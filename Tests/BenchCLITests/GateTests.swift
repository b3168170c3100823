import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench gate passes without a change, and fails with a regression")
struct GateTests {
  private static let injected = Gate.itself + " --inject json/decode:allocations=1"

  /// The counts of a block. A library's thread, woken by a closing store, may change a single
  /// sample.
  private static func medians(_ series: Series) -> [Double?] {
    series.blocks.map { $0.sorted().dropFirst($0.count / 2).first }
  }

  /// Checks that the stored records come to the verdicts of the gate that made them.
  private func checkStored(in folder: String, _ status: Int32, _ regressed: [String]) async throws {
    let csv = try String(contentsOfFile: folder + "/out/report.csv", encoding: .utf8)
    let verdicts = Gate.verdicts(csv: csv)
    #expect(verdicts.values.contains("unchanged"))
    let flagged = verdicts.filter { $0.value != "unchanged" && $0.value != "" }
    #expect(flagged == Dictionary(uniqueKeysWithValues: regressed.map { ($0, "regressed") }))
    for command in [
      "report out --baseline out/baseline.json --format csv",
      "diff out/baseline.json out --format csv",
    ] {
      let outcome = try await Executable.bench(command, in: folder)
      #expect(outcome.status == .exited(status))
      #expect(Gate.verdicts(csv: outcome.output) == verdicts)
    }
  }

  @Test("A program against itself passes with status 0, with both sides' records")
  func itself() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        Gate.itself + " --backend json,object-graph,sqlite", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      #expect(
        files == [
          "baseline.json", "gate.json", "report.csv", "report.html", "report.md", "run.json",
        ])
      let gate = try Gate.File(in: folder + "/out")
      #expect(gate.schema == 1 && gate.failing.isEmpty)
      let sides = try ["run", "baseline"].map { try RunFile.read(folder + "/out/\($0).json") }
      #expect(sides[0].pairing?.id != nil && sides[0].pairing?.id == sides[1].pairing?.id)
      #expect(sides.map { $0.pairing?.side } == [.candidate, .baseline])
      #expect(
        sides.map { $0.pairing?.executable } == [Executable.bench.path, Executable.bench.path])
      #expect(sides[0].cells.map(\.key) == sides[1].cells.map(\.key))
      for (one, other) in zip(sides[0].cells, sides[1].cells) {
        let blocks = zip(Self.medians(one), Self.medians(other)).map { $0 == $1 }
        // If it changes most samples of one block, the other block has the program's own counts.
        #expect(
          blocks.isEmpty || blocks.contains(true), "\(one.key): \(one.blocks), \(other.blocks)")
        #expect(one.blocks.count == other.blocks.count)
      }
      #expect(Set(sides[0].cells.map(\.cell.backend)) == ["json", "object-graph", "sqlite"])
      try await checkStored(in: folder, 0, [])
    }
  }

  @Test("One more allocation has status 2, is reported as exactly 1, and nothing else is flagged")
  func oneAllocation() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(Self.injected, in: folder)
      #expect(outcome.status == .exited(2))
      let line = outcome.errors.split(separator: "\n").first { $0.hasPrefix("error: ") } ?? ""
      #expect(
        line.hasPrefix(
          "error: 2 figures got worse, the worst \(Gate.cell) decode allocations: +1 "))
      let rows = try Gate.File(in: folder + "/out").failing
      #expect(rows.map(\.metric) == ["allocations", "allocated_bytes"])
      #expect(rows.map(\.difference) == [1, 16])
      for row in rows {
        #expect(row.cell.description == Gate.cell && row.phase == "decode")
        #expect(row.verdict == "regressed")
        #expect(row.candidate.executable == Executable.bench.path)
        #expect(row.baseline.executable == Executable.bench.path)
        #expect(row.candidate.pairing != nil && row.candidate.pairing == row.baseline.pairing)
      }
      try await checkStored(
        in: folder, 2, ["json/decode/allocations", "json/decode/allocated_bytes"])
    }
  }

  @Test(
    "A tolerance allows its row to change, typed or configured, also in the stored runs",
    arguments: [
      ("--tolerance allocations=1 --tolerance allocated_bytes=16", nil, 0),
      ("--tolerance json/decode/allocations=1 --tolerance allocated_bytes=1%", nil, 0),
      ("--tolerance json/encode/allocations=1 --tolerance allocated_bytes=16", nil, 2),
      ("", "{\"tolerances\": {\"allocations\": 1, \"json/decode/allocated_bytes\": 16}}", 0),
      ("--tolerance allocations=0", "{\"tolerances\": {\"*/decode/allocations\": 1}}", 2),
      (
        "--tolerance allocations=1 --tolerance allocated_bytes=16",
        "{\"limits\": {\"json/payload_bytes\": \"1B\", \"*/stored_bytes\": \"2MB\"}}", 2
      ),
    ] as [(String, String?, Int32)])
  func tolerance(_ typed: String, _ configured: String?, _ status: Int32) async throws {
    try await inFolder { folder in
      try configured?.write(
        toFile: folder + "/menubench.json", atomically: true, encoding: .utf8)
      let stored = ["diff out/baseline.json out", "report out --baseline out/baseline.json"]
      for command in [Self.injected] + stored {
        let outcome = try await Executable.bench(command + " " + typed, in: folder)
        #expect(outcome.status == .exited(status), "\(command): \(outcome.errors)")
      }
    }
  }

  @Test("A cost injected into an unknown phase has status 3, with the phases")
  func strangePhase() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        Gate.itself + " --inject json/decod:allocations=1", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(outcome.errors.contains("the phases are open, encode, write, "))
    }
  }

  @Test("Its report has other formats, and only a run that did not regress becomes a baseline")
  func kept() async throws {
    try await inFolder { folder in
      let path = "Reports/baselines/main.json"
      let passed = try await Executable.bench(
        Gate.itself + " --save-baseline main --export junit=a.xml --export csv=b.csv --tag pr=12"
          + " --format markdown", in: folder)
      #expect(passed.status == .exited(0))
      #expect(passed.errors.hasSuffix("baseline 'main': \(path)\n"))
      #expect(passed.output.hasPrefix("bench against itself\n"))
      let files = try ["a.xml", "b.csv", "out/report.csv"].map {
        try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
      }
      #expect(files[0].hasPrefix("<?xml") && files[0].contains("failures=\"0\""))
      #expect(files[1] == files[2])
      for name in ["run", "baseline"] {
        #expect(try RunFile.read(folder + "/out/\(name).json").settings.tags == ["pr": "12"])
      }
      var leaner = try RunFile.read(folder + "/" + path)
      #expect(!leaner.cells.isEmpty)
      for index in leaner.cells.indices where leaner.cells[index].metric == .allocations {
        leaner.cells[index].blocks = leaner.cells[index].blocks.map { $0.map { max(0, $0 - 1) } }
      }
      try RunFile.write(leaner, to: folder + "/leaner.json")
      let failed = try await Executable.bench(
        Gate.exact + " --baseline leaner.json --save-baseline other", in: folder)
      #expect(failed.status == .exited(2))
      #expect(failed.errors.contains("note: the run is not kept as baseline 'other'\n"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/Reports/baselines/other.json"))
      let injected = try await Executable.bench(
        Self.injected + " --save-baseline third", in: folder)
      #expect(injected.status == .exited(64))
    }
  }
}

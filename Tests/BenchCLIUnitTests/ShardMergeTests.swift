import Basics
import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("The shards of a suite")
struct ShardMergeTests {
  private static let units = [
    Split.Unit(menu: "small", workload: "roundtrip", durabilities: ["atomic"], shard: 1),
    Split.Unit(menu: "small", workload: "combo", durabilities: ["none"], shard: 2),
    Split.Unit(menu: "large", workload: "roundtrip", durabilities: ["atomic"], shard: 2),
    Split.Unit(menu: "large", workload: "combo", durabilities: ["none"], shard: 1),
  ]

  /// A shard's run of two backends. Without a number it is the whole suite, measured by one
  /// machine.
  private func run(_ number: Int?, of count: Int = 2, cpu: String = "EPYC") -> RunRecord {
    var record = RunRecord(
      tool: Tool(name: "bench", version: "0.1", revision: "abc"),
      machine: Machine(cpu: cpu, cores: 2, build: "release")
        .with(\.emptySample, cpu == "EPYC" ? 20 : 30),
      settings: Settings(
        started: "2026-01-0\(number ?? 1)T00:00:00Z", targetPrecision: 0.03, scheduleSeed: 1,
        storage: "/tmp"
      ).with(\.blocks, 2).with(\.budgetSeconds, 10).with(\.fileSystem, "ext4")
        .with(\.tags, ["pr": "12", "shard": "\(number ?? 0)"]))
    record.backends = ["json", "plist"].map { BackendInfo(id: $0, summary: $0) }
    record.menus = ["small", "large"].map {
      MenuInfo(name: $0, source: "shape", fingerprint: "0\($0.count)", counts: [])
    }
    record.workloads = ["roundtrip", "combo"].map { WorkloadInfo(id: $0, costs: []) }
    for unit in Self.units where number == nil || unit.shard == number {
      for backend in record.backends.map(\.id) {
        let cell = Cell(
          backend: backend, menu: unit.menu, workload: unit.workload,
          durability: unit.durabilities[0])
        guard backend == "json" || unit.workload == "roundtrip" else {
          record.failures.append(Failure(cell: cell, stage: "decode", reason: "it lies"))
          record.outcomes.append(Outcome(cell: cell, timedBlocks: 0, stop: .failed))
          continue
        }
        record.cells += ["encode", "decode"].map {
          Series(cell: cell, phase: $0, metric: .allocations, blocks: [[7], [7]])
        }
        record.outcomes.append(Outcome(cell: cell, timedBlocks: 2, stop: .blocks))
      }
    }
    if let number {
      record.split = Split(count: count, units: Self.units, shards: [Shard(number: number)])
    }
    return record
  }

  private func merged(_ records: RunRecord...) throws -> RunRecord {
    try RunRecord.merging(
      records.enumerated().map { (name: "run \($0.offset)", record: $0.element) })
  }

  private func unlike(_ what: String, _ values: [String]) -> Refusal {
    Refusal(
      "run 0 and run 1 are not shards of one suite (\(what): "
        + values.joined(separator: " and ") + ")",
      help: "measure every shard by the same program, with the same options and --costs")
  }

  @Test("have together what one run has, in its order, whichever is first")
  func whole() throws {
    let whole = run(nil)
    for record in [try merged(run(1), run(2)), try merged(run(2), run(1))] {
      #expect(record.cells == whole.cells)
      #expect(record.outcomes == whole.outcomes)
      #expect(record.failures == whole.failures)
      #expect(record.backends == whole.backends)
      #expect(record.menus == whole.menus)
      #expect(record.workloads == whole.workloads)
      #expect(record.machine == whole.machine)
      #expect(record.missingCells.isEmpty)
    }
    #expect(try merged(run(2), run(1)) == merged(run(1), run(2)))
  }

  @Test("are distinguished by their machines, and common facts belong to the whole")
  func machines() throws {
    let (here, there) = (run(1), run(2, cpu: "Xeon"))
    let record = try merged(here, there)
    #expect(record.machine.cpu == nil)
    #expect(record.machine.cores == 2)
    // The worst that any has.
    #expect(record.machine.emptySample == 30)
    #expect(record.settings.started == "2026-01-01T00:00:00Z")
    #expect(record.settings.budgetSeconds == 20)
    #expect(record.settings.tags == ["pr": "12"])
    for cell in record.cells.map(\.cell) {
      let isHere = (cell.menu == "small") == (cell.workload == "roundtrip")
      #expect(record.machine(of: cell).cpu == (isHere ? "EPYC" : "Xeon"))
      #expect(record.shard(of: cell)?.number == (isHere ? 1 : 2))
    }
    #expect(record.byMachine == [here, there])
    #expect(here.byMachine == [here] && here.machine(of: here.cells[0].cell) == here.machine)
  }

  @Test("read back equal, and a whole run has no shards")
  func file() throws {
    let record = try merged(run(1), run(2))
    let data = try RunFile.encode(record)
    #expect(try JSONDecoder().decode(RunRecord.self, from: data) == record)
    let plain = try #require(String(bytes: RunFile.encode(run(nil)), encoding: .utf8))
    #expect(!plain.contains("split"))
    #expect(try JSONDecoder().decode(RunRecord.self, from: Data(plain.utf8)).split == nil)
  }

  @Test("lack the cells of others until merged with them, and interrupted cells")
  func missing() throws {
    let part = try merged(run(1))
    #expect(
      part.missingCells.map(\.description) == [
        "json/small/combo/none", "plist/small/combo/none", "json/large/roundtrip/atomic",
        "plist/large/roundtrip/atomic",
      ])
    #expect(try merged(part, run(2)) == merged(run(1), run(2)))
    var half = run(2)
    half.outcomes[3].stop = .interrupted
    #expect(try merged(run(1), half).missingCells == [half.outcomes[3].cell])
  }

  @Test("need no shard without work, whatever its machine")
  func empty() throws {
    let (one, two) = (run(1, of: 3), run(2, of: 3))
    let nothing = run(3, of: 3, cpu: "Xeon")
    #expect(nothing.cells.isEmpty)
    #expect(try merged(one, nothing, two) == merged(one, two))
    #expect(try merged(nothing).machine.cpu == "Xeon")
  }

  /// A difference between two shards, and its message.
  struct Unlike: Sendable, CustomTestStringConvertible {
    let what: String
    let values: [String]
    let change: @Sendable (inout RunRecord) -> Void

    init(
      _ what: String, _ values: String..., change: @escaping @Sendable (inout RunRecord) -> Void
    ) {
      (self.what, self.values, self.change) = (what, values, change)
    }

    var testDescription: String { what }

    static let all = [
      Unlike("program", "bench 0.1", "ours 0.1") { $0.tool.name = "ours" },
      Unlike("revision", "abc", "unknown") { $0.tool.revision = nil },
      Unlike("method of measuring", "\(Tool.currentMethod)", "1") { $0.tool.method = 1 },
      Unlike("build", "release", "debug") { $0.machine.build = "debug" },
      Unlike("blocks", "2", "until it is precise") { $0.settings.blocks = nil },
      Unlike("precision", "0.03", "0.5") { $0.settings.targetPrecision = 0.5 },
      Unlike("metrics", "all", "cpu, wall") { $0.split?.metrics = ["cpu", "wall"] },
      Unlike("number of shards", "2", "4") { $0.split?.count = 4 },
      Unlike("backends", "json, plist", "json") { $0.backends.removeLast() },
      Unlike("menus", "small, large", "small") { $0.menus.removeLast() },
      Unlike("workloads", "roundtrip, combo", "roundtrip") { $0.workloads?.removeLast() },
      Unlike("content of menu large", "05", "ff") { $0.menus[1].fingerprint = "ff" },
      Unlike("durability of small under combo", "none", "durable") {
        $0.split?.units[1].durabilities = ["durable"]
      },
      Unlike("shard of large under combo", "1", "2") { $0.split?.units[3].shard = 2 },
    ]
  }

  @Test("are refused if they differ in a common fact, by its name", arguments: Unlike.all)
  func unlike(_ difference: Unlike) {
    var changed = run(2)
    difference.change(&changed)
    let other = changed
    #expect(throws: unlike(difference.what, difference.values)) { try merged(run(1), other) }
  }

  @Test(
    "are refused if programs differ in checksum and have no equal clean revision",
    arguments: [nil, "abc-dirty", "abc"])
  func programs(revision: String?) throws {
    func shard(_ number: Int, _ program: String?) -> RunRecord {
      var shard = run(number)
      shard.tool.revision = revision
      shard.split?.program = program
      return shard
    }
    #expect(try merged(shard(1, "p"), shard(2, "p")).split?.program == "p")
    guard revision != "abc" else {
      #expect(try merged(shard(1, "p"), shard(2, "q")).split?.program == nil)
      return
    }
    for (program, said) in [("q", "q"), (nil, "unknown")] {
      #expect(throws: unlike("checksum of the program", ["p", said])) {
        try merged(shard(1, "p"), shard(2, program))
      }
    }
  }

  @Test("are refused if one occurs twice, and if one is a whole run")
  func refused() {
    let cell = run(2).outcomes[0].cell
    var changed = run(1)
    changed.outcomes[0].cell.menu = "huge"
    let stray = changed
    let twice = "run 0 and run 2 both hold shard 2, and so \(cell) twice"
    #expect(throws: Refusal(twice, help: "give one of them")) {
      try merged(run(2), run(1), run(2))
    }
    let whole = "run 1 is not a shard: it was measured as a whole"
    let help = "measure shards with --shard 1/5, or everything in one run"
    #expect(throws: Refusal(whole, help: help)) {
      try merged(run(1), run(nil))
    }
    let foreign = "run 0 holds \(stray.outcomes[0].cell), which belongs to another shard"
    #expect(throws: Refusal(foreign, help: "give the run as bench wrote it")) {
      try merged(stray)
    }
  }
}

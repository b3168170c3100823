import ArgumentParser
import Basics
import BenchAnalysis
import BenchResults
import Foundation
import MenuSources
import Testing

@testable import BenchCLI
@testable import BenchEngine
@testable import MenuWorkloads
@testable import RevisionBuild

@Suite("A comparison measures the workloads that count")
struct ComparePlanTests {
  private func plan(_ arguments: String, _ questions: [Criteria]) throws -> [String] {
    let typed = try CellOptions.parse(arguments.split(separator: " ").map(String.init))
    return try typed.planned(for: questions, in: suite).cells.map {
      "\($0.cell.workload) at \($0.cell.durability)"
    }.distinct
  }

  private let usual = "--backend json --menu small"

  @Test("They are those that a question weighs, and the round trip for a metric of a whole pass")
  func weighed() throws {
    let combos = Criteria(weights: [
      Weight(.workload("combo"), 1), Weight(.workload("patch:changes=100"), 1),
      Weight(.metric("stored_bytes"), 1),
    ])
    #expect(
      try plan(usual, [combos]) == [
        "combo at atomic", "patch:changes=100 at durable", "roundtrip at atomic",
      ])
  }

  @Test("For all needs they are everything that has a weight, and saves at durable")
  func allNeeds() throws {
    #expect(
      try plan(usual, NeedInfo.ofMenus.map(Criteria.init)) == [
        "launch-flow at durable", "first-menu at atomic", "roundtrip at atomic",
        "product at atomic", "combo at atomic", "search at atomic", "offline at durable",
        "patch at durable", "contention at durable", "replace at durable",
      ])
  }

  @Test("They are those that you name, or all if nothing has a weight")
  func named() throws {
    let combos = Criteria(weights: [Weight(.workload("combo"), 1)])
    #expect(
      try plan(usual + " --workload search,combo --durability none", [combos])
        == ["search at none", "combo at none"])
    #expect(try plan(usual, []) == plan(usual + " --workload all", []))
    #expect(try plan(usual, []).contains("upgrade:change=back at atomic"))
  }
}

@Suite("The comparison of a stored run")
struct StoredComparisonTests {
  @Test("is refused if the run has no figure")
  func refused() throws {
    try inFolder { folder in
      let path = folder + "/run.json"
      try RunFile.write(run([]), to: path)
      let error = refusal { _ = try StoredRun.sideBySide(path) }
      #expect(error?.message == "\(path) holds no figure to compare")
      #expect(error?.status == .unmeasured)
      try RunFile.write(run([count(1)]), to: path)
      #expect(try StoredRun.sideBySide(path).hasFigures)
    }
  }
}

@Suite("The first line of output says what is measured")
struct StartLineTests {
  private func plan(budget: Double?, blocks: Int? = nil, metrics: Set<String>? = nil) -> RunPlan {
    let cells = ["json", "plist"].map {
      PlannedCell(cell: cell($0), documentName: "large", fingerprint: "00")
    }
    return RunPlan(
      cells: cells, blocks: blocks, budgetSeconds: budget, metrics: metrics, storage: ".", seed: 1)
  }

  private static let what = "measuring json, plist on large: roundtrip at atomic; 2 cells, "

  @Test("with the duration of a run, which no budget makes shorter than each cell once")
  func run() {
    #expect(plan(budget: 40).startLine == Self.what + "at most 40 s, but each once")
    #expect(plan(budget: 0.1).startLine == Self.what + "at most 1 s, but each once")
    #expect(plan(budget: nil, blocks: 3).startLine == Self.what + "3 blocks each")
    #expect(plan(budget: nil).startLine == Self.what + "until all are precise")
  }

  @Test("with the sampling time of a profile, and without a time for counts")
  func profile() {
    let cells = plan(budget: nil).cells
    #expect(
      cells.profilingLine(.cpu, seconds: 10)
        == "profiling json, plist on large: roundtrip at atomic by cpu; about 10 s each plus starting processes"
    )
    let one = [cells[0]]
    #expect(
      one.profilingLine(.cpu, seconds: 0.5)
        == "profiling json on large: roundtrip at atomic by cpu; about 1 s plus starting processes"
    )
    #expect(
      one.profilingLine(.io, seconds: 10) == "profiling json on large: roundtrip at atomic by io")
  }

  @Test("with the limits of a gate's budget: neither counts nor an analysis that began")
  func gate() {
    #expect(
      plan(budget: 300).gateLine
        == Self.what + "counts first, then times, no further analysis after 300 s")
    #expect(plan(budget: nil).gateLine == Self.what + "counts first, then times")
    #expect(plan(budget: 300, metrics: ["allocations"]).gateLine == Self.what + "counts only")
  }
}

@Suite("Outside of a terminal, a run reports its progress now and then")
struct ProgressLineTests {
  @Test("Every ten seconds it prints a line with cells, blocks and time")
  func lines() throws {
    try inFolder { folder in
      let display = ProgressDisplay(folder: try OutputFolder(folder), showsBar: false)
      let lines = [3.0, 9.9, 10.2, 19.0, 20.3].map { seconds in
        display.line(
          RunProgress(
            cell: cell(), kind: .timed, timedBlocks: 1, cellsDone: 2, cells: 12,
            elapsedSeconds: seconds, budgetSeconds: 40))
      }
      #expect(
        lines == [
          nil, nil, "2 of 12 cells done, 3 blocks, 10 s of at most 40 s", nil,
          "2 of 12 cells done, 5 blocks, 20 s of at most 40 s",
        ])
    }
  }

  @Test("Cells that make no sense have one line for each reason, and failed cells one line each")
  func endings() {
    func outcome(_ backend: String, _ stop: Outcome.Stop, _ reason: String? = nil) -> Outcome {
      var upgrade = cell(backend)
      upgrade.workload = "upgrade"
      return Outcome(cell: upgrade, timedBlocks: 0, stop: stop).with(\.reason, reason)
    }
    let names = ["sqlite", "lmdb", "flat", "protobuf"]
    var record = run([])
    record.outcomes =
      names.map { outcome($0, .notApplicable, "its codec takes menus alone") }
      + [outcome("json", .blocks), outcome("plist", .failed), outcome("blob", .failed)]
      + [outcome("cached-json", .notApplicable, "it codes nothing")]
    record.failures = [
      Failure(cell: outcome("plist", .failed).cell, stage: nil, reason: "it is torn"),
      Failure(cell: outcome("blob", .failed).cell, stage: nil, reason: "it is torn"),
    ]
    let display = ProgressDisplay(folder: nil, showsBar: false)
    #expect(
      display.endings(record) == [
        "plist/large/upgrade/atomic: failed: it is torn",
        "blob/large/upgrade/atomic: failed: it is torn",
        "upgrade does not apply to sqlite, lmdb, flat and 1 more: its codec takes menus alone",
        "upgrade does not apply to cached-json: it codes nothing",
      ])
    #expect(display.endings(record) == [])
  }

  @Test("After the budget it says why it continues, and which of the given blocks remain")
  func remaining() throws {
    try inFolder { folder in
      func line(
        _ seconds: [Double], budget: Double?, blocks: Int?, done: Int = 0, cells: Int = 2
      ) throws -> String? {
        let display = ProgressDisplay(
          folder: try OutputFolder(folder), blocks: blocks, showsBar: false)
        return seconds.enumerated().compactMap { index, seconds in
          let progress = RunProgress(
            cell: cells > 2 ? cell("\(index)") : cell(), kind: .timed,
            timedBlocks: cells > 2 ? 1 : index + 1, cellsDone: done, cells: cells,
            elapsedSeconds: seconds, budgetSeconds: budget)
          return display.line(progress)
        }.last
      }
      let lines = [
        try line([10], budget: 4, blocks: nil),
        // Two of five had their turn, the second of them in twenty seconds.
        try line([4, 24], budget: 4, blocks: nil, done: 2, cells: 5),
        // The second of eight blocks took ten seconds, or a hundred.
        try line([2, 12], budget: nil, blocks: 4), try line([2, 102], budget: nil, blocks: 4),
        // The other cell has no more blocks, and then no cell has.
        try line([2, 12], budget: nil, blocks: 4, done: 1),
        try line([2, 12], budget: nil, blocks: 2, done: 2),
      ]
      #expect(
        lines == [
          "0 of 2 cells done, 1 block, 10 s: every cell is measured once, whatever the budget",
          "2 of 5 cells done, 2 blocks, 24 s: every cell is measured once, whatever the budget, about"
            + " 60 s more",
          "0 of 2 cells done, 2 blocks, 12 s, about 60 s more",
          "0 of 2 cells done, 2 blocks, 102 s, about 10 min more",
          "1 of 2 cells done, 2 blocks, 12 s, about 20 s more",
          "2 of 2 cells done, 2 blocks, 12 s",
        ])
    }
  }
}

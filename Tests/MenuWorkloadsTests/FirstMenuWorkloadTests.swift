import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("The workload first-menu")
struct FirstMenuWorkloadTests {
  private let workload = FirstMenuWorkload()

  private func counts(_ series: [Series]) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: series.map {
        ("\($0.phase) \($0.metric.id)", $0.blocks.joined().count)
      })
  }

  @Test(
    "has thirty cold processes, three that decode ten times, and three after a crash",
    arguments: ["json", "sqlite"])
  func timed(id: String) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let (series, requests) = try ColdBench(backend: entry).measure(workload)
    let thirteen = [[0], [0], [0], [1], [2], [3]] + Array(repeating: [0], count: 7)
    #expect(requests.map(\.order) == thirteen + thirteen + thirteen)
    #expect(requests.filter(\.isKilled).map(\.order) == [[2], [2], [2]])
    #expect(
      counts(series) == [
        "first-screen wall": 30, "whole-menu wall": 30, "start wall": 39, "first-decode wall": 3,
        "tenth-decode wall": 3, "first-screen resident_share": 30,
        "whole-menu resident_share": 30, "screen-after-crash wall": 3,
        "screen-after-crash resident_share": 3,
      ])
  }

  @Test("has the whole menu no sooner than the first screen")
  func order() throws {
    let (series, _) = try ColdBench().measure(workload)
    let screen = try #require(series.first { $0.phase == "first-screen" }?.blocks[0])
    let whole = try #require(series.first { $0.phase == "whole-menu" }?.blocks[0])
    #expect(screen.count == whole.count && !screen.isEmpty)
    #expect(zip(screen, whole).allSatisfy { $0 <= $1 })
  }

  @Test("measures the peaks of memory in their own blocks, not while it decodes ten times")
  func counted() throws {
    let (series, requests) = try ColdBench(kind: .resident).measure(workload)
    #expect(requests.map(\.order) == [[0], [0], [0]])
    #expect(
      counts(series) == ["first-screen peak_rss_bytes": 3, "whole-menu peak_rss_bytes": 3])
  }

  @Test("refuses a backend that keeps nothing, and no other")
  func refusal() {
    let refused = BackendRegistry.all.filter { workload.refusal(of: $0) != nil }
    #expect(refused.map(\.id) == ["memory"])
    #expect(workload.refusal(of: .memory) == "memory keeps nothing for a fresh process")
  }

  @Test("fails if a cold process finds another first screen, or another menu after it")
  func otherMenu() throws {
    var (screen, menu) = (ColdBench.menu, ColdBench.menu)
    screen.categories[screen.categories.count - 1].name += "!"
    menu.revision += 1
    for (stored, said) in [
      (screen, "the first screen that is read back is not the stored one"),
      (menu, "the menu that a fresh process reads is not the stored one"),
    ] {
      #expect(throws: WorkloadFailure(said)) { try ColdBench(stored: stored).measure(workload) }
    }
  }

  @Test("fails if a cold process returns less than it was asked for")
  func lessThanAsked() throws {
    let menu = ColdBench.menu
    let plan = try workload.plan(for: menu)
    func take(_ finding: FirstMenuFinding, _ number: Int) throws {
      _ = try workload.notes(of: finding, workload.order(number, by: plan), by: plan)
    }
    let differs = WorkloadFailure(
      "the menu that a fresh process reads is not the stored one")
    #expect(throws: differs) { try take(FirstMenuFinding(), 0) }
    let menuAlone = FirstMenuFinding(menus: [plan.menu])
    #expect(throws: WorkloadFailure("a fresh process saw no first screen")) {
      try take(menuAlone, 0)
    }
    #expect(throws: WorkloadFailure("a fresh process decoded 0 times, not 10")) {
      try take(menuAlone, 3)
    }
  }

  @Test("fails if the warm process finds another first screen")
  func otherWarmScreen() throws {
    var stored = ColdBench.menu
    stored.combos[0].name += "!"
    let backend = MemoryBackend<Menu>()
    try backend.write(stored)
    #expect(throws: WorkloadFailure.self) {
      try WorkloadStage.run(workload, on: backend, ColdBench.menu)
    }
    try backend.write(ColdBench.menu)
    try WorkloadStage.run(workload, on: backend, ColdBench.menu)
  }
}

import BenchAnalysis
import BenchEngine
import Foundation
import MenuModel
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("The page of a self-test counts gates of several machines together and tells them apart")
struct SelfTestPageTests {
  private static func trial(_ machine: String, outcome: String = "passed") throws -> GateTrial {
    try JSONDecoder().decode(
      GateTrial.self,
      from: Data(
        """
        {"rules": 4, "started": "2026-11-25T09:00:00Z", "seconds": 100, "machine": "\(machine)",
         "menu": "large", "backends": ["json"], "drifts": {}, "condition": "quiet", "layouts": [11, 12],
         "rows": [{"backend": "json", "phase": "decode", "metric": "wall", "verdict": "unchanged",
                   "ratio": 1.01, "low": 1.0, "high": 1.02, "baseline": 50000000}],
         "unchangedCounts": 3, "outcome": "\(outcome)"}
        """.utf8))
  }

  @Test("One machine is named once and nowhere else")
  func one() throws {
    let page = SelfTestPage(trials: [try Self.trial("an M1")], command: "bench selftest").markdown
    #expect(page.contains("- Machine: an M1.\n"))
    #expect(page.contains("| nobody: gates | 0 | 1 | 0.0 % |"))
    #expect(page.contains("| json | decode | 50.0 ms | 1 |"))
    #expect(page.contains("| 1 | 2026-11-25T09:00:00Z | nobody |"))
    #expect(!page.contains("machine 1"))
  }

  @Test("Of two each has its own rows beside those of both")
  func two() throws {
    let trials = [
      try Self.trial("an M1"), try Self.trial("an EPYC", outcome: "regressed"),
      try Self.trial("an EPYC"),
    ]
    let page = SelfTestPage(trials: trials, command: "bench selftest").markdown
    #expect(page.contains("- Machine 1, of 1 gate: an M1.\n- Machine 2, of 2 gates: an EPYC.\n"))
    #expect(page.contains("| nobody: gates | 1 | 3 | 33.3 % |"))
    #expect(page.contains("| nobody, machine 1: gates | 0 | 1 | 0.0 % |"))
    #expect(page.contains("| nobody, machine 2: gates | 1 | 2 | 50.0 % |"))
    #expect(page.contains("| json, machine 1 | decode | 50.0 ms | 1 |"))
    #expect(page.contains("| json, machine 2 | decode | 50.0 ms | 2 |"))
    #expect(page.contains("| 2 | 2026-11-25T09:00:00Z, machine 2 | nobody |"))
  }
}

@Suite("A self-test slows down")
struct SelfTestTargetTests {
  @Test("a phase that a codec takes, one that is noisy, and a save that waits for the drive")
  func usual() throws {
    func targets(_ backend: String) throws -> [String] {
      try SelfTestSetup<OwnSuite>(
        backend: backend, menu: "small", target: nil, storage: ".", seed: 1
      ).targets.map(\.words)
    }
    #expect(
      try targets("json,plist,sqlite,memory") == [
        "json/small/roundtrip/atomic decode", "sqlite/small/roundtrip/atomic read",
        "sqlite/small/roundtrip/durable write",
      ])
    #expect(try targets("json") == ["json/small/roundtrip/atomic decode"])
  }
}

private enum OwnSuite: BenchApp {
  static let suite = Suite(
    backends: BackendRegistry.all, workloads: WorkloadRegistry.all, source: MenuSource())
}

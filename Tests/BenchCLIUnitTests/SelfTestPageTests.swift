import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis
@testable import BenchCLI

@Suite("The page of a self-test counts gates of several machines together and tells them apart")
struct SelfTestPageTests {
  private static func trial(
    _ machine: String, outcome: String = "passed", beside condition: String = "quiet",
    planted: String = "null", verdict: String = "unchanged"
  ) throws -> GateTrial {
    try JSONDecoder().decode(
      GateTrial.self,
      from: Data(
        """
        {"rules": 4, "started": "2026-11-25T09:00:00Z", "seconds": 100, "machine": "\(machine)",
         "menu": "large", "backends": ["json"], "drifts": {}, "condition": "\(condition)", "layouts": [11, 12],
         "planted": \(planted),
         "rows": [{"backend": "json", "phase": "decode", "metric": "wall", "verdict": "\(verdict)",
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

  @Test("How many times were left inconclusive is said of each condition that was met")
  func inconclusive() throws {
    let trials = try ["unchanged", "improved", "inconclusive", "none"].map {
      try Self.trial("an M1", beside: "busy", verdict: $0)
    }
    let page = SelfTestPage(trials: trials, command: "bench selftest").markdown
    #expect(page.contains("| a busy neighbour: verdicts on times | 0 | 3 | 0.0 % | |\n"))
    #expect(
      page.contains(
        "called improved: 1 of 3. Of medians (`wall`) inconclusive were 33.3 % beside a busy neighbour "
          + "(1 of 3). A gate"))
    #expect(
      page.contains("- By the gate's rules number 4; they are \(SequentialTest.rules) now.\n"))
  }

  @Test("A terminal gets a line a kind of gate in place of the page")
  func tally() throws {
    let planted = #"{"backend": "json", "phase": "decode", "durability": "atomic", "share": 0.05}"#
    let trials = [
      try Self.trial("an M1"), try Self.trial("an M1", outcome: "regressed"),
      try Self.trial("an M1", planted: planted, verdict: "regressed"),
      try Self.trial("an M1", planted: planted, verdict: "inconclusive"),
      try Self.trial("an M1", beside: "busy", planted: planted),
    ]
    #expect(
      SelfTestPage(trials: trials, command: "bench selftest").tally == """
        nothing changed, nobody: 1 of 2 gates red (95 %: 1.3 %–98.7 %)
        5.0 % slower, nobody: 1 of 2 found, 1 inconclusive, 0 unchanged
        5.0 % slower, a busy neighbour: 0 of 1 found, 0 inconclusive, 1 unchanged

        """)
  }

  @Test("Of replays it gets gates, comparisons of counts, and a line a slowdown")
  func replays() {
    let key = Series.Key(cell: cell(), phase: "decode", metric: Metric.wall.id)
    var (quiet, slowed) = (ReplayTally(), ReplayTally(expected: [key]))
    for verdict in [Verdict.regressed, .unchanged] {
      quiet.add(Replay.Suite(verdicts: [key: verdict], pairs: [:]))
    }
    slowed.add(Replay.Suite(verdicts: [key: .regressed], pairs: [:]))
    let findings = ReplayFindings(
      machine: Machine(build: "release"), setup: "",
      falseAlarms: ReplayFindings.Replayed(tally: quiet, secondsPerVerdict: 0),
      slowdowns: [
        ReplayFindings.Slowdown(
          target: "json/large/roundtrip/atomic decode", injected: 0.05,
          replayed: ReplayFindings.Replayed(tally: slowed, secondsPerVerdict: 0))
      ], exact: ExactFindings(falseAlarms: Rate(count: 0, of: 6)))
    #expect(
      ReplayPage(findings: findings, command: "bench selftest").tally == """
        nothing changed: 1 of 2 gates red (95 %: 1.26 %–98.74 %)
        nothing changed, counts: 0 of 6 comparisons red
        5.0 % slower, json/large/roundtrip/atomic decode: 1 of 1 found

        """)
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

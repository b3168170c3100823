import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("Whole gates of a self-test are counted by what they said")
struct GateTrialTests {
  private static func trial(
    _ rows: [(String, String, String, Double)], planted: String? = nil, layouts: [Int]? = [1, 2]
  ) throws -> GateTrial {
    let rows = rows.map { backend, phase, verdict, ratio in
      """
      {"backend": "\(backend)", "phase": "\(phase)", "metric": "wall", "verdict": "\(verdict)",
       "ratio": \(ratio), "low": \(ratio * 0.99), "high": \(ratio * 1.01), "baseline": 1000}
      """
    }
    let places = layouts.map { "\"layouts\": \($0)," } ?? ""
    let change =
      planted.map {
        """
        "planted": {"backend": "json", "phase": "\($0)", "durability": "atomic", "share": 0.05},
        """
      } ?? ""
    let isRed = rows.contains { $0.contains("regressed") }
    return try JSONDecoder().decode(
      GateTrial.self,
      from: Data(
        """
        {"rules": 1, "started": "2026-11-25T09:00:00Z", "seconds": 100, "machine": "m",
         "menu": "large", "backends": ["json"], "drifts": {}, "condition": "quiet", \(places) \(change)
         "rows": [\(rows.joined(separator: ", "))], "unchangedCounts": 3,
         "outcome": "\(isRed ? "regressed" : "passed")"}
        """.utf8))
  }

  @Test("A gate with nothing changed is red where any row is called regressed")
  func falseAlarms() throws {
    let tally = TrialTally([
      try Self.trial([("json", "decode", "unchanged", 1), ("json", "read", "improved", 0.9)]),
      try Self.trial([
        ("json", "decode", "regressed", 1.1), ("json", "read", "inconclusive", 1),
        ("json", "write", "none", 1),
      ]),
    ])
    #expect(tally.redGates == Rate(count: 1, of: 2))
    #expect(tally.redRows == Rate(count: 1, of: 4))
    #expect(tally.greenRows == Rate(count: 1, of: 4))
    #expect(tally.openMedians == Rate(count: 1, of: 4))
    #expect(tally.found == Rate())
    #expect(tally.seconds == [100, 100])
  }

  @Test("Gates of the same storages are counted together, whether or not each could be measured")
  func alike() throws {
    let whole = try Self.trial([("json", "decode", "unchanged", 1)])
    var failed = try Self.trial([])
    failed.outcome = "unmeasured"
    #expect(whole.isLike(failed) && failed.isFalselyRed)
    failed.backends = ["json", "plist"]
    #expect(!whole.isLike(failed))
  }

  @Test("A phase that was slowed down is found, undecided or missed, and reddens no other row")
  func planted() throws {
    let tally = TrialTally([
      try Self.trial([("json", "decode", "regressed", 1.05)], planted: "decode"),
      try Self.trial([("json", "decode", "inconclusive", 1.04)], planted: "decode"),
      try Self.trial(
        [("json", "decode", "unchanged", 1.01), ("json", "open", "regressed", 1.03)],
        planted: "decode"),
      // Too short to be judged: neither found nor missed, and no pass either.
      try Self.trial([("json", "open", "unchanged", 1)], planted: "decode"),
    ])
    #expect(tally.found == Rate(count: 1, of: 4))
    #expect(tally.undecided == 1)
    #expect(tally.missed == 1)
    #expect(tally.redGates == Rate(count: 1, of: 4))
    #expect(tally.redRows == Rate(count: 1, of: 2))
  }

  @Test("What the order of the code moves is told of gates between two orders alone")
  func layouts() throws {
    let effects = LayoutEffect.all([
      try Self.trial([("json", "decode", "unchanged", 1.02)]),
      try Self.trial([("json", "decode", "unchanged", 1 / 1.005)]),
      try Self.trial([("json", "decode", "regressed", 1.5)], layouts: nil),
      try Self.trial([("json", "decode", "regressed", 1.5)], layouts: [2, 2]),
      try Self.trial([("json", "decode", "regressed", 1.5)], planted: "decode"),
    ])
    #expect(effects.map(\.gates) == [2])
    #expect(effects.map { ($0.median * 1e4).rounded() } == [125])
    #expect(effects.map { ($0.largest * 1e4).rounded() } == [200])
    #expect(effects.map { (($0.halfWidth ?? 0) * 1e4).rounded() } == [101])
    #expect(effects.map(\.apart) == [1])
    #expect(effects.map(\.beyond) == [0])
    #expect(effects.map(\.time) == [1_000])
    #expect(effects.map { ($0.floor * 1e4).rounded() } == [3_625])
  }

  @Test("An interval lies beyond what is allowed as a whole or not at all, whichever way")
  func beyond() throws {
    // Of 1,000 ns 36.25 % are allowed; the intervals reach 1 % either way.
    let effects = LayoutEffect.all([
      try Self.trial([("json", "decode", "inconclusive", 1.37)]),
      try Self.trial([("json", "decode", "inconclusive", 1.38)]),
      try Self.trial([("json", "decode", "inconclusive", 1 / 1.37)]),
      try Self.trial([("json", "decode", "inconclusive", 1 / 1.38)]),
    ])
    #expect(effects.map(\.apart) == [4])
    #expect(effects.map(\.beyond) == [2])
  }
}

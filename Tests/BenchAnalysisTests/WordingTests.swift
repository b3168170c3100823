import BenchResults
import Testing

@testable import BenchAnalysis

@Suite("The wording of reports")
struct WordingTests {
  @Test("Two different values that would look equal are shown in whole units")
  func alike() {
    #expect(Wording.values(1_850_112, 1_850_240, .bytes) == ("1,850,112 B", "1,850,240 B"))
    #expect(Wording.values(6_081_234, 6_081_999, .nanoseconds) == ("6,081,234 ns", "6,081,999 ns"))
    #expect(Wording.values(1_850_112, 1_850_112, .bytes) == ("1.85 MB", "1.85 MB"))
    #expect(Wording.values(1_850_112, 2_000_000, .bytes) == ("1.85 MB", "2.00 MB"))
  }

  @Test(
    "Figures have three digits and a unit, and counts have separated thousands",
    arguments: [
      (Wording.time(0), "0 ns"), (Wording.time(41), "41 ns"), (Wording.time(90.5), "91 ns"),
      (Wording.time(9.6), "10 ns"), (Wording.time(5.25), "5.25 ns"),
      (Wording.time(999.4), "999 ns"), (Wording.time(999.6), "1.00 µs"),
      (Wording.time(51_300), "51.3 µs"), (Wording.time(9_994), "9.99 µs"),
      (Wording.time(9_996), "10.0 µs"), (Wording.time(1_200_000), "1.20 ms"),
      (Wording.time(3.05e9), "3.05 s"), (Wording.time(7.2e12), "7,200 s"),
      (Wording.time(-5), "-5 ns"),
      (Wording.bytes(512), "512 B"), (Wording.bytes(999), "999 B"),
      (Wording.bytes(1_000), "1.00 kB"), (Wording.bytes(1_640_000), "1.64 MB"),
      (Wording.bytes(1e18), "1,000,000 TB"),
      (Wording.count(0.0), "0"), (Wording.count(999.0), "999"), (Wording.count(11_037.0), "11,037"),
      (Wording.count(1_234_567.5), "1,234,567.5"), (Wording.count(-1_000.0), "-1,000"),
      (Wording.count(1e21), "1,000,000,000,000,000,000,000"),
      (Wording.percent(0.042), "4.2 %"), (Wording.percent(0.12), "12 %"),
      (Wording.percent(0), "0.0 %"),
      // A precision is never 0.
      (Wording.precision(0.042), "±4.2 %"), (Wording.precision(0.0006), "±0.1 %"),
      (Wording.precision(0.0004), "<0.1 %"), (Wording.precision(0), "<0.1 %"),
      // A multiple of the best says no thousands.
      (Wording.multipleOfBest(1, isClose: false), "best"),
      (Wording.multipleOfBest(1.04, isClose: true), "≈ best"),
      (Wording.multipleOfBest(1.04, isClose: false), "1.04×"),
      (Wording.multipleOfBest(1_000, isClose: false), "1,000×"),
      (Wording.multipleOfBest(15_975, isClose: false), "> 1,000×"),
      (Wording.multipleOfBest(1, isClose: false, reference: "json"), "1.00×"),
      (Wording.multipleOfBest(0.96, isClose: true, reference: "json"), "≈ json"),
      (Wording.multipleOfBest(0.003, isClose: false, reference: "json"), "< 0.01×"),
      // Long lists end in how many more there are.
      (Wording.list(["a", "b"]), "a, b"),
      (Wording.list(["a", "b", "c", "d"]), "a, b, c and 1 more"),
    ] as [(String, String)])
  func figures(found: String, expected: String) {
    #expect(found == expected)
  }

  @Test(
    "A value that is not a number does not trap", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(value: Double) {
    for text in [
      Wording.time(value), Wording.bytes(value), Wording.count(value), Wording.multiple(value),
      Wording.percent(value), Wording.change(value, .wall),
    ] {
      #expect(!text.isEmpty)
    }
  }

  @Test(
    "A change reads as a multiple with a direction, never below 1",
    arguments: [
      (1.07, Metric.wall, "1.07× slower"), (0.5, .wall, "2.00× faster"), (1.001, .wall, "same"),
      (1, .allocations, "same"), (1.00002, .allocations, "+0.002 %"),
      (1.002, .instructions, "+0.2 %"),
      (0.9, .allocations, "1.11× fewer"), (1.5, .storedBytes, "1.50× larger"),
      (0.5, .storedBytes, "2.00× smaller"), (0, .allocations, "down to 0"),
      (12_345, .wall, "12,345× slower"),
    ])
  func change(ratio: Double, metric: Metric, text: String) {
    #expect(Wording.change(ratio, metric) == text)
  }
}

@Suite("The wording of a gate")
struct GateWordingTests {
  @Test(
    "A change of the counts tier shows its figure next to the ratio",
    arguments: [
      (1.0001, 1, Metric.allocations, "+1 (+0.01 %)"), (nil, 3, .allocations, "+3"),
      (0, -3, .allocations, "-3 (down to 0)"), (1, 0, .allocations, "same"),
      (0.5, -1_000_000, .storedBytes, "-1.00 MB (2.00× smaller)"),
      (1.00001, 64, .allocatedBytes, "+64 B (+0.001 %)"),
      (1.0042, 42_000, .instructions, "+42,000 (+0.4 %)"),
      (1.07, nil, .wall, "+7.0 %"), (nil, nil, .wall, nil),
    ] as [(Double?, Double?, Metric, String?)])
  func change(ratio: Double?, difference: Double?, metric: Metric, text: String?) {
    let row = RowComparison(ratio: ratio, difference: difference)
    #expect(Wording.change(row, metric) == text)
  }

  @Test("The largest samples have enough digits to differ")
  func most() {
    func change(_ metric: Metric, _ then: Double, _ now: Double) -> String? {
      var row = RowComparison(ratio: now / then, difference: now - then)
      row.most = RowComparison.Figures(baseline: then, now: now)
      return Wording.change(row, metric)
    }
    #expect(
      change(.storedPeakBytes, 1_850_112, 1_850_240) == "at most 1,850,240 B, was 1,850,112 B")
    #expect(change(.storedPeakBytes, 1_850_112, 2e6) == "at most 2.00 MB, was 1.85 MB")
  }

  @Test(
    "Every doubt has a reason",
    arguments: [
      (Doubt.wide(upTo: 1.0431), "up to +4.3 %"), (.wide(upTo: 1.14), "up to +14 %"),
      (.wide(upTo: 12.311), "up to 12.3×"), (.wide(upTo: 0.981), "perhaps faster"),
      (.blocks(have: 3, need: 12), "need 12 blocks"), (.notExact, "blocks differ"),
      (.drift(1.1), "control moved"), (.noRatio, "no ratio"),
    ])
  func doubt(doubt: Doubt, text: String) {
    #expect(Wording.doubt(doubt) == text)
  }

  @Test(
    "A verdict has the word for its metric",
    arguments: [
      (Verdict.regressed, Metric.wall, "slower"), (.improved, .cpu, "faster"),
      (.inconclusive(.wide(upTo: 1.14)), .wall, "cannot say, up to +14 %"),
      (.unchanged, .wall, "same"), (.unchanged, .allocations, "same"),
      (.regressed, .allocations, "more"), (.improved, .allocations, "fewer"),
      (.regressed, .storedBytes, "larger"), (.improved, .storedBytes, "smaller"),
      (.regressed, Metric(id: "rate", unit: .count, better: .higher), "fewer"),
      (.overLimit, .wall, "over its limit"), (.new, .wall, "new"), (.missing, .wall, "missing"),
      (.belowFloor, .wall, "below-floor"),
    ] as [(Verdict, Metric, String)])
  func verdict(verdict: Verdict, metric: Metric, word: String) {
    #expect(Wording.verdict(verdict, metric) == word)
  }

  @Test(
    "A time's change is a percentage below a doubling, with its interval",
    arguments: [
      (1.059, 1.049, 1.069, "+5.9 % (4.9–6.9)"), (0.86, 0.85, 0.872, "-14 % (13–15)"),
      (1.004, 0.988, 1.02, "+0.4 % (-1.2 % to +2.0 %)"),
      (1, 0.9999, 1.0001, "0.0 % (0.0 % to 0.0 %)"),
      (1.8, 1.5, 2.1, "+80 % (+50 % to 2.10×)"), (2.3, 2.1, 2.5, "2.30× (2.10× to 2.50×)"),
      (0.001, 0.0009, 0.002, "-99.9 % (99.8–99.9)"),
    ] as [(Double, Double, Double, String)])
  func shift(ratio: Double, low: Double, high: Double, text: String) {
    #expect(Wording.shift(ratio, within: Interval(low: low, high: high)) == text)
  }
}

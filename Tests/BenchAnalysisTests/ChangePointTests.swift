import Basics
import Foundation
import Testing

@testable import BenchAnalysis

@Suite("Changes of level in a series")
struct ChangePointTests {
  /// Annual flow of the Nile at Aswan, 1871 to 1970, in 10⁸ m³: Cobb, "The Problem of the Nile", Biometrika 65 (1978).
  private static let nile: [Double] = [
    1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180,
    799, 958, 1140, 1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833,
    701, 916, 692, 1020, 1050, 969, 831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845,
    864, 862, 698, 845, 744, 796, 1040, 759, 781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649,
    846, 812, 742, 801, 1040, 860, 874, 848, 890, 744, 749, 838, 1050, 918, 986, 797, 923, 975, 815,
    1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740,
  ]

  @Test("The Nile's level fell once, after 1898, as Cobb and the authors' own program found")
  func nile() {
    #expect(Self.nile.count == 100)
    #expect(Statistics.changePoints(Self.nile).map { 1871 + $0 } == [1899])
  }

  /// How many of some series are said to change by what holds of the places found, printed with its exact interval.
  private func share(
    _ what: String, of series: Int, seed: UInt64, values: (inout Noise, Int) -> [Double],
    isHeavy: Bool = false, where holds: ([Int], Int) -> Bool
  ) throws -> Interval {
    let count = (0..<series).count { number in
      var noise = Noise(seed: seed &+ UInt64(number), deviation: 0.01, isHeavy: isHeavy)
      return holds(Statistics.changePoints(values(&noise, number)), number)
    }
    let interval = try #require(Statistics.clopperPearson(successes: count, of: series))
    print(
      "\(what): \(count) of \(series), \(interval.low) to \(interval.high) at 95 %,"
        + " seeds from \(seed)")
    return interval
  }

  @Test("A step of three standard deviations is found within two runs of its place, in 95 of 100")
  func power() throws {
    func place(_ number: Int) -> Int { 10 + number % 31 }
    func values(_ noise: inout Noise, _ number: Int) -> [Double] {
      (0..<50).map { ($0 < place(number) ? 0 : 0.03) + noise.next() }
    }
    let found = try share("found", of: 1_000, seed: 20_000_000, values: values) { changes, number in
      changes.contains { abs($0 - place(number)) <= 2 }
    }
    #expect(found.low >= 0.95)
    let alone = try share("alone", of: 1_000, seed: 20_000_000, values: values) { changes, _ in
      changes.count == 1
    }
    #expect(alone.low >= 0.95)
  }

  /// Steps of one series: their heights in standard deviations, and how many runs a level has, one more in some series.
  struct Stairs: CustomTestStringConvertible {
    var heights: [Double]
    var level: Int
    var runs: Int
    var least = 0.95

    var testDescription: String { "\(heights.count) of \(runs) runs" }

    func places(_ number: Int) -> [Int] {
      heights.indices.map { ($0 + 1) * level + (number + $0) % 2 }
    }
  }

  @Test(
    "Several steps of three standard deviations in one series are all found, and no more",
    arguments: [
      // The noise of twenty runs is known less precisely.
      Stairs(heights: [3], level: 10, runs: 20, least: 0.92),
      Stairs(heights: [3, 3], level: 15, runs: 50),
      Stairs(heights: [3, -3], level: 15, runs: 50),
      Stairs(heights: [-3, -3, -3, -3], level: 10, runs: 50),
      Stairs(heights: [3, -3, 3], level: 50, runs: 200),
      // More levels of ten alternating runs are taken for noise.
      Stairs(heights: [3, -3, 3, -3], level: 10, runs: 50, least: 0.72),
    ])
  func several(_ stairs: Stairs) throws {
    func values(_ noise: inout Noise, _ number: Int) -> [Double] {
      let places = stairs.places(number)
      return (0..<stairs.runs).map { run in
        zip(stairs.heights, places).reduce(noise.next()) {
          $0 + ($1.1 <= run ? 0.01 * $1.0 : 0)
        }
      }
    }
    var (found, exceeding) = (0, 0)
    _ = try share(
      "more than \(stairs.testDescription)", of: 2_000, seed: 50_000_000, values: values
    ) { changes, number in
      found += stairs.places(number).count { place in
        changes.contains { abs($0 - place) <= 2 }
      }
      exceeding += changes.count > stairs.heights.count ? 1 : 0
      return changes.count > stairs.heights.count
    }
    #expect(exceeding <= 20)
    let steps = 2_000 * stairs.heights.count
    let interval = try #require(Statistics.clopperPearson(successes: found, of: steps))
    print("\(stairs.testDescription): \(found) of \(steps) steps found, at least \(interval.low)")
    #expect(interval.low >= stairs.least)
  }

  @Test(
    "Without a change, at most one series in a hundred reports one",
    arguments: [
      (6, 5_000, 0), (6, 5_000, 0.01), (6, 5_000, 0.03), (12, 5_000, 0), (12, 5_000, 0.01),
      (12, 5_000, 0.03), (50, 2_000, 0), (50, 2_000, 0.01), (50, 2_000, 0.03), (200, 600, 0),
      (200, 600, 0.01), (200, 600, 0.03), (500, 1_000, 0), (500, 400, 0.01), (500, 400, 0.03),
    ])
  func level(count: Int, series: Int, tick: Double) throws {
    let alarms = try share(
      "\(count) runs, a clock of \(tick)", of: series, seed: 30_000_000 + UInt64(count),
      values: { noise, _ in
        // As a clock sees it that is as coarse as the noise, or far coarser.
        (0..<count).map { _ in
          let value = 1 + noise.next()
          return tick > 0 ? (value / tick).rounded() * tick : value
        }
      }
    ) { changes, _ in !changes.isEmpty }
    #expect(alarms.high <= 0.01)
  }

  @Test("Wild or autocorrelated runs report more false changes, but no more than the page says")
  func rougher() throws {
    let wild = try share(
      "50 runs of which some are wild", of: 1_000, seed: 40_000_000,
      values: { noise, _ in (0..<50).map { _ in noise.next() } }, isHeavy: true
    ) { changes, _ in !changes.isEmpty }
    #expect(wild.high <= 0.0125)
    let alike = try share(
      "50 runs of which each has half of the one before", of: 1_000, seed: 40_000_000,
      values: { noise, _ in Self.alike(50, &noise) }
    ) { changes, _ in !changes.isEmpty }
    #expect(alike.high <= 0.131)
  }

  /// Autocorrelated runs: each keeps half of the one before.
  private static func alike(_ count: Int, _ noise: inout Noise) -> [Double] {
    (0..<count).reduce(into: []) { runs, _ in runs.append(0.5 * (runs.last ?? 0) + noise.next()) }
  }

  @Test("A large step is found among autocorrelated runs")
  func leap() throws {
    let found = try share(
      "leaps among alike neighbours", of: 20, seed: 40_000_000,
      values: { noise, _ in
        Self.alike(200, &noise).enumerated().map { $1 + ($0 < 100 ? 0 : 0.15) }
      }
    ) { changes, _ in changes.contains { abs($0 - 100) <= 2 } }
    #expect(found.high == 1)
  }

  @Test("The rounding of a coarse clock is not a change, but a move by many of its steps is")
  func coarse() {
    let values = [42.0, 42, 42, 42, 83, 83, 83, 42, 42, 42, 42]
    #expect(Statistics.changePoints(values) == [])
    #expect(Statistics.changePoints(values, isExact: true) == [4, 7])
    let jump = [42.0, 83, 42, 42, 83, 42, 250, 291, 250, 250, 291, 250]
    #expect(Statistics.changePoints(jump) == [6])
    // One step is enough for a share, whose resolution is known.
    let frames = [0.0, 0, 0, 0, 80, 80, 80, 80]
    #expect(Statistics.changePoints(frames) == [])
    #expect(Statistics.changePoints(frames, largestTick: 1) == [4])
    // Two states of a process are not changes.
    let moods = [100.0, 100, 100, 100, 130, 130, 100, 130, 130, 100, 100, 100, 100, 100, 100, 100]
    #expect(Statistics.changePoints(moods.map { log($0) }, largestTick: 0.1) == [])
  }

  @Test(
    "Single wild runs, never three in a row, are not a level, but plain steps of two values are"
  )
  func turns() {
    let wild = [100.0, 101, 99, 100, 102, 100, 99, 101, 100, 130, 101, 131, 100, 130]
    #expect(Statistics.changePoints(wild.map { log($0) }) == [])
    #expect(
      Statistics.changePoints(wild.map { log($0) } + [99, 101, 100, 102, 99, 100].map { log($0) })
        == [])
    let counts = Array(repeating: 7.0, count: 7) + [99, 7, 99, 7, 99]
    #expect(Statistics.changePoints(counts, isExact: true) == [])
    // Counts that go to and fro between two values are not exact.
    var coin = SplitMix64(seed: 1)
    for _ in 0..<200 {
      let counts = (0..<30).map { _ in Double(100 + coin.below(2)) }
      #expect(Statistics.changePoints(counts, isExact: true) == [])
    }
    for (before, after) in [(4, 5), (5, 4), (7, 3), (3, 7), (20, 4)] {
      let values = [(42.0, before), (420, after)].flatMap { Array(repeating: $0.0, count: $0.1) }
      #expect(Statistics.changePoints(values) == [before])
    }
  }

  @Test("Ten steps of 1.9 % are found, although no gate finds one of them")
  func creep() {
    var noise = Noise(seed: 1, deviation: 0.005)
    let values = (0..<50).map { log(1.019) * Double($0 / 5) + noise.next() }
    let changes = Statistics.changePoints(values)
    #expect(changes.count >= 3)
    #expect(changes.allSatisfy { (3...47).contains($0) })
  }

  @Test("Exact counts change where they change, and few or infinite values report no change")
  func edges() {
    func changes(_ values: [Double]) -> [Int] { Statistics.changePoints(values, isExact: true) }
    #expect(changes([7, 7, 7, 7, 8, 8, 8, 8]) == [4])
    #expect(changes(Array(repeating: 7, count: 9)) == [])
    #expect(changes([1, 1, 1, 9, 9]) == [])
    #expect(changes([1, 1, 1, 9, 9, .infinity]) == [])
    // One or two wild runs are not a new level, not even at an end.
    #expect(changes([7, 7, 7, 7, 99, 7, 7, 7, 7]) == [])
    #expect(changes([7, 7, 7, 7, 99, 98, 7, 7, 7]) == [])
    #expect(changes([99, 7, 7, 7, 7, 7, 7, 99]) == [])
    #expect(changes([7, 7, 7, 7, 7, 7, 99, 98]) == [])
    #expect(changes([99, 98, 7, 7, 7, 7, 7, 7]) == [])
    #expect(changes([7, 7, 7, 7, 7, 7, 8, 8, 8]) == [6])
    // A small step next to a large one is a step.
    #expect(
      changes([51e6, 51e6, 51e6, 80e6, 80e6, 80e6, 80e6 + 16, 80e6 + 16, 80e6 + 16]) == [3, 6])
    // Rounded sums of long levels with one value each are not changes.
    let levels = [(7.0, 5), (8, 40), (9, 52)].flatMap { Array(repeating: $0.0, count: $0.1) }
    #expect(changes(levels) == [5, 45])
  }
}

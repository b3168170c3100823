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
  }

  @Test(
    "Four such steps in levels of ten runs are found as well, and less often if they go up and down",
    arguments: [([-3.0, -3, -3, -3], 0.95), ([3, -3, 3, -3], 0.8)])
  func several(heights: [Double], least: Double) throws {
    func place(_ step: Int, _ number: Int) -> Int { (step + 1) * 10 + (number + step) % 2 }
    func values(_ noise: inout Noise, _ number: Int) -> [Double] {
      (0..<50).map { run in
        heights.indices.reduce(noise.next()) {
          $0 + (place($1, number) <= run ? 0.01 * heights[$1] : 0)
        }
      }
    }
    var found = 0
    let more = try share("more", of: 2_000, seed: 50_000_000, values: values) { changes, number in
      found += heights.indices.count { step in
        changes.contains { abs($0 - place(step, number)) <= 2 }
      }
      return changes.count > heights.count
    }
    #expect(more.high <= 0.01)
    let steps = 2_000 * heights.count
    let interval = try #require(Statistics.clopperPearson(successes: found, of: steps))
    print("\(found) of \(steps) steps found, at least \(interval.low)")
    #expect(interval.low >= least)
  }

  @Test(
    "Without a change, at most one series in a hundred reports one, also with a coarse clock",
    arguments: [
      (6, 5_000, 0), (6, 5_000, 0.03), (12, 5_000, 0), (12, 5_000, 0.03), (50, 4_000, 0),
      (50, 4_000, 0.03), (200, 600, 0), (200, 600, 0.03), (500, 400, 0),
    ])
  func level(count: Int, series: Int, tick: Double) throws {
    let alarms = try share(
      "\(count) runs, a clock of \(tick)", of: series, seed: 30_000_000 + UInt64(count),
      values: { noise, _ in
        (0..<count).map { _ in
          let value = 1 + noise.next()
          return tick > 0 ? (value / tick).rounded() * tick : value
        }
      }
    ) { changes, _ in !changes.isEmpty }
    #expect(alarms.high <= 0.01)
  }

  @Test("Wild runs report no more changes, and autocorrelated runs no more than the page says")
  func rougher() throws {
    let wild = try share(
      "50 runs of which some are wild", of: 1_000, seed: 40_000_000,
      values: { noise, _ in (0..<50).map { _ in noise.next() } }, isHeavy: true
    ) { changes, _ in !changes.isEmpty }
    #expect(wild.high <= 0.01)
    let alike = try share(
      "50 runs of which each has half of the one before", of: 1_000, seed: 40_000_000,
      values: { noise, _ in
        (0..<50).reduce(into: [Double]()) { runs, _ in
          runs.append(0.5 * (runs.last ?? 0) + noise.next())
        }
      }
    ) { changes, _ in !changes.isEmpty }
    #expect(alike.high <= 0.12)
  }

  @Test("Three runs in a row are a level, but one or two wild runs are not, even at an end")
  func wild() {
    let runs = [100.0, 101, 99, 100, 102, 100, 99, 101, 100, 101, 99, 100]
    func changes(_ places: [Int]) -> [Int] {
      var values = runs.map { log($0) }
      for place in places { values[place] += 0.3 }
      return Statistics.changePoints(values)
    }
    for places in [[], [0], [11], [10, 11], [5, 6], [2, 9], [1, 5, 9, 11]] {
      #expect(changes(places) == [])
    }
    #expect(changes([9, 10, 11]) == [9])
  }

  @Test("Steps without noise are found, and few, equal or infinite values report no change")
  func edges() {
    for (before, after) in [(6, 6), (4, 8), (20, 4)] {
      let values = [(42.0, before), (420, after)].flatMap { Array(repeating: $0.0, count: $0.1) }
      #expect(Statistics.changePoints(values) == [before])
    }
    #expect(Statistics.changePoints(Array(repeating: 7, count: 9)) == [])
    #expect(Statistics.changePoints([1, 1, 1, 9, 9]) == [])
    #expect(Statistics.changePoints([1, 1, 1, 9, 9, .infinity]) == [])
  }

  @Test("Levels of a rise by little and little are a slope, and a step is none")
  func slopes() {
    let rise = (0..<12).map(Double.init)
    #expect(Statistics.isSlope(rise, [0..<4, 4..<8, 8..<12]))
    #expect(!Statistics.isSlope(rise.map { $0 < 6 ? 0 : 6 }, [0..<6, 6..<12]))
    #expect(!Statistics.isSlope(rise, []))
  }
}

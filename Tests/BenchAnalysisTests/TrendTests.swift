import Basics
import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

/// A run of the history, one a minute, each of a revision of its own.
func historyRun(_ number: Int) -> HistoryRun {
  let digits = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
  return HistoryRun(
    id: "run\(digits(number))",
    began: "2026-01-01T\(digits(number / 60)):\(digits(number % 60)):00Z", revision: "r\(number)")
}

/// A figure of each of as many runs, the first of them of a number.
func historyPoints(_ values: [Double], from first: Int = 0) -> [HistoryPoint] {
  values.enumerated().map { number, value in
    HistoryPoint(
      run: historyRun(first + number),
      figure: HistoryFigure(p50: value, interval: nil, blocks: 12, samples: 36))
  }
}

/// Times of encoding with JSON.
func historyKey(
  _ metric: Metric = .wall, phase: String = "encode", menu: String = "00000000000000aa"
) -> HistoryKey {
  HistoryKey(cell: cell(), phase: phase, metric: metric, menu: menu)
}

@Suite("A series over time")
struct TrendTests {
  private func trend(_ levels: [(Double, Int)], _ metric: Metric = .wall) -> Trend {
    Trend(
      historyKey(metric), historyPoints(levels.flatMap { Array(repeating: $0.0, count: $0.1) }))
  }

  private func change(
    _ places: ClosedRange<Int>, _ before: Double, _ after: Double, isSudden: Bool = true
  ) -> Trend.Change {
    Trend.Change(
      places: places, before: before, after: after, better: .lower, isSudden: isSudden,
      control: nil)
  }

  @Test("changes where its level does, by a ratio, for the worse or the better")
  func change() {
    let slower = trend([(100, 8), (125, 8)])
    #expect(
      slower.levels == [
        Trend.Level(places: 0..<8, middle: 100), Trend.Level(places: 8..<16, middle: 125),
      ])
    #expect(slower.changes == [change(8...8, 100, 125)])
    #expect(slower.changes.first?.ratio == 1.25 && slower.ratio == 1.25)
    #expect(slower.changes.map(\.isWorse) == [true] && slower.isChanged)
    #expect(trend([(125, 8), (100, 8)]).changes.map(\.isWorse) == [false])
    let rate = Metric(id: "rate", unit: .count, better: .higher)
    #expect(trend([(125, 8), (100, 8)], rate).changes.map(\.isWorse) == [true])
  }

  @Test("changes by one if its metric is exact, even from 0, and even in the newest run alone")
  func exact() {
    let counts = trend([(11_037, 11), (11_038, 1)], .allocations)
    #expect(counts.changes == [change(11...11, 11_037, 11_038)])
    #expect(counts.levels.map(\.places) == [0..<11, 11..<12])
    #expect(trend([(7, 1), (8, 1)], .allocations).changes.map(\.places) == [1...1])
    #expect(
      trend([(7, 4), (99, 1), (7, 4)], .allocations).changes.map(\.isWorse) == [true, false])
    let begun = trend([(0, 3), (5, 3)], .readCalls)
    #expect(begun.changes.map(\.places) == [3...3])
    #expect(begun.changes.first?.ratio == nil && begun.ratio == nil)
    #expect(trend([(0, 9)], .readCalls).changes == [])
  }

  @Test("is not exact if it goes to and fro, whatever its metric says")
  func alternating() {
    var coin = SplitMix64(seed: 1)
    let found = trend((0..<30).map { _ in (Double(100 + coin.below(2)), 1) }, .allocations)
    #expect(!found.isExact && found.changes == [])
  }

  @Test("has the newest run's figure as now, and the oldest level as it was")
  func ends() {
    let times = trend([(100, 8), (125, 8), (131, 1)])
    #expect(times.was == 100 && times.now == 131 && times.ratio == 1.25)
    let sizes = trend([(100, 8), (125, 1)], .payloadBytes)
    #expect(sizes.was == 100 && sizes.now == 125 && sizes.ratio == 1.25)
  }

  @Test("ignores moves of times below two per cent, and of memory below a tenth")
  func floors() {
    let times = trend([(100, 6), (101, 6)])
    #expect(times.levels.count == 2 && times.changes == [] && !times.isChanged)
    #expect(trend([(100e6, 6), (105e6, 6)], .peakRSSBytes).changes == [])
    #expect(trend([(100e6, 6), (120e6, 6)], .peakRSSBytes).changes.map(\.places) == [6...6])
  }

  @Test(
    "ignores moves of instructions within a gate's tolerance, 0.1 % or 1,000, until they add up")
  func instructions() {
    #expect(trend([(1e9, 6), (1.002e9, 1)], .instructions).changes.map(\.places) == [6...6])
    for (before, after) in [(1e9, 1.0005e9), (100_000, 100_900)] {
      #expect(trend([(before, 6), (after, 6)], .instructions).changes == [])
    }
    #expect(trend([(100_000, 6), (101_100, 6)], .instructions).changes.map(\.places) == [6...6])
    let rising = trend((0..<5).map { (1e9 + 5e5 * Double($0), 3) }, .instructions)
    #expect(rising.changes == [change(0...14, 1e9, 1.002e9, isSudden: false)])
    #expect(rising.ratio == 1.002)
  }

  @Test("has levels, neither better nor worse, if its metric describes circumstances")
  func circumstance() {
    let found = trend([(1, 6), (3, 6)], .residentShare)
    #expect(found.levels.map(\.middle) == [1, 3])
    #expect(found.changes == [] && !found.isChanged)
  }

  @Test("ignores a step of an exact metric within the blocks of one run, and no other")
  func uneven() {
    func changes(_ before: Double, _ after: Double, _ interval: Interval?) -> [Int] {
      var points = historyPoints(
        Array(repeating: before, count: 12) + Array(repeating: after, count: 12))
      points[3] = HistoryPoint(
        run: points[3].run,
        figure: HistoryFigure(p50: before, interval: interval, blocks: 2, samples: 2))
      return Trend(historyKey(.allocations), points).changes.map(\.places.lowerBound)
    }
    let differing = Interval(low: 11_037, high: 11_039)
    #expect(changes(11_037, 11_038, nil) == [12])
    #expect(changes(11_037, 11_038, differing) == [12])
    let odd = historyPoints([7, 7, 8, 7, 7, 9]).enumerated().map { place, point in
      place != 2
        ? point
        : HistoryPoint(
          run: point.run,
          figure: HistoryFigure(
            p50: 8, interval: Interval(low: 7, high: 9), blocks: 2, samples: 2))
    }
    #expect(Trend(historyKey(.allocations), odd).changes.map(\.places.lowerBound) == [5])
  }

  @Test("changes little by little if it rose by ten steps of 1.9 %, each too small for a gate")
  func smallSteps() {
    let steps = (0..<11).map { (100 * pow(1.019, Double($0)), 5) }
    let whole = change(0...54, 100, 100 * pow(1.019, 10), isSudden: false)
    #expect(trend(steps).changes == [whole] && whole.isWorse)
    #expect(trend(steps.reversed()).changes.map(\.isWorse) == [false])
    // A gate sees every one of these, which have no tolerance.
    let exact = trend(steps, .allocations).changes
    #expect(exact.count == 10 && exact.allSatisfy(\.isSudden))
    // A sudden change among them is apart.
    let later = trend([(200, 10)] + steps).changes
    #expect(later.map(\.isSudden) == [true, false] && later.map(\.isWorse) == [false, true])
    // Steps up and down do not add up.
    #expect(trend((0..<11).map { ($0 % 2 == 0 ? 100 : 101.9, 5) }).changes == [])
  }

  @Test("names no revision for a rise of 1 % a run, and does not change if nothing rises")
  func rises() throws {
    func changes(_ number: Int, rise: Double, noise deviation: Double) -> [Trend.Change] {
      var noise = Noise(seed: 60_000_000 + UInt64(number), deviation: deviation)
      let values = (0..<24).map { 100 * exp(log(rise) * Double($0) + noise.next()) }
      return Trend(historyKey(), historyPoints(values)).changes
    }
    for number in 0..<100 {
      let found = changes(number, rise: 1.01, noise: 0.005)
      #expect(found.map(\.isSudden) == [false] && found.map(\.isWorse) == [true])
    }
    // With as much noise as a run's rise, two revisions are named in 6 of 100 series.
    let named = (0..<1_000).count { number in
      changes(number, rise: 1.01, noise: 0.01).count(where: \.isSudden) > 1
    }
    let interval = try #require(Statistics.clopperPearson(successes: named, of: 1_000))
    print("wrong revisions: \(named) of 1000, \(interval.low) to \(interval.high) at 95 %")
    #expect(interval.high <= 0.1)
    let alarms = (0..<1_000).count { !changes($0, rise: 1, noise: 0.01).isEmpty }
    #expect(alarms <= 5)
  }

  @Test("says of a change whether the control moved as well")
  func control() {
    let values = historyPoints(Array(repeating: 100, count: 6) + Array(repeating: 130, count: 6))
    func change(_ after: Double, _ metric: Metric = .wall) -> Trend.Change? {
      let control = Dictionary(
        uniqueKeysWithValues: (0..<12).map { (historyRun($0).id, $0 < 6 ? 1_000.0 : after) })
      return Trend(historyKey(metric), values, control: control).changes.first
    }
    #expect(change(1_300)?.control == 1.3 && change(1_300)?.controlShift == 1.3)
    #expect(change(1_010)?.control == 1.01 && change(1_010)?.controlShift == nil)
    #expect(change(1_300, .allocations)?.control == nil)
    #expect(Trend(historyKey(), values).changes.first?.control == nil)
  }

  @Test("has one level with fewer than six runs")
  func few() {
    let found = trend([(100, 2), (200, 3)])
    #expect(found.levels == [Trend.Level(places: 0..<5, middle: 200)])
    #expect(!found.isChanged && found.fewestRuns == 6)
    #expect(trend([(7, 1)], .allocations).fewestRuns == 2)
  }
}

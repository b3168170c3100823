import BenchAnalysis
import Foundation
import Testing

@Suite("Statistics")
struct StatisticsTests {
  @Test("They agree with NumPy and SciPy to nine digits")
  func cases() throws {
    let cases = try StatisticsCase.all()
    #expect(cases.count == 129)
    for example in cases {
      let found = try #require(Self.answers(example), "line \(example.line)")
      #expect(found.count == example.answers.count)
      for (value, expected) in zip(found, example.answers) {
        #expect(
          abs(value - expected) <= 1e-9 * max(1, abs(expected)),
          "line \(example.line): \(example.function)")
      }
    }
  }

  private static func answers(_ example: StatisticsCase) -> [Double]? {
    let (first, second) = (example.first, example.second)
    switch example.function {
    case "quantile": return Statistics.quantile(example.parameter, of: first).map { [$0] }
    case "mean": return Statistics.mean(first).map { [$0] }
    case "deviation": return Statistics.standardDeviation(first).map { [$0] }
    case "robust": return Statistics.robustDeviation(first).map { [$0] }
    case "trimmed mean": return Statistics.trimmedMean(first).map { [$0] }
    case "trimmed mean error": return Statistics.trimmedMeanError(first).map { [$0] }
    case "median interval": return Statistics.medianInterval(of: first).map { [$0.low, $0.high] }
    case "bootstrap":
      return Statistics.bootstrapTrimmedMean(of: first, seed: UInt64(example.parameter))
        .map { [$0.low, $0.high] }
    case "bootstrap difference":
      return Statistics.bootstrapMedianDifference(
        first, minus: second, seed: UInt64(example.parameter)
      ).map { [$0.low, $0.high] }
    case "sign flip": return Statistics.signFlip(first).map { [$0] }
    case "mann-whitney": return Statistics.mannWhitney(first, second).map { [$0.u, $0.p] }
    case "clopper-pearson":
      return Statistics.clopperPearson(
        successes: Int(first[0]), of: Int(first[1]), level: example.parameter
      ).map { [$0.low, $0.high] }
    default: return nil
    }
  }

  @Test("A count that is not part of its trials has no interval")
  func impossibleCounts() {
    for (successes, trials) in [(0, 0), (-1, 5), (6, 5), (1, -1)] {
      #expect(Statistics.clopperPearson(successes: successes, of: trials) == nil)
    }
    for level in [0, 1, -1, Double.nan] {
      #expect(Statistics.clopperPearson(successes: 1, of: 5, level: level) == nil)
    }
  }

  @Test("Too few values have no result, never 0")
  func tooFew() {
    #expect(Statistics.mean([]) == nil)
    #expect(Statistics.median([]) == nil)
    #expect(Statistics.standardDeviation([1]) == nil)
    #expect(Statistics.robustDeviation([1]) == nil)
    #expect(Statistics.quantile(1.5, of: [1]) == nil)
    #expect(Statistics.median([1, 2, .infinity]) == 2)
    #expect(Statistics.quantile(0.75, of: [1, 2, 3, .infinity, .infinity]) == .infinity)
    #expect(Statistics.median([.infinity, .infinity]) == .infinity)
    #expect(Statistics.quantile(.nan, of: [1]) == nil)
    #expect(Statistics.bootstrapTrimmedMean(of: []) == nil)
    #expect(Statistics.trimmedMean([]) == nil)
    #expect(Statistics.trimmedMeanError([1]) == nil)
    #expect(Statistics.bootstrapMedianDifference([1], minus: []) == nil)
    #expect(Statistics.signFlip([]) == nil)
    #expect(Statistics.mannWhitney([1], []) == nil)
    #expect(Statistics.holm([]) == [])
  }

  @Test("The median has an interval from six values on, at the ranks of Conover's table")
  func medianIntervalRanks() {
    let ranks = (1...20).map { Statistics.medianIntervalRank(count: $0) }
    #expect(
      ranks == [
        nil, nil, nil, nil, nil, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5, 6,
      ])
    #expect(Statistics.medianIntervalRank(count: 0) == nil)
    #expect(Statistics.medianIntervalRank(count: 10_000) == 4_902)
  }

  @Test("Wilcoxon's own example of 1945 has the p-value that he counted")
  func wilcoxon() throws {
    let differences: [Double] = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    let p = try #require(Statistics.signFlip(differences))
    #expect(abs(p - 0.041259765625) < 1e-12)
  }

  @Test("Differences of 0 have no sign, and zeros alone have a p-value of 1")
  func zeros() {
    #expect(Statistics.signFlip([0, 0, 0]) == 1)
    #expect(Statistics.signFlip([0, 1, 2, 3]) == Statistics.signFlip([1, 2, 3]))
  }

  @Test("The smallest p-value of n pairs is that of n equal signs")
  func signFlipSmallest() {
    for count in 1...60 {
      let same = (1...count).map(Double.init)
      #expect(Statistics.signFlip(same) == min(1, Statistics.signFlipSmallest(count: count)))
    }
    #expect(Statistics.signFlipSmallest(count: 12) == 2 * 0.000244140625)
  }

  @Test("Beyond the exact limit, the sign-flip test is close to the exact one")
  func manyPairs() throws {
    let limit = Statistics.signFlipExactLimit
    func p(_ count: Int, against: Int) throws -> Double {
      let differences = (1...count).map { $0.isMultiple(of: against) ? -Double($0) : Double($0) }
      return try #require(Statistics.signFlip(differences))
    }
    #expect(try p(limit + 1, against: 2) > 0.9 && p(limit + 1, against: 2) <= 1)
    for number in [2, 3] {
      let (counted, near) = (
        try p(limit, against: number), try p(limit + number, against: number)
      )
      #expect(abs(log(near) / log(counted) - 1) < 0.1 || abs(near - counted) < 0.02)
    }
  }

  @Test("The smallest p-value of two sides is that of sides without overlap")
  func mannWhitneySmallest() throws {
    for (first, second) in [(1, 1), (3, 4), (6, 6), (12, 10), (50, 50)] {
      let low = (0..<first).map(Double.init)
      let high = (0..<second).map { Double($0) + 1_000 }
      let p = try #require(Statistics.mannWhitney(low, high)?.p)
      #expect(abs(p / Statistics.mannWhitneySmallest(first, second) - 1) < 1e-9)
    }
    #expect(Statistics.mannWhitneySmallest(6, 6) == 2.0 / 924)
    #expect(Statistics.mannWhitneySmallest(0, 6) == 1)
  }

  @Test("Equal values on both sides are no evidence, however many there are")
  func allTied() {
    for count in [3, 80] {
      let same = Array(repeating: 5.0, count: count)
      #expect(Statistics.mannWhitney(same, same)?.p == 1)
    }
  }

  @Test("Holm's adjustment agrees with R's p.adjust")
  func holm() {
    let adjusted = Statistics.holm([0.01, 0.04, 0.03, 0.005])
    let expected = [0.03, 0.06, 0.06, 0.02]
    #expect(adjusted.count == 4)
    #expect(zip(adjusted, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(Statistics.holm([0.9, 0.8]) == [1, 1])
  }

  @Test("Tests that could never be significant leave the family")
  func testable() {
    #expect(Statistics.testable(smallest: [0.06, 0.03]) == [false, true])
    #expect(Statistics.testable(smallest: [0.03, 0.03]) == [false, false])
    #expect(Statistics.testable(smallest: [0.001, 0.03, 0.02]) == [true, false, true])
    #expect(Statistics.testable(smallest: []) == [])
  }
}

/// One row of `Cases/statistics.csv`, which `Cases/make_cases.py` made with NumPy and SciPy.
struct StatisticsCase {
  var line: Int
  var function: String
  var first: [Double]
  var second: [Double]
  var parameter: Double
  var answers: [Double]

  /// Every row, in order.
  static func all() throws -> [StatisticsCase] {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Cases/statistics.csv")
    let lines = try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst()
    return try lines.enumerated().map { index, line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      try #require(fields.count == 5)
      return StatisticsCase(
        line: index + 2, function: String(fields[0]), first: try numbers(fields[1]),
        second: try numbers(fields[2]), parameter: Double(fields[3]) ?? 0,
        answers: try numbers(fields[4]))
    }
  }

  private static func numbers(_ field: Substring) throws -> [Double] {
    try field.split(separator: " ").map { try #require(Double($0)) }
  }
}

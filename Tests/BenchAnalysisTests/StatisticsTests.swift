import BenchAnalysis
import Foundation
import Testing

@Suite("Statistics")
struct StatisticsTests {
  @Test("They agree with NumPy and SciPy to nine digits")
  func cases() throws {
    let cases = try StatisticsCase.all()
    #expect(cases.count == 88)
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
    case "trimmed mean": return Statistics.trimmedMean(first).map { [$0] }
    case "signed rank":
      return SignedRank(first).map {
        [$0.p, $0.estimate] + ($0.interval.map { [$0.low, $0.high] } ?? [])
      }
    case "welch":
      return MeanSum([(1, first), (-1, second)]).map {
        [$0.estimate, Double($0.freedom), $0.error]
      }
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
    #expect(Statistics.quantile(1.5, of: [1]) == nil)
    #expect(Statistics.median([1, 2, .infinity]) == 2)
    #expect(Statistics.quantile(0.75, of: [1, 2, 3, .infinity, .infinity]) == .infinity)
    #expect(Statistics.median([.infinity, .infinity]) == .infinity)
    #expect(Statistics.quantile(.nan, of: [1]) == nil)
    #expect(Statistics.trimmedMean([]) == nil)
    #expect(SignedRank([]) == nil && SignedRank(Array(repeating: 1, count: 201)) == nil)
    #expect(MeanSum([]) == nil && MeanSum([(1, [1, 2])]) == nil)
    #expect(Statistics.interval(ofTypical: [1, 2]) == nil)
    #expect(Statistics.holm([]) == [])
  }

  @Test("Wilcoxon's own example of 1945 has the p-value that he counted")
  func wilcoxon() throws {
    let differences: [Double] = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    let test = try #require(SignedRank(differences))
    #expect(abs(test.p - 0.041259765625) < 1e-12)
    #expect(test.estimate == 25)
    #expect(test.interval == Interval(low: 4, high: 41.5))
  }

  @Test("Zeros are no evidence, and the smallest p-value of n pairs is that of n equal signs")
  func signs() {
    #expect(SignedRank([0, 0, 0])?.p == 1)
    for count in 1...60 {
      let same = (1...count).map(Double.init)
      #expect(SignedRank(same)?.p == min(1, SignedRank.smallestP(count)))
      #expect((SignedRank(same)?.interval == nil) == (count < 6))
    }
    #expect(SignedRank.smallestP(12) == 2 * 0.000244140625)
  }

  @Test("Successive values are alike if they creep or swing slowly, and not if they jump")
  func alike() {
    func areAlike(_ values: [Double]) -> Bool { Statistics.areAlike([values]) }
    #expect(areAlike((0..<12).map(Double.init)))
    #expect(areAlike((0..<30).map { sin(Double($0) / 4) }))
    #expect(!areAlike((0..<30).map { Double($0 * 7 % 11) }))
    #expect(!areAlike([1, 2, 3]) && !areAlike([5, 5, 5, 5, 5]))
    // Several series show together what none shows alone.
    let weak = (0..<6).map { (row: Int) -> [Double] in
      var noise = Noise(seed: UInt64(row + 1), deviation: 1)
      var last = 0.0
      return (0..<20).map { _ in
        last = 0.35 * last + noise.next()
        return last
      }
    }
    #expect(weak.count(where: areAlike) < 3 && Statistics.areAlike(weak))
  }

  @Test("A mean of equal values has no error, and differs from 0 for certain")
  func noError() throws {
    let mean = try #require(MeanSum([(1, [2, 2, 2])]))
    #expect(mean.interval == Interval(low: 2, high: 2) && mean.p == 0)
    #expect(MeanSum([(1, [2, 2, 2]), (-1, [2, 2, 2])])?.p == 1)
  }

  @Test("Holm's adjustment agrees with R's p.adjust")
  func holm() {
    let adjusted = Statistics.holm([0.01, 0.04, 0.03, 0.005])
    let expected = [0.03, 0.06, 0.06, 0.02]
    #expect(adjusted.count == 4)
    #expect(zip(adjusted, expected).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(Statistics.holm([0.9, 0.8]) == [1, 1])
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

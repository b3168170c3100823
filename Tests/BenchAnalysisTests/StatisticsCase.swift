import Foundation
import Testing

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

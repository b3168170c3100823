/// A distribution of numbers: `17x0+30x1` means that of 47 things 17 have 0 and 30 have 1.
///
/// Counts are proportions: of 94 things with that spread, 34 have 0 and 60 have 1. If all things
/// have the same number, the text is that number.
package struct Spread: Hashable, Sendable {
  /// The number of things that have one value.
  struct Run: Hashable, Sendable {
    var count: Int
    var value: Int
  }

  /// The runs in order of value, each value once. The counts have no common divisor.
  private(set) var runs: [Run]

  /// Creates a spread with the same number for all things.
  package init(each value: Int) {
    runs = [Run(count: 1, value: value)]
  }

  /// Creates a spread from runs in any order.
  private init(_ runs: [Run]) {
    var counts: [Int: Int] = [:]
    for run in runs where run.count > 0 { counts[run.value, default: 0] += run.count }
    let divisor = counts.values.reduce(0, Self.divisor)
    self.runs = counts.sorted { $0.key < $1.key }
      .map { Run(count: $0.value / divisor, value: $0.key) }
  }

  /// Creates the spread of numbers. Returns nil if there are none. Up to eight different numbers
  /// are exact. More are reduced to quarters with their means, so that the sum stays exact.
  package init?(of numbers: [Int]) {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let exact = Spread(sorted.map { Run(count: 1, value: $0) })
    guard exact.runs.count > Self.mostRuns else {
      self = exact
      return
    }
    let quarters = (0..<4).flatMap { quarter in
      let part = sorted[(sorted.count * quarter / 4)..<(sorted.count * (quarter + 1) / 4)]
      let (mean, more) = part.reduce(0, +).quotientAndRemainder(dividingBy: part.count)
      return [Run(count: part.count - more, value: mean), Run(count: more, value: mean + 1)]
    }
    self.init(quarters)
  }

  /// Enough for eight different numbers, or for four means with their remainders.
  private static let mostRuns = 8

  /// Returns `count` numbers of this spread in ascending order.
  func numbers(_ count: Int) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    let total = runs.reduce(0) { $0 + $1.count }
    var before = 0
    for run in runs {
      before += run.count
      // The rounded end of the run among `count` numbers. It is exact if `count` is a multiple.
      let end = (2 * count * before + total) / (2 * total)
      numbers += repeatElement(run.value, count: end - numbers.count)
    }
    return numbers
  }

  /// The sum of `count` numbers of this spread.
  func sum(_ count: Int) -> Int { numbers(count).reduce(0, +) }

  /// Returns the spread with every number clamped to limits.
  func clamped(to limits: ClosedRange<Int>) -> Spread {
    Spread(
      runs.map {
        Run(count: $0.count, value: min(max($0.value, limits.lowerBound), limits.upperBound))
      })
  }

  /// The smallest and the largest number.
  var range: ClosedRange<Int> { runs[0].value...runs[runs.count - 1].value }

  private static func divisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : divisor(other, one % other)
  }
}

extension Spread {
  /// Parses a number, or counts of numbers such as `17x0+30x1`. Returns nil for any other text.
  ///
  /// A number may be any nonnegative `Int`. Counts have at most seven digits, and there are at most
  /// a hundred of them.
  init?(parsing text: String) {
    if let value = Int(digits: text) {
      self.init(each: value)
      return
    }
    let parts = text.split(separator: "+", omittingEmptySubsequences: false)
    guard parts.count <= 100 else { return nil }
    var runs: [Run] = []
    for part in parts {
      let sides = part.split(separator: "x", omittingEmptySubsequences: false)
      guard sides.count == 2, sides[0].count <= 7, let count = Int(digits: String(sides[0])),
        count > 0, let value = Int(digits: String(sides[1]))
      else { return nil }
      runs.append(Run(count: count, value: value))
    }
    self.init(runs)
  }

  /// The text with counts, such as `17x0+30x1`, even if there is only one number.
  var inFull: String { runs.map { "\($0.count)x\($0.value)" }.joined(separator: "+") }
}

extension Spread: CustomStringConvertible {
  /// `17x0+30x1`, or the single number of all things.
  package var description: String { runs.count == 1 ? "\(runs[0].value)" : inFull }
}

extension Int {
  /// Parses decimal digits. Returns nil for any other text, or if the number does not fit.
  fileprivate init?(digits text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}

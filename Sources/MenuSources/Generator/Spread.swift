/// How many things have which number: `17x0+30x1`, of 47 things 17 with 0 and 30 with 1.
///
/// Counts are proportions: 94 things with that spread have 34 times 0 and 60 times 1. One number for
/// all is written as that number.
package struct Spread: Hashable, Sendable {
  /// Things with one number.
  struct Run: Hashable, Sendable {
    var count: Int
    var value: Int
  }

  /// By value, each once; the counts have no common divisor.
  private(set) var runs: [Run]

  /// The same number for all.
  package init(each value: Int) {
    runs = [Run(count: 1, value: value)]
  }

  /// The spread of so many runs, in any order.
  private init(_ runs: [Run]) {
    var counts: [Int: Int] = [:]
    for run in runs where run.count > 0 { counts[run.value, default: 0] += run.count }
    let divisor = counts.values.reduce(0, Self.divisor)
    self.runs = counts.sorted { $0.key < $1.key }
      .map { Run(count: $0.value / divisor, value: $0.key) }
  }

  /// The spread of numbers: of up to eight different ones exactly, of more by quarters, each by its
  /// mean, so that the sum is exact; nil of none.
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

  /// Eight different numbers, or four means with their remainders.
  private static let mostRuns = 8

  /// So many numbers of this spread, in ascending order.
  func numbers(_ count: Int) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    let total = runs.reduce(0) { $0 + $1.count }
    var before = 0
    for run in runs {
      before += run.count
      // Where the run ends among so many numbers, rounded: exact where counts are multiples.
      let end = (2 * count * before + total) / (2 * total)
      numbers += repeatElement(run.value, count: end - numbers.count)
    }
    return numbers
  }

  /// The sum of so many numbers.
  func sum(_ count: Int) -> Int { numbers(count).reduce(0, +) }

  /// The same with every number brought within limits.
  func clamped(to limits: ClosedRange<Int>) -> Spread {
    Spread(
      runs.map {
        Run(count: $0.count, value: min(max($0.value, limits.lowerBound), limits.upperBound))
      })
  }

  /// The smallest number and the largest.
  var range: ClosedRange<Int> { runs[0].value...runs[runs.count - 1].value }

  private static func divisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : divisor(other, one % other)
  }
}

extension Spread {
  /// Reads a number, or counts of numbers: `17x0+30x1`; nil where it is neither.
  ///
  /// A number may be as large as an `Int`; counts have at most seven digits, and there are at most a
  /// hundred of them.
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

  /// `17x0+30x1`, also where there is one number only.
  var inFull: String { runs.map { "\($0.count)x\($0.value)" }.joined(separator: "+") }
}

extension Spread: CustomStringConvertible {
  /// `17x0+30x1`, or the number that all have.
  package var description: String { runs.count == 1 ? "\(runs[0].value)" : inFull }
}

extension Int {
  /// A whole number of decimal digits alone; nil where it is none, or has more than 64 bits.
  fileprivate init?(digits text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}

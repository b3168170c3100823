import Basics
import Testing

@testable import MenuSources

@Suite("A spread")
struct SpreadTests {
  @Test("is exact for up to eight different numbers, in their smallest proportions")
  func exact() {
    #expect(Spread(of: [1, 0, 1])?.description == "1x0+2x1")
    #expect(Spread(of: [4, 4, 2, 2])?.description == "1x2+1x4")
    #expect(Spread(of: [7, 7])?.description == "7")
    #expect(Spread(of: [7, 7])?.inFull == "1x7")
    #expect(Spread(of: []) == nil)
    #expect(Spread(of: [0, 1, 2, 3, 4, 5, 6, 7])?.inFull.contains("1x7") == true)
  }

  @Test("has the mean of each quarter for more numbers, and keeps the sum")
  func quarters() {
    #expect(Spread(of: Array(1...12))?.description == "1x2+1x5+1x8+1x11")
    #expect(
      Spread(of: [0, 0, 1, 2, 3, 4, 5, 6, 9, 100])?.description == "2x0+3x2+1x4+1x5+2x38+1x39")
  }

  @Test("gives the requested count of numbers, in its proportions, ascending")
  func numbers() throws {
    let spread = try #require(Spread(parsing: "17x0+30x1"))
    #expect(spread.numbers(47) == Array(repeating: 0, count: 17) + Array(repeating: 1, count: 30))
    #expect(spread.numbers(94).count { $0 == 0 } == 34)
    #expect(spread.numbers(2) == [0, 1])
    #expect(spread.numbers(0) == [])
    #expect(Spread(each: 3).numbers(2) == [3, 3])
  }

  @Test("gives numbers with the spread and the sum of its own numbers", arguments: UInt64(1)...5)
  func fixedPoint(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let numbers = (0..<random.within(1...60)).map { _ in random.below(random.within(1...50)) }
      let spread = try #require(Spread(of: numbers), "seed \(seed)")
      let again = spread.numbers(numbers.count)
      #expect(again.reduce(0, +) == numbers.reduce(0, +), "seed \(seed): \(numbers)")
      #expect(Spread(of: again) == spread, "seed \(seed): \(numbers)")
      #expect(Spread(parsing: spread.description) == spread, "seed \(seed): \(numbers)")
    }
  }

  @Test(
    "cannot be read from other text",
    arguments: [
      "", "x", "1x", "x1", "1x2x3", "1x2+", "-1", "0x5", "+5", "1 x2", "12345678x1",
      "1x99999999999999999999", "٣",
    ])
  func refused(text: String) {
    #expect(Spread(parsing: text) == nil)
  }
}

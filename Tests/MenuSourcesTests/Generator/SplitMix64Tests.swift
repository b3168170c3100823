import Basics
import Testing

@testable import MenuSources

struct SplitMix64Tests {
  @Test("The sequence is that of the published algorithm")
  func sequence() {
    var random = SplitMix64(seed: 1_234_567)
    let numbers = (0..<5).map { _ in random.next() }
    #expect(
      numbers == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ])
  }

  @Test("Numbers of a range reach both ends and nothing beyond")
  func range() {
    var random = SplitMix64(seed: 1)
    let numbers = Set((0..<1_000).map { _ in random.within(3...9) })
    #expect(numbers == [3, 4, 5, 6, 7, 8, 9])
  }

  @Test("A deck gives different cards, and no more than it has")
  func deck() {
    var random = SplitMix64(seed: 1)
    var deck = ShuffledDeck([5, 6, 7, 8])
    #expect(Set(deck.draw(3, using: &random)).count == 3)
    #expect(deck.draw(9, using: &random).sorted() == [5, 6, 7, 8])
  }

  @Test(
    "A whole square root is the largest number whose square fits",
    arguments: [(-4, 0), (0, 0), (1, 1), (3, 1), (4, 2), (48, 6), (49, 7), (1_000_000, 1_000)])
  func squareRoot(number: Int, root: Int) {
    #expect(number.squareRoot == root)
  }
}

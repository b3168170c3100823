import BenchCLI

/// Makes reading lists: of one seed the same on every platform.
struct ReadingListGenerator {
  private var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func list(shelves: Int, books: Int) -> ReadingList {
    ReadingList(
      owner: "Анна K.", revision: 2,
      shelves: (1...shelves).map { number in
        FilterQuery(name: "\(pick(Self.rooms)) \(number)", books: (1...books).map { _ in book() })
      })
  }

  private mutating func book() -> Book {
    Book(
      title: phrase(2...5), subtitle: random.once(in: 3) ? phrase(0...8) : nil,
      authors: (1...random.within(1...3)).map { _ in phrase(2...2) },
      pages: random.within(80...900),
      rating: random.once(in: 4) ? nil : Double(random.within(2...10)) / 2,
      notes: (0..<random.below(5)).map { _ in note() })
  }

  private mutating func note() -> Note {
    Note(
      page: random.once(in: 5) ? nil : random.within(1...900),
      // Real notes have characters that a line-based format must escape.
      text: phrase(6...40) + (random.once(in: 10) ? "\n\t— " + phrase(2...2) : ""))
  }

  private mutating func phrase(_ length: ClosedRange<Int>) -> String {
    (0..<random.within(length)).map { _ in pick(Self.words) }.joined(separator: " ")
  }

  private mutating func pick(_ words: [String]) -> String {
    words[random.below(words.count)]
  }

  private static let rooms = ["Kitchen", "Спальня", "Office", "Детская"]
  private static let words = [
    "memory", "винтовка", "sea", "письмо", "garden", "the", "of", "и", "война", "winter", "мастер",
    "a", "road", "вишнёвый", "сад", "light", "house", "в", "history", "небо", "C:\\books", "idiot",
  ]
}

/// A text under construction in both languages; its buffers are used again for the next text.
struct TextPair {
  private var russian: [UInt8] = []
  private var english: [UInt8] = []

  /// Letters of the text so far, in the menu's language.
  private(set) var length = 0

  mutating func append(_ word: Word) {
    append(word.russian, word.english)
  }

  mutating func append(_ russian: String, _ english: String) {
    self.russian.append(contentsOf: russian.utf8)
    self.english.append(contentsOf: english.utf8)
    // Every letter has one byte that is not a continuation (UTF-8, RFC 3629).
    for byte in russian.utf8 where byte & 0xc0 != 0x80 { length += 1 }
  }

  /// The text in the menu's language and its translation; the buffers are empty afterwards.
  mutating func take() -> Word {
    defer {
      russian.removeAll(keepingCapacity: true)
      english.removeAll(keepingCapacity: true)
      length = 0
    }
    return Word(
      String(decoding: russian, as: UTF8.self), String(decoding: english, as: UTF8.self))
  }
}

import Basics
import MenuModel

/// Composes texts of a given length from ``Words``. Each text differs and is cut at that length.
struct FillerText {
  private var next = 0

  /// Returns a text of this many letters, most of which take `bytes` bytes in UTF-8.
  mutating func text(_ letters: Int, bytes: Int) -> String {
    defer { next += 1 }
    return Self.text(letters, bytes: bytes, from: next)
  }

  /// Returns the same text for the same length, since labels such as sizes repeat in a menu.
  static func label(_ letters: Int, bytes: Int) -> String {
    text(letters, bytes: bytes, from: letters)
  }

  /// Returns a code of capital letters and digits. Codes differ until all of that length are used.
  mutating func code(_ letters: Int) -> String {
    defer { next += 1 }
    let digits = String(next, radix: 36, uppercase: true)
    let padded = String(repeating: "A", count: max(0, letters - digits.count)) + digits
    return String(padded.suffix(letters))
  }

  /// Returns an image name of this many letters: hexadecimal digits and the usual extension.
  mutating func image(_ letters: Int) -> String {
    let ending = letters > 8 ? ".webp" : ""
    var random = SplitMix64(seed: UInt64(next))
    next += 1
    var digits = ""
    while digits.count < letters - ending.count { digits += String(random.next(), radix: 16) }
    return digits.prefix(letters - ending.count) + ending
  }

  private static func text(_ letters: Int, bytes: Int, from start: Int) -> String {
    let words = words[min(max(bytes, 1), 3) - 1]
    var text = String.UnicodeScalarView()
    var count = 0
    var place = start
    while count < letters {
      if count > 0 {
        text.append(" ")
        count += 1
      }
      for scalar in words[place % words.count].unicodeScalars.prefix(letters - count) {
        text.append(scalar)
        count += 1
      }
      // Neighbours are of one kind. A step coprime to the number of words mixes them.
      place += 31
    }
    if text.last == " " {
      text.removeLast()
      text.append(text.last ?? "a")
    }
    return String(text)
  }

  /// The words by the bytes of their letters: one, two and three.
  private static let words: [[String]] = [
    all.map(\.english).filter { $0.utf8.allSatisfy { $0 < 0x80 } },
    all.map(\.russian).filter { $0.letterBytes == 2 },
    ["ピザ", "サラダ", "スープ", "チーズ", "トマト", "きのこ", "たまねぎ", "こうちゃ", "ケーキ", "りんご", "みそ"],
  ]

  private static let all =
    Words.pizzas + Words.snacks + Words.drinks + Words.desserts + Words.savoury + Words.sweet
    + Words.ingredients
}

extension String {
  /// The number of UTF-8 bytes of most letters, at most 3. It is 1 if the text has no letters.
  var letterBytes: Int {
    var counts = [0, 0, 0, 0]
    for scalar in unicodeScalars {
      let isLetter = !scalar.isASCII || (0x41...0x5A).contains(scalar.value & 0xDF)
      if isLetter { counts[min(scalar.utf8.count, 3)] += 1 }
    }
    return (1...3).max { (counts[$0], -$0) < (counts[$1], -$1) } ?? 1
  }

}

// MARK: the texts of a menu

extension MenuFitter {
  /// How a replacement text is composed.
  enum TextStyle {
    case words
    /// The same words for the same length.
    case label
    case code
    case image
  }

  /// A function that is called for every text of a kind.
  typealias TextVisit = (inout String, inout FillerText, TextStyle) -> Void

  /// Reports the number of letters of a text, and replaces the text if another number is wanted.
  static func letters(
    of text: inout String, _ weaver: inout FillerText, _ style: TextStyle,
    _ body: (inout Int) -> Void
  ) {
    guard let count = changed(text.unicodeScalars.count, body) else { return }
    // A text that did not exist before is Russian, as generated menus are.
    let bytes = text.isEmpty ? 2 : text.letterBytes
    switch style {
    case .words: text = weaver.text(count, bytes: bytes)
    case .label: text = FillerText.label(count, bytes: bytes)
    case .code: text = weaver.code(count)
    case .image: text = weaver.image(count)
    }
  }

  /// Reports the bytes of most letters of a text. If another number is wanted, replaces the text.
  static func bytes(
    of text: inout String, _ weaver: inout FillerText, _ style: TextStyle,
    _ body: (inout Int) -> Void
  ) {
    guard !text.isEmpty, let bytes = changed(text.letterBytes, body) else { return }
    let count = text.unicodeScalars.count
    text =
      style == .label ? FillerText.label(count, bytes: bytes) : weaver.text(count, bytes: bytes)
  }

  mutating func each<Thing>(
    _ list: WritableKeyPath<Menu, [Thing]>, _ text: WritableKeyPath<Thing, String>,
    _ visit: TextVisit, _ style: TextStyle = .words
  ) {
    menu.each(list) { thing, _ in visit(&thing[keyPath: text], &weaver, style) }
  }
}

extension String? {
  /// The text. An absent text counts as empty.
  var text: String {
    get { self ?? "" }
    set { self = newValue.isEmpty ? nil : newValue }
  }
}

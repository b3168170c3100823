import Basics
import MenuModel

/// Weaves texts of a given length from ``Words``: another text each time, cut where it is long enough.
struct TextWeaver {
  private var next = 0

  /// A text of so many letters, most of which take so many bytes of UTF-8.
  mutating func text(_ letters: Int, bytes: Int) -> String {
    defer { next += 1 }
    return Self.text(letters, bytes: bytes, from: next)
  }

  /// The same text for the same length, as sizes and the like repeat themselves.
  static func label(_ letters: Int, bytes: Int) -> String {
    text(letters, bytes: bytes, from: letters)
  }

  /// A code of so many capital letters and digits, another each time until all are used.
  mutating func code(_ letters: Int) -> String {
    defer { next += 1 }
    let digits = String(next, radix: 36, uppercase: true)
    let padded = String(repeating: "A", count: max(0, letters - digits.count)) + digits
    return String(padded.suffix(letters))
  }

  /// An image's name of so many letters: hexadecimal digits and the ending that others have.
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
      // Neighbours are of one kind; a step that shares no divisor with their number mixes them.
      place += 31
    }
    if text.last == " " {
      text.removeLast()
      text.append(text.last ?? "a")
    }
    return String(text)
  }

  /// Words whose letters take one byte, two and three.
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
  /// The bytes of UTF-8 that most of a text's letters take, at most 3; 1 where it has no letters.
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
  /// How a text is woven anew.
  enum TextStyle {
    case words
    /// The same words for the same length.
    case label
    case code
    case image
  }

  /// What is done to every text of a kind.
  typealias TextVisit = (inout String, inout TextWeaver, TextStyle) -> Void

  /// Shows how many letters a text has, and weaves another of as many as are wanted.
  static func letters(
    of text: inout String, _ weaver: inout TextWeaver, _ style: TextStyle,
    _ body: (inout Int) -> Void
  ) {
    guard let count = changed(text.unicodeScalars.count, body) else { return }
    // Generated menus are Russian: so is a text that was not there before.
    let bytes = text.isEmpty ? 2 : text.letterBytes
    switch style {
    case .words: text = weaver.text(count, bytes: bytes)
    case .label: text = TextWeaver.label(count, bytes: bytes)
    case .code: text = weaver.code(count)
    case .image: text = weaver.image(count)
    }
  }

  /// Shows how many bytes most letters of a text take, and weaves one of the same length.
  static func bytes(
    of text: inout String, _ weaver: inout TextWeaver, _ style: TextStyle,
    _ body: (inout Int) -> Void
  ) {
    guard !text.isEmpty, let bytes = changed(text.letterBytes, body) else { return }
    let count = text.unicodeScalars.count
    text =
      style == .label ? TextWeaver.label(count, bytes: bytes) : weaver.text(count, bytes: bytes)
  }

  mutating func each<Thing>(
    _ list: WritableKeyPath<Menu, [Thing]>, _ text: WritableKeyPath<Thing, String>,
    _ visit: TextVisit, _ style: TextStyle = .words
  ) {
    menu.each(list) { thing, _ in visit(&thing[keyPath: text], &weaver, style) }
  }
}

extension String? {
  /// The text, where an absent one counts as empty.
  var text: String {
    get { self ?? "" }
    set { self = newValue.isEmpty ? nil : newValue }
  }
}

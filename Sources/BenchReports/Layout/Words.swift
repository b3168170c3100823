import Basics
import Foundation

extension String {
  /// The text escaped for HTML and SVG, on one line, in an attribute or between tags. Right-to-left
  /// names do not reorder the text around them.
  var markupEscaped: String {
    isPlain ? self : displayable.isolated.replacing(Self.entities)
  }

  /// The text escaped for XML 1.0, on one line, in an attribute or between tags. Characters that
  /// XML cannot hold, such as most control characters, become `�`.
  var xmlEscaped: String { isPlain ? self : displayable.replacing(Self.entities) }

  /// Whether escaping changes nothing, as in most of the many texts of a page.
  private var isPlain: Bool {
    utf8.allSatisfy { (0x20..<0x7F).contains($0) && !Self.markup.contains($0) }
  }

  /// The text with its right-to-left names isolated, one by one. Otherwise they would also reverse
  /// the words and figures around them.
  ///
  /// Source: Unicode Standard Annex 9, FSI and PDI.
  private var isolated: String {
    guard unicodeScalars.contains(where: \.isFromRightToLeft) else { return self }
    var result = String.UnicodeScalarView()
    // The separators that may stand between two words of one name.
    var between: [Unicode.Scalar] = []
    var isWithin = false
    for scalar in unicodeScalars {
      if scalar.isFromRightToLeft {
        if !isWithin { result.append("\u{2068}") }
        result.append(contentsOf: between + [scalar])
        (isWithin, between) = (true, [])
      } else if isWithin, scalar == " " || scalar == "-" || scalar == "'" {
        between.append(scalar)
      } else {
        if isWithin { result.append("\u{2069}") }
        result.append(contentsOf: between + [scalar])
        (isWithin, between) = (false, [])
      }
    }
    if isWithin { result.append("\u{2069}") }
    result.append(contentsOf: between)
    return String(result)
  }

  private static let entities: [Unicode.Scalar: String] = [
    "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "\u{FFFE}": "\u{FFFD}",
    "\u{FFFF}": "\u{FFFD}",
  ]

  private static let markup = Set("&<>\"".utf8)
  private static let escapesOfMarkdown = Dictionary(
    uniqueKeysWithValues: "\\|*`[]<>".unicodeScalars.map { ($0, "\\\($0)") })

  /// The text escaped for Markdown, on one line, inside or outside of a table.
  var markdownEscaped: String {
    displayable.replacing(Self.escapesOfMarkdown)
  }
}

extension String {
  /// Returns the text with its middle replaced by `…` if it is wider than so many columns. Both
  /// ends stay, because names that begin alike often end differently.
  func shortened(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 1 else { return width == 1 ? "…" : "" }
    let tail = String(String(reversed()).prefix(columns: (width - 1) / 2).reversed())
    return prefix(columns: width - 1 - tail.displayWidth) + "…" + tail
  }

  /// Returns the longest prefix that takes at most so many columns.
  package func prefix(columns: Int) -> String {
    var (used, result) = (0, "")
    for character in self {
      used += character.displayWidth
      guard used <= columns else { break }
      result.append(character)
    }
    return result
  }

  /// Returns the text in lines of at most so many columns, broken at spaces if there are any. All
  /// lines but the first are indented.
  package func wrapped(to width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let isFirst = line.allSatisfy { $0 == " " }
      let candidate = isFirst ? line + word : line + " " + word
      if candidate.displayWidth <= width {
        line = candidate
        continue
      }
      if !isFirst { lines.append(line) }
      let broken = (lines.isEmpty ? String(word) : margin + word).broken(at: width, margin: margin)
      lines += broken.dropLast()
      line = broken.last ?? ""
    }
    return lines + [line]
  }

  /// Cuts a word that is longer than a line at the end of each line.
  private func broken(at width: Int, margin: String) -> [String] {
    var (lines, line, used) = ([String](), "", 0)
    for character in self {
      if used + character.displayWidth > width, used > margin.count {
        lines.append(line)
        (line, used) = (margin, margin.count)
      }
      line.append(character)
      used += character.displayWidth
    }
    return lines + [line]
  }

  /// The text on one line, without commands to a terminal. Breaks and tabs become spaces, other
  /// control and direction characters `�`.
  package var displayable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": result.append(" ")
      default: result.append(scalar.isCommand ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}

extension StringProtocol {
  /// The columns that the text takes on a terminal: none for combining marks and joiners, two for
  /// East Asian wide characters and emoji, one for all others, Cyrillic included.
  ///
  /// Source of the wide ranges: Unicode Standard Annex 11, East Asian Width, classes W and F.
  package var displayWidth: Int {
    // Nearly every text is printable ASCII, which needs no tables of characters.
    utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  /// The columns that the character takes. An emoji sequence takes two, however many scalars it has.
  var displayWidth: Int {
    let isEmoji = unicodeScalars.contains {
      $0.properties.isEmojiPresentation || $0 == "\u{FE0F}"
    }
    return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  /// Whether a terminal obeys it instead of showing it: control characters, and those that change
  /// the direction of text.
  package var isCommand: Bool {
    switch self {
    case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: properties.generalCategory == .control
    }
  }

  /// Whether it belongs to a script that is read from right to left, such as Hebrew or Arabic.
  fileprivate var isFromRightToLeft: Bool {
    switch value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }

  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default:
      switch value {
      case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
        0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF,
        0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        2
      // The vowel or end of a Hangul syllable shares the columns of the consonant before it.
      case 0x1160...0x11FF, 0xD7B0...0xD7FB: 0
      default: 1
      }
    }
  }
}

extension String {
  /// Returns the text with some characters percent-encoded as UTF-8, so that different texts stay
  /// different: always white space, control characters and `%`, others on request.
  func percentEncoded(also special: Set<Unicode.Scalar>) -> String {
    percentEncoded { scalar in
      let isControl = [.control, .format].contains(scalar.properties.generalCategory)
      return scalar.properties.isWhitespace || isControl || scalar == "%"
        || special.contains(scalar)
    }
  }

  func percentEncoded(where isSpecial: (Unicode.Scalar) -> Bool) -> String {
    unicodeScalars.map { scalar in
      isSpecial(scalar)
        ? String(scalar).utf8.map { String(format: "%%%02X", $0) }.joined() : String(scalar)
    }.joined()
  }
}

extension [String: String] {
  /// The pairs as `KEY=VALUE`, sorted by key.
  var assignments: [String] { sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" } }
}

extension Double {
  /// The shortest text that reads back as the same number, in every locale with a point. A whole
  /// number has none. Only for finite numbers: the formats have no others.
  var digits: String { Int(exactly: self).map(String.init) ?? description }
}

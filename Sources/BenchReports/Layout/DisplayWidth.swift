extension StringProtocol {
  /// Columns that the text takes on a terminal: none for combining marks and joiners, two for East
  /// Asian wide characters and emoji, one for everything else, Cyrillic included.
  ///
  /// Source of the wide ranges: Unicode Standard Annex 11, East Asian Width, classes W and F.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
  /// Columns that the character takes; an emoji sequence takes two, however many scalars it has.
  var displayWidth: Int {
    let isEmoji = unicodeScalars.contains {
      $0.properties.isEmojiPresentation || $0 == "\u{FE0F}"
    }
    return isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  fileprivate var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: 0
    default: isWide ? 2 : 1
    }
  }

  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18DFF,
      0x1AFF0...0x1B2FB, 0x1F200...0x1F265, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

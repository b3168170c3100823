extension String {
  /// The text as XML 1.0 that reads back as it is, on one line, in an attribute or between tags; what
  /// XML cannot hold at all, such as most control characters, becomes `�`.
  var xmlEscaped: String {
    let entities: [Unicode.Scalar: String] = [
      "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;",
      "\u{FFFE}": "\u{FFFD}", "\u{FFFF}": "\u{FFFD}",
    ]
    return displayable.unicodeScalars.map { entities[$0] ?? String($0) }.joined()
  }

  /// The text with some characters as `%` and two hexadecimal digits a byte of UTF-8, so that no two
  /// texts become one: white space, control characters and `%` always, others as asked for.
  func percentEncoded(also special: Set<Unicode.Scalar>) -> String {
    unicodeScalars.map { scalar in
      let isControl = [.control, .format].contains(scalar.properties.generalCategory)
      guard scalar.properties.isWhitespace || isControl || scalar == "%" || special.contains(scalar)
      else { return String(scalar) }
      return String(scalar).utf8.map { "%" + $0.hexadecimal }.joined()
    }.joined()
  }

  /// The text where it takes at most so many bytes of UTF-8, else its beginning and a checksum of the
  /// whole, so that two long names do not become one.
  func bounded(toBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let tail = "-" + checksum
    var (head, used) = (String.UnicodeScalarView(), tail.utf8.count)
    for scalar in unicodeScalars {
      used += UTF8.width(scalar)
      guard used <= limit else { break }
      head.append(scalar)
    }
    return String(head) + tail
  }

  /// FNV-1a of the UTF-8 bytes, 64 bits in hexadecimal.
  private var checksum: String {
    let hash = utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}

extension UInt8 {
  /// Two hexadecimal digits.
  var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: true) }
}

/// Folds a name to its key byte by byte, if the name needs no Unicode tables: ASCII and the
/// Cyrillic letters from U+0400 to U+045F. Each of them has one lower case form, and none of them
/// composes with another.
struct FoldedName {
  /// The key of the last name in UTF-8. It is incomplete if ``fold(_:)`` returned false.
  private(set) var bytes: [UInt8] = []

  /// Makes the key of a name in UTF-8.
  ///
  /// - Returns: false if the name contains anything else, including invalid UTF-8. Use
  ///   ``NameSearch/key(_:)`` for such a name.
  mutating func fold(_ name: UnsafeRawBufferPointer) -> Bool {
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(name.count)
    var place = 0
    while place < name.count {
      if name[place] < 0x80 {
        let byte = name[place]
        bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
        place += 1
      } else if place + 1 < name.count, let letter = Self.letter(name[place], name[place + 1]) {
        let folded = Self.folded(letter)
        bytes.append(UInt8(0xC0 | folded >> 6))
        bytes.append(UInt8(0x80 | folded & 0x3F))
        place += 2
      } else {
        return false
      }
    }
    return true
  }

  /// Returns the Cyrillic letter of two bytes, or nil if they are none in the range.
  private static func letter(_ first: UInt8, _ second: UInt8) -> UInt16? {
    guard first == 0xD0 || first == 0xD1, second & 0xC0 == 0x80 else { return nil }
    let letter = UInt16(first & 0x1F) << 6 | UInt16(second & 0x3F)
    return letter <= 0x45F ? letter : nil
  }

  private static func folded(_ letter: UInt16) -> UInt16 {
    switch letter {
    case 0x401, 0x451: 0x435
    case 0x400...0x40F: letter + 0x50
    case 0x410...0x42F: letter + 0x20
    default: letter
    }
  }
}

import MenuModel

/// The key of a name as `NameSearch` makes it, from UTF-8 to UTF-8. ASCII and the Cyrillic letters
/// from U+0400 to U+045F are folded byte by byte: they have one lower case each, and none of them
/// composes with another. A name with anything else goes the reference's way.
struct FlatNameKey {
  /// The key made last.
  private(set) var bytes: [UInt8] = []

  /// Makes the key of a name.
  ///
  /// - Throws: ``FlatFault`` where the name is not UTF-8.
  mutating func fold(_ name: UnsafeRawBufferPointer, _ fallback: () throws -> String) rethrows {
    bytes.removeAll(keepingCapacity: true)
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
        bytes = Array(NameSearch.key(try fallback()).utf8)
        return
      }
    }
  }

  /// The Cyrillic letter of two bytes.
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

  /// Whether the key made last holds another.
  func contains(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard wanted.count <= bytes.count else { return false }
    for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
      if bytes[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
    }
    return false
  }
}

extension FlatReader {
  /// The ids of products whose names contain a query, in the order of `NameSearch`.
  mutating func products(named query: String) throws -> [Int] {
    let wanted = Array(NameSearch.key(query).utf8)
    let menu = try record(0, of: image.menus)
    let products = try run(FlatRange(count: menu.products), of: image.products)
    var key = FlatNameKey()
    var found: [(id: Int, key: [UInt8])] = []
    for index in 0..<products.count {
      let product = products[index]
      try key.fold(try text(product.name)) { try image.makeText(product.name) }
      if key.contains(wanted) { found.append((product.id, key.bytes)) }
    }
    return found.sorted(by: Self.precedes).map(\.id)
  }

  private static func precedes(
    _ a: (id: Int, key: [UInt8]), _ b: (id: Int, key: [UInt8])
  ) -> Bool {
    a.key == b.key ? a.id < b.id : a.key.lexicographicallyPrecedes(b.key)
  }
}

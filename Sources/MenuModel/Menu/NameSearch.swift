import Foundation

/// Finds products by a part of their name. This is the reference for every backend.
///
/// Names are compared by their keys: lower case by Unicode's full mapping, composed (NFC), with `е`
/// for `ё`, and Latin letters without their marks. Case and Unicode form do not matter. People find
/// `ё` by typing `е`, and `é` by typing `e`. `й` is a separate letter, not `и` with a breve.
public enum NameSearch {
  /// Returns the form in which names and queries are compared and sorted.
  public static func key(_ text: String) -> String {
    var text = text
    var folded = FoldedName()
    let isFolded = text.withUTF8 { folded.fold(UnsafeRawBufferPointer($0)) }
    return isFolded ? String(decoding: folded.bytes, as: UTF8.self) : unicodeKey(text)
  }

  /// Returns the key of any text, by Unicode's tables.
  static func unicodeKey(_ text: String) -> String {
    let key = text.lowercased().precomposedStringWithCanonicalMapping
      .replacingOccurrences(of: "ё", with: "е", options: .literal)
    // ASCII and composed Cyrillic letters carry no marks of Latin letters.
    let isPlain = key.unicodeScalars.allSatisfy { $0 < "\u{C0}" || ("\u{400}"..."\u{45F}") ~= $0 }
    return isPlain ? key : withoutLatinMarks(key)
  }

  /// Removes the marks on Latin letters and composes the result again.
  private static func withoutLatinMarks(_ text: String) -> String {
    var plain = String.UnicodeScalarView()
    var isOnLatin = false
    for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.properties.canonicalCombiningClass == .notReordered {
        isOnLatin = ("a"..."z") ~= scalar
      } else if isOnLatin {
        continue
      }
      plain.append(scalar)
    }
    return String(plain).precomposedStringWithCanonicalMapping
  }

  /// Returns the ids of products whose names contain a query, sorted by the name's key, then by id.
  public static func products(of menu: Menu, named query: String) -> [Int] {
    let wanted = Array(key(query).utf8)
    let found = menu.products.map { (id: $0.id, key: key($0.name)) }
      .filter { contains(Array($0.key.utf8), wanted) }
    return found.sorted { precedes($0, $1) }.map(\.id)
  }

  /// Whether a key contains another, byte by byte, as in SQLite's `instr`.
  public static func contains(_ key: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard wanted.count <= key.count else { return false }
    return (0...(key.count - wanted.count)).contains {
      key[$0] == first && key[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }

  /// The order of results: by the bytes of the keys, as in SQLite's BINARY collation, then by id.
  ///
  /// For keys this matches how people sort Russian and English: by the alphabet, without regard to
  /// case. `ё` sorts as `е`, `é` as `e`, and `й` follows `и`. English precedes Russian, and a word
  /// precedes its continuations.
  ///
  /// Two results differ from usual sorting. Digits count one by one, so 10 precedes 9. A key with
  /// padded numbers could not be found by a part of a number. Letters such as `ø` and `ß` follow
  /// `z`, since they are not an English letter with a mark.
  public static func precedes(
    _ a: (id: Int, key: String), _ b: (id: Int, key: String)
  ) -> Bool {
    if a.key.utf8.elementsEqual(b.key.utf8) { return a.id < b.id }
    return a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
  }
}

import Foundation

/// What it means to find products by a piece of their name: the reference for every backend.
///
/// Names are compared by their keys: lower case by Unicode's full mapping, composed (NFC), `ё` as
/// `е`, Latin letters without their marks. So case and the form in which a name was typed don't
/// matter, `ё` is found by `е` and `é` by `e` as people type them, and `й` is a letter of its own, not
/// an `и` with a breve.
public enum NameSearch {
  /// The form in which names and queries are compared and sorted.
  public static func key(_ text: String) -> String {
    var text = text
    var folded = FoldedName()
    let isFolded = text.withUTF8 { folded.fold(UnsafeRawBufferPointer($0)) }
    return isFolded ? String(decoding: folded.bytes, as: UTF8.self) : unicodeKey(text)
  }

  /// The key by Unicode's tables, of any text.
  static func unicodeKey(_ text: String) -> String {
    let key = text.lowercased().precomposedStringWithCanonicalMapping
      .replacingOccurrences(of: "ё", with: "е", options: .literal)
    // Neither ASCII nor Cyrillic letters that are composed have a Latin letter's marks.
    let isPlain = key.unicodeScalars.allSatisfy { $0 < "\u{C0}" || ("\u{400}"..."\u{45F}") ~= $0 }
    return isPlain ? key : withoutLatinMarks(key)
  }

  /// Without the marks that stand on Latin letters, composed again.
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

  /// The ids of products whose names contain a query, sorted by the key of the name, then by id.
  public static func products(of menu: Menu, named query: String) -> [Int] {
    let wanted = Array(key(query).utf8)
    let found = menu.products.map { (id: $0.id, key: key($0.name)) }
      .filter { contains(Array($0.key.utf8), wanted) }
    return found.sorted { precedes($0, $1) }.map(\.id)
  }

  /// Whether a key holds another, byte by byte, as SQLite's `instr` sees it.
  public static func contains(_ key: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard wanted.count <= key.count else { return false }
    return (0...(key.count - wanted.count)).contains {
      key[$0] == first && key[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }

  /// The order of results: by the bytes of the keys, as SQLite's BINARY collation sorts, then by id.
  ///
  /// Of keys that is how people sort Russian and English: by the alphabet whatever the case, `ё` among
  /// `е`, `é` among `e`, `й` after `и`, English before Russian, a word before one that goes on.
  ///
  /// Two things people do otherwise. Digits count one by one, so that 10 comes before 9: a key with
  /// numbers of one length would not be found by a piece of them. Letters that no mark sets apart from
  /// one of the English alphabet, such as `ø` and `ß`, stand behind `z`.
  public static func precedes(
    _ a: (id: Int, key: String), _ b: (id: Int, key: String)
  ) -> Bool {
    if a.key.utf8.elementsEqual(b.key.utf8) { return a.id < b.id }
    return a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
  }
}

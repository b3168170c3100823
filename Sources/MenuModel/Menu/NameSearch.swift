import Foundation

/// What it means to find products by a piece of their name: the reference for every backend.
///
/// Names are compared by their keys: lower case by Unicode's full mapping, composed (NFC), `ё` as
/// `е`. So case and the form in which a name was typed don't matter, `ё` is found by `е` as people
/// type it, and `й` is a letter of its own, not an `и` with a breve.
public enum NameSearch {
  /// The form in which names and queries are compared and sorted.
  public static func key(_ text: String) -> String {
    text.lowercased().precomposedStringWithCanonicalMapping
      .replacingOccurrences(of: "ё", with: "е", options: .literal)
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
    guard wanted.count <= key.count else { return false }
    return (0...(key.count - wanted.count)).contains {
      key[$0..<($0 + wanted.count)].elementsEqual(wanted)
    }
  }

  /// The order of results: by the bytes of the keys, as SQLite's BINARY collation sorts, then by id.
  ///
  /// Of keys that is how people sort Russian and English: by the alphabet whatever the case, `ё` among
  /// `е`, `й` after `и`, English before Russian, a word before one that goes on. Other languages'
  /// letters, such as `é`, stand behind `z`; digits count one by one, so that 10 comes before 9.
  public static func precedes(
    _ a: (id: Int, key: String), _ b: (id: Int, key: String)
  ) -> Bool {
    if a.key.utf8.elementsEqual(b.key.utf8) { return a.id < b.id }
    return a.key.utf8.lexicographicallyPrecedes(b.key.utf8)
  }
}

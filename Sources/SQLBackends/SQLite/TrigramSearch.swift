import Basics
import MenuModel

/// Products' names by their trigrams, in an FTS5 table beside the menu's own: what `sqlite:search=trigram`
/// searches by.
///
/// The table keeps no texts (`content=''`), so that a row is a product's id and the trigrams of its name's
/// key. Trigrams that follow each other are a piece of the key, character by character; `instr` looks at the
/// few that are found all the same, since FTS5 ends a text at its first NUL, which is kept as U+FFFD.
///
/// Source: SQLite FTS5 Extension, sections 4.3.4 and 4.4.1 (sqlite.org/fts5.html).
enum TrigramSearch {
  /// Makes the table; without a count of each text's columns, which nothing here asks for.
  static let creation = """
    CREATE VIRTUAL TABLE product_search USING fts5 \
    (name_key, content='', columnsize=0, tokenize='trigram case_sensitive 1')
    """

  /// The ids of the products whose names' keys hold another, by key and id.
  static let search = """
    SELECT product.id FROM product_search JOIN product ON product.id = product_search.rowid \
    WHERE product_search MATCH ?1 AND instr(name_key(product.name), CAST(?2 AS TEXT)) \
    ORDER BY name_key(product.name), product.id
    """

  /// A key as a query: one phrase, its quotes doubled. Nil of fewer than three characters, which have no
  /// trigram, and with a NUL, at which FTS5 would end it.
  static func phrase(_ key: String) -> String? {
    guard key.unicodeScalars.count >= 3, !key.utf8.contains(0) else { return nil }
    return "\"\(key.replacing(["\"": "\"\""]))\""
  }

  /// A name as it is kept.
  static func text(_ name: String) -> String {
    let key = NameSearch.key(name)
    guard key.utf8.contains(0) else { return key }
    return String(String.UnicodeScalarView(key.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  }
}

/// The statements that replace the trigrams of a menu's names.
struct TrigramStatements {
  private let removal: PreparedStatement
  private let insertion: PreparedStatement

  /// Prepares them; whoever prepares keeps and finalises them.
  init(prepare: (String) throws -> PreparedStatement) rethrows {
    removal = try prepare("INSERT INTO product_search (product_search) VALUES ('delete-all')")
    insertion = try prepare("INSERT INTO product_search (rowid, name_key) VALUES (?, ?)")
  }

  /// Removes the old names and adds the new. To be called in a transaction.
  func replace(with products: [ProductRow]) throws {
    try removal.run()
    for product in products {
      try insertion.run {
        $0.put(product.id)
        $0.put(TrigramSearch.text(product.name))
      }
    }
  }
}

import BackendKit

/// A table of the schema and the SQL that creates, fills, reads and empties it.
struct Table: Sendable {
  let name: String
  let columns: [Column]
  let key: [String]
  let constraints: [String]
  /// What each is of, as SQL lists it: `category_id, position`, or `name_key(name), id`.
  let indexes: [String]
  // Joined once: a part of a menu is read by ten selections.
  private let selectionStart: String
  private let selectionEnd: String

  /// A key of one INTEGER column is the rowid itself; a longer key makes a table WITHOUT ROWID, so
  /// that a table is always one B-tree, kept in the order of its key. Tables are STRICT: what is
  /// read has the type declared.
  init(
    _ name: String, columns: [Column], key: [String], constraints: [String] = [],
    indexes: [String] = []
  ) {
    self.name = name
    self.columns = columns
    self.key = key
    self.constraints = constraints
    self.indexes = indexes
    selectionStart = "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)"
    selectionEnd = " ORDER BY \(key.joined(separator: ", "))"
  }

  /// Makes the table and its indexes, a statement each.
  var creation: [String] {
    let parts = columns.map(\.sql) + ["PRIMARY KEY (\(list(key)))"] + constraints
    let options = key.count > 1 ? "STRICT, WITHOUT ROWID" : "STRICT"
    let table = "CREATE TABLE \(name) (\(parts.joined(separator: ", "))) \(options)"
    return [table] + indexes.map(creation(ofIndex:))
  }

  func creation(ofIndex terms: String) -> String {
    "CREATE INDEX \(index(on: terms)) ON \(name) (\(terms))"
  }

  /// The name of an index: the table's, then the words of what it is of.
  func index(on terms: String) -> String { ([name] + Self.words(terms)).joined(separator: "_") }

  /// The indexes that look at one of these columns.
  func indexes(of names: Set<String>) -> [String] {
    indexes.filter { !names.isDisjoint(with: Self.words($0)) }
  }

  private static func words(_ terms: String) -> [String] {
    terms.split { $0 == "," || $0 == " " || $0 == "(" || $0 == ")" }.map(String.init)
  }

  /// Adds so many rows at once. Several by OR FAIL: what fails leaves the rows before it to the
  /// transaction, which undoes them, where ABORT has SQLite note every page that the statement
  /// changes (sqlite.org/lang_conflict.html).
  func insertion(of rows: Int = 1) -> String {
    let verb = rows > 1 ? "INSERT OR FAIL" : "INSERT"
    let values = "(\(list(Array(repeating: "?", count: columns.count))))"
    let names = list(columns.map(\.name))
    return "\(verb) INTO \(name) (\(names)) VALUES \(list(Array(repeating: values, count: rows)))"
  }

  /// Every row in the order of the key, which is the order on disk: nothing is sorted. Or the rows
  /// for which a condition holds, in the same order.
  func selection(where condition: String? = nil) -> String {
    selectionStart + (condition.map { " WHERE \($0)" } ?? "") + selectionEnd
  }

  var deletion: String { "DELETE FROM \(name)" }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// A column: its name, its type and what else SQLite shall hold it to.
struct Column: Sendable {
  let name: String
  let type: String

  var sql: String { "\(name) \(type)" }
}

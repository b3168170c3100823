import BackendKit

/// A table of the schema and the SQL that creates, fills, reads and empties it.
struct Table: Sendable {
  let name: String
  let columns: [Column]
  let key: [String]
  let constraints: [String]
  /// The terms of each index, as SQL lists them: `category_id, position`, or `name_key(name), id`.
  let indexes: [String]
  // Joined once, because reading a part of a menu takes ten of these queries.
  private let selectionStart: String
  private let selectionEnd: String

  /// A key of one INTEGER column becomes the rowid. A longer key makes a table WITHOUT ROWID. So each
  /// table is one B-tree in the order of its key. Tables are STRICT, so that a value that is read has
  /// the declared type.
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

  /// The statements that create the table and its indexes.
  var creation: [String] {
    let parts = columns.map(\.sql) + ["PRIMARY KEY (\(list(key)))"] + constraints
    let options = key.count > 1 ? "STRICT, WITHOUT ROWID" : "STRICT"
    let table = "CREATE TABLE \(name) (\(parts.joined(separator: ", "))) \(options)"
    return [table] + indexes.map(creation(ofIndex:))
  }

  func creation(ofIndex terms: String) -> String {
    "CREATE INDEX \(index(on: terms)) ON \(name) (\(terms))"
  }

  /// The name of an index: the table's name, then the words of the index's terms.
  func index(on terms: String) -> String { ([name] + Self.words(terms)).joined(separator: "_") }

  /// The indexes that use at least one of these columns.
  func indexes(of names: Set<String>) -> [String] {
    indexes.filter { !names.isDisjoint(with: Self.words($0)) }
  }

  private static func words(_ terms: String) -> [String] {
    terms.split { $0 == "," || $0 == " " || $0 == "(" || $0 == ")" }.map(String.init)
  }

  /// The number of rows to insert at once, if there are many. SQLite opens the table and its indexes
  /// for each INSERT, which costs more than a row.
  ///
  /// It is one if an index is on an expression. SQLite would journal what several rows change, even
  /// with OR FAIL, in the system's temporary folder.
  var rowsAtOnce: Int { indexes.contains { $0.contains("(") } ? 1 : 16 }

  /// Inserts a number of rows at once. Several rows use OR FAIL: if one fails, the rows before it stay
  /// until the transaction is rolled back. With ABORT, the default, SQLite journals every page that the
  /// statement changes (sqlite.org/lang_conflict.html).
  func insertion(of rows: Int = 1) -> String {
    let verb = rows > 1 ? "INSERT OR FAIL" : "INSERT"
    let values = "(\(list(Array(repeating: "?", count: columns.count))))"
    let names = list(columns.map(\.name))
    return "\(verb) INTO \(name) (\(names)) VALUES \(list(Array(repeating: values, count: rows)))"
  }

  /// Selects all rows, or those that fulfil a condition, in the order of the key. That is the order on
  /// disk, so SQLite does not sort.
  func selection(where condition: String? = nil) -> String {
    selectionStart + (condition.map { " WHERE \($0)" } ?? "") + selectionEnd
  }

  var deletion: String { "DELETE FROM \(name)" }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// A column: its name, and its type with its constraints.
struct Column: Sendable {
  let name: String
  let type: String

  var sql: String { "\(name) \(type)" }
}

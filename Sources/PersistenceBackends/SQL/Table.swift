/// A table of the schema and the SQL that creates, fills, reads and empties it.
struct Table: Sendable {
  let name: String
  let columns: [Column]
  let key: [String]
  let constraints: [String]
  let indexes: [String]

  /// Describes a table; columns are in the order in which its rows are bound and read.
  ///
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
  }

  /// Makes the table and its indexes, a statement each.
  var creation: [String] {
    let parts = columns.map(\.sql) + ["PRIMARY KEY (\(list(key)))"] + constraints
    let options = key.count > 1 ? "STRICT, WITHOUT ROWID" : "STRICT"
    let table = "CREATE TABLE \(name) (\(parts.joined(separator: ", "))) \(options)"
    return [table] + indexes.map { "CREATE INDEX \(name)_\($0) ON \(name) (\($0))" }
  }

  /// Adds a row.
  var insertion: String {
    let values = Array(repeating: "?", count: columns.count)
    return "INSERT INTO \(name) (\(list(columns.map(\.name)))) VALUES (\(list(values)))"
  }

  /// Every row in the order of the key, which is the order on disk: nothing is sorted. Or the rows
  /// for which a condition holds, in the same order.
  func selection(where condition: String? = nil) -> String {
    let filter = condition.map { " WHERE \($0)" } ?? ""
    return "SELECT \(list(columns.map(\.name))) FROM \(name)\(filter) ORDER BY \(list(key))"
  }

  /// Removes every row.
  var deletion: String { "DELETE FROM \(name)" }

  /// The same table with another name for a column that is in no key and no index.
  func renaming(_ old: String, to new: String) -> Table {
    Table(
      name,
      columns: columns.map { $0.name == old ? Column(name: new, type: $0.type) : $0 },
      key: key, constraints: constraints, indexes: indexes)
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

/// A column: its name, its type and what else SQLite shall hold it to.
struct Column: Sendable {
  let name: String
  let type: String

  /// A whole number.
  static func integer(_ name: String) -> Column { Column(name: name, type: "INTEGER NOT NULL") }
  /// A whole number or NULL.
  static func optionalInteger(_ name: String) -> Column { Column(name: name, type: "INTEGER") }
  /// A text.
  static func text(_ name: String) -> Column { Column(name: name, type: "TEXT NOT NULL") }
  /// A text or NULL.
  static func optionalText(_ name: String) -> Column { Column(name: name, type: "TEXT") }
  /// A floating-point number, kept bit by bit: a REAL column stores whole numbers as integers and
  /// so loses the sign of -0, and only ANY of a STRICT table keeps what it is given.
  static func real(_ name: String) -> Column { Column(name: name, type: "ANY NOT NULL") }

  /// The same column, naming a row of another table.
  ///
  /// - Parameter deferred: whether that row may come later in the transaction.
  func references(_ table: String, _ column: String = "id", deferred: Bool = false) -> Column {
    let moment = deferred ? " DEFERRABLE INITIALLY DEFERRED" : ""
    return Column(name: name, type: "\(type) REFERENCES \(table) (\(column))\(moment)")
  }

  /// As it stands in CREATE TABLE.
  var sql: String { "\(name) \(type)" }
}

/// A row of one table: the only place that knows the table's columns.
///
/// The SQL text, what is bound and what is read follow from it, through GRDB and through SQLite's C
/// API alike. `put` and `init(from:)` go through the columns in the order of ``table``.
protocol TableRow: Hashable, Sendable {
  /// Where rows of this type are kept.
  static var table: Table { get }
  /// Gives every column's value.
  func put(into sink: inout some ValueSink)
  /// Takes every column's value; throws ``SQLiteFailure`` where one has another type.
  init(from row: inout RowReader) throws
}

/// Takes the values of a row, one column after another.
protocol ValueSink: FieldVisitor where Failure == Never {
  /// Takes a whole number.
  mutating func put(_ number: Int)
  /// Takes a floating-point number.
  mutating func put(_ number: Double)
  /// Takes a text.
  mutating func put(_ text: String)
  /// Takes NULL.
  mutating func putNull()
}

extension ValueSink {
  /// Takes a truth value as 0 or 1.
  mutating func put(_ flag: Bool) { put(flag ? 1 : 0) }

  /// Takes a whole number or NULL.
  mutating func put(_ number: Int?) {
    if let number { put(number) } else { putNull() }
  }

  /// Takes a text or NULL.
  mutating func put(_ text: String?) {
    if let text { put(text) } else { putNull() }
  }
}

/// Counts the bytes that would be bound: 8 for a number, its UTF-8 length for a text, none for NULL.
struct SizeCounter: ValueSink {
  private(set) var bytes = 0

  mutating func put(_ number: Int) { bytes += 8 }
  mutating func put(_ number: Double) { bytes += 8 }
  mutating func put(_ text: String) { bytes += text.utf8.count }
  mutating func putNull() {}
}

import GRDB

/// A value as GRDB binds and decodes it.
protocol RecordValue {
  /// What is bound; nil for NULL.
  var persisted: (any DatabaseValueConvertible)? { get }
  /// Takes the value of a column; throws GRDB's `RowDecodingError` where it is of another type.
  init(record row: Row, at index: Int) throws
}

/// A value that fills one column.
protocol ColumnValue: Hashable, Sendable, RecordValue {
  /// The column's type; that it is NOT NULL goes without saying, but for an optional.
  static var columnType: String { get }
  static var declaration: String { get }

  /// Gives itself, or NULL.
  func put(into sink: inout some ValueSink)
  /// Takes the next column's value; throws ``SQLiteFailure`` where it is of another type.
  init(from row: inout RowReader) throws
}

extension ColumnValue {
  static var declaration: String { columnType + " NOT NULL" }
}

/// Is shown the fields of a row one after another, in the order of the table's columns.
///
/// A row lists its fields once, in a method that is generic over the visitor: what names the columns
/// is one visitor, what binds them, reads them and counts their bytes are others. Each is
/// specialised for each row, so that a list costs no more than the same calls written by hand.
protocol FieldVisitor {
  /// What a visit throws; `Never` but where something is read.
  associatedtype Failure: Error
  /// Is shown a field, which it may change, with its column's name.
  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) throws(Failure)
  /// Is shown a field that holds the `id` of a row of another table.
  ///
  /// - Parameter deferred: Whether that row may come later in the transaction.
  mutating func reference<Value: ColumnValue>(
    _ name: String, _ value: inout Value, to table: String, deferred: Bool
  ) throws(Failure)
}

extension FieldVisitor {
  @inline(__always)
  mutating func reference<Value: ColumnValue>(
    _ name: String, _ value: inout Value, to table: String, deferred: Bool
  ) throws(Failure) { try field(name, &value) }

  @inline(__always)
  mutating func reference<Value: ColumnValue>(
    _ name: String, _ value: inout Value, to table: String
  ) throws(Failure) { try reference(name, &value, to: table, deferred: false) }
}

/// A row of one table: the only place that knows the table's columns.
///
/// Its fields have defaults because they are listed once: a row is read by showing a reader the
/// fields of an empty one.
protocol TableRow: Hashable, Sendable {
  static var table: Table { get }

  init()
  /// Shows every field to a visitor, in the order of the table's columns.
  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension TableRow {
  static var columns: [Column] {
    var list = ColumnList()
    var row = Self()
    row.fields(&list)
    return list.columns
  }

  /// Takes every column's value; throws ``SQLiteFailure`` where one has another type.
  init(from row: inout RowReader) throws {
    self.init()
    try fields(&row)
  }
}

/// Takes the values of a row, one column after another.
protocol ValueSink: FieldVisitor where Failure == Never {
  mutating func put(_ number: Int)
  mutating func put(_ number: Double)
  mutating func put(_ text: String)
  mutating func putNull()
}

extension ValueSink {
  @inline(__always)
  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {
    value.put(into: &self)
  }
}

extension RowReader: FieldVisitor {
  @inline(__always)
  mutating func field<Value: ColumnValue>(
    _ name: String, _ value: inout Value
  ) throws(any Error) {
    value = try Value(from: &self)
  }
}

struct ColumnList: FieldVisitor {
  private(set) var columns: [Column] = []

  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {
    columns.append(Column(name: name, type: Value.declaration))
  }

  mutating func reference<Value: ColumnValue>(
    _ name: String, _ value: inout Value, to table: String, deferred: Bool
  ) {
    let moment = deferred ? " DEFERRABLE INITIALLY DEFERRED" : ""
    columns.append(
      Column(name: name, type: "\(Value.declaration) REFERENCES \(table) (id)\(moment)"))
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

extension Int: ColumnValue {
  static var columnType: String { "INTEGER" }
  func put(into sink: inout some ValueSink) { sink.put(self) }
  init(from row: inout RowReader) { self = row.int() }
}

extension Bool: ColumnValue {
  static var columnType: String { "INTEGER" }
  func put(into sink: inout some ValueSink) { sink.put(self ? 1 : 0) }
  init(from row: inout RowReader) throws { self = try row.bool() }
}

extension Double: ColumnValue {
  /// Bit by bit: a REAL column stores whole numbers as integers and so loses the sign of -0, and
  /// only ANY of a STRICT table keeps what it is given.
  static var columnType: String { "ANY" }
  func put(into sink: inout some ValueSink) { sink.put(self) }
  init(from row: inout RowReader) throws { self = try row.double() }
}

extension String: ColumnValue {
  static var columnType: String { "TEXT" }
  func put(into sink: inout some ValueSink) { sink.put(self) }
  init(from row: inout RowReader) throws { self = try row.text() }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  static var columnType: String { Wrapped.columnType }
  static var declaration: String { columnType }

  func put(into sink: inout some ValueSink) {
    if let self { self.put(into: &sink) } else { sink.putNull() }
  }

  init(from row: inout RowReader) throws {
    self = row.skipNull() ? nil : try Wrapped(from: &row)
  }
}

import GRDB

/// A value that GRDB decodes.
protocol RecordValue {
  /// Decodes a column. Throws GRDB's `RowDecodingError` if its type differs.
  init(record row: Row, at index: Int) throws
}

/// A value that fills one column.
protocol ColumnValue: Hashable, Sendable, RecordValue {
  /// The column's type without NOT NULL, which `declaration` adds for all but optionals.
  static var columnType: String { get }
  static var declaration: String { get }

  /// Puts the value, or NULL, into a sink.
  func put(into sink: inout some ValueSink)
  /// Reads the next column. Throws ``SQLiteFailure`` if its type differs.
  init(from row: inout RowReader) throws
}

extension ColumnValue {
  static var declaration: String { columnType + " NOT NULL" }
}

/// Visits the fields of a row one after another, in the order of the table's columns.
///
/// A row lists its fields once, in a method that is generic over the visitor. One visitor collects
/// the column names. Others bind values, read them or count their bytes. The compiler specialises
/// each visitor for each row, so a list costs no more than the same calls written by hand.
protocol FieldVisitor {
  /// The error of a visit, or `Never` unless the visitor reads.
  associatedtype Failure: Error
  /// Visits a field, which it may change, under its column's name.
  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) throws(Failure)
  /// Visits a field that holds the `id` of a row in another table.
  ///
  /// - Parameter deferred: Whether that row may be inserted later in the transaction.
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

/// A row of one table. Only this type knows the table's columns.
///
/// The fields need defaults: to read a row, a reader visits the fields of an empty one.
protocol TableRow: Hashable, Sendable {
  static var table: Table { get }

  init()
  /// Passes every field to a visitor, in the order of the table's columns.
  mutating func fields<V: FieldVisitor>(_ visitor: inout V) throws(V.Failure)
}

extension TableRow {
  static var columns: [Column] {
    var list = ColumnList()
    var row = Self()
    row.fields(&list)
    return list.columns
  }

  /// Reads every column. Throws ``SQLiteFailure`` if the type of one differs.
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

/// Counts the bytes that would be bound: 8 for a number, the UTF-8 length of a text, 0 for NULL.
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
  /// ANY in a STRICT table keeps every bit. A REAL column would store whole numbers as integers and
  /// lose the sign of -0.
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

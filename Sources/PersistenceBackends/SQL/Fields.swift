/// A value that fills one column.
protocol ColumnValue: Hashable, Sendable {
  /// The column's type; that it is NOT NULL goes without saying, but for an optional.
  static var columnType: String { get }
  /// Whether the column may be NULL.
  static var isOptional: Bool { get }

  /// Gives itself, or NULL.
  func put(into sink: inout some ValueSink)
  /// Takes the next column's value; throws ``SQLiteFailure`` where it is of another type.
  init(from row: inout RowReader) throws
}

extension ColumnValue {
  static var isOptional: Bool { false }
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
}

extension ValueSink where Failure == Never {
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

/// Lists the columns of a row.
struct ColumnList: FieldVisitor {
  private(set) var columns: [Column] = []

  mutating func field<Value: ColumnValue>(_ name: String, _ value: inout Value) {
    let constraint = Value.isOptional ? "" : " NOT NULL"
    columns.append(Column(name: name, type: Value.columnType + constraint))
  }
}

extension Int: ColumnValue {
  static var columnType: String { "INTEGER" }
  func put(into sink: inout some ValueSink) { sink.put(self) }
  init(from row: inout RowReader) { self = row.int() }
}

extension Bool: ColumnValue {
  static var columnType: String { "INTEGER" }
  func put(into sink: inout some ValueSink) { sink.put(self) }
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
  static var isOptional: Bool { true }

  func put(into sink: inout some ValueSink) {
    if let self { self.put(into: &sink) } else { sink.putNull() }
  }

  init(from row: inout RowReader) throws {
    self = row.skipNull() ? nil : try Wrapped(from: &row)
  }
}

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
protocol ValueSink {
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

import GRDBSQLite

/// Takes the values of a statement's current row, one column after another.
struct RowReader {
  private let statement: OpaquePointer
  private var index: Int32 = -1

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// A whole number.
  mutating func int() -> Int { Int(sqlite3_column_int64(statement, next())) }

  /// A whole number or NULL.
  mutating func optionalInt() -> Int? {
    let column = next()
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    return Int(sqlite3_column_int64(statement, column))
  }

  /// A truth value; throws unless it is 0 or 1.
  mutating func bool() throws -> Bool {
    let number = int()
    guard number == 0 || number == 1 else { throw mismatch("\(number) is neither 0 nor 1") }
    return number == 1
  }

  /// A floating-point number; throws where something else is stored.
  mutating func double() throws -> Double {
    let column = next()
    guard sqlite3_column_type(statement, column) == SQLITE_FLOAT else {
      throw mismatch("not a floating-point number")
    }
    return sqlite3_column_double(statement, column)
  }

  /// A text; throws where its bytes are not UTF-8.
  mutating func text() throws -> String { try text(next()) }

  /// A text or NULL; throws where its bytes are not UTF-8.
  mutating func optionalText() throws -> String? {
    let column = next()
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    return try text(column)
  }

  private func text(_ column: Int32) throws -> String {
    // The length is asked after the text, which is what may convert (sqlite.org/c3ref/column_blob).
    guard let start = sqlite3_column_text(statement, column) else {
      throw mismatch("no text")
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw mismatch("not UTF-8")
    }
    return text
  }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private func mismatch(_ what: String) -> SQLiteFailure {
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    return SQLiteFailure(
      "column \(name) of `\(sql)`: \(what)")
  }
}

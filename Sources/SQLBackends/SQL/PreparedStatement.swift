import BackendKit
import Basics
import Foundation
import GRDBSQLite

/// A prepared statement that runs through the C API, whether GRDB or the C API prepared it.
///
/// It does not own the statement: the caller that prepared it must finalise it.
struct PreparedStatement {
  let handle: OpaquePointer

  func run(_ bind: (inout RowBinder) -> Void = { _ in }) throws {
    defer { sqlite3_reset(handle) }
    try self.bind(bind)
    try finish(sqlite3_step(handle))
  }

  /// Runs an UPDATE and returns the number of rows that it changed.
  func update(_ bind: (inout RowBinder) -> Void) throws -> Int {
    try run(bind)
    return Int(sqlite3_changes(sqlite3_db_handle(handle)))
  }

  func rows<Row: TableRow>(_ type: Row.Type) throws -> [Row] {
    try rows { try Row(from: &$0) }
  }

  /// Runs a SELECT and returns the value that `take` makes of each row.
  func rows<Value>(
    _ bind: (inout RowBinder) -> Void = { _ in },
    _ take: (inout RowReader) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try each(bind) { values.append(try take(&$0)) }
    return values
  }

  @inline(__always)
  func each(
    _ bind: (inout RowBinder) -> Void, _ take: (inout RowReader) throws -> Void
  ) throws {
    defer { sqlite3_reset(handle) }
    try self.bind(bind)
    while true {
      let code = sqlite3_step(handle)
      guard code == SQLITE_ROW else { return try finish(code) }
      var reader = RowReader(handle)
      try take(&reader)
    }
  }

  /// Runs a SELECT and returns the value that `take` makes of its first row, or nil if there is none.
  ///
  /// SQLite's read transaction lasts as long as a statement has an open row. Other queries that run
  /// in `take` therefore see the same state of the database without a BEGIN and a COMMIT
  /// (sqlite.org/lang_transaction.html).
  func first<Value>(
    _ bind: (inout RowBinder) -> Void = { _ in },
    _ take: (inout RowReader) throws -> Value
  ) throws -> Value? {
    defer { sqlite3_reset(handle) }
    try self.bind(bind)
    let code = sqlite3_step(handle)
    guard code == SQLITE_ROW else {
      try finish(code)
      return nil
    }
    var reader = RowReader(handle)
    return try take(&reader)
  }

  func bind(_ values: (inout RowBinder) -> Void) throws {
    var binder = RowBinder(handle)
    values(&binder)
    guard binder.code == SQLITE_OK else { throw failure(binder.code) }
  }

  /// Runs a statement with one parameter, a blob. SQLite reads the bytes in place, without a copy.
  func run(blob bytes: Data) throws {
    defer { sqlite3_reset(handle) }
    try bytes.withUnsafeBytes { buffer in
      // nil is SQLITE_STATIC: SQLite does not copy. The blob is unbound after the run.
      defer { sqlite3_clear_bindings(handle) }
      // A null address would bind NULL instead of an empty blob.
      let code =
        buffer.isEmpty
        ? sqlite3_bind_zeroblob(handle, 1, 0)
        : sqlite3_bind_blob64(handle, 1, buffer.baseAddress, UInt64(buffer.count), nil)
      guard code == SQLITE_OK else { throw failure(code) }
      try finish(sqlite3_step(handle))
    }
  }

  private func finish(_ code: Int32) throws {
    guard code == SQLITE_DONE else { throw failure(code) }
  }

  func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, on: sqlite3_db_handle(handle))
  }
}

/// Binds values to the parameters of a statement in order, without GRDB's argument lists.
struct RowBinder: ValueSink {
  private let statement: OpaquePointer
  private var index: Int32 = 0
  /// The result code of the first failure, or `SQLITE_OK`.
  private(set) var code = SQLITE_OK

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func put(_ number: Int) { check(sqlite3_bind_int64(statement, next(), Int64(number))) }
  mutating func put(_ number: Double) { check(sqlite3_bind_double(statement, next(), number)) }

  mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { put(utf8: UnsafeRawBufferPointer($0)) }
  }

  mutating func putNull() { check(sqlite3_bind_null(statement, next())) }

  private mutating func put(utf8 bytes: UnsafeRawBufferPointer) {
    let index = next()
    // A null address would bind NULL instead of an empty text.
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return check(sqlite3_bind_text64(statement, index, "", 0, transient, UInt8(SQLITE_UTF8)))
    }
    check(
      sqlite3_bind_text64(
        statement, index, start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
        transient, UInt8(SQLITE_UTF8)))
  }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private mutating func check(_ result: Int32) {
    if code == SQLITE_OK { code = result }
  }
}

/// SQLITE_TRANSIENT, a macro that Swift does not import. SQLite copies the bytes before it returns,
/// because a short Swift string has no address that is valid after `withUTF8`.
var transient: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// Reads the columns of a statement's current row in order.
struct RowReader {
  private let statement: OpaquePointer
  private var index: Int32 = -1

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func int() -> Int { Int(sqlite3_column_int64(statement, next())) }

  /// Whether the next column is NULL. If it is, skips it.
  mutating func skipNull() -> Bool {
    guard sqlite3_column_type(statement, index + 1) == SQLITE_NULL else { return false }
    index += 1
    return true
  }

  /// Reads a Boolean. Throws unless it is 0 or 1.
  mutating func bool() throws -> Bool {
    let number = int()
    guard number == 0 || number == 1 else { throw mismatch("\(number) is neither 0 nor 1") }
    return number == 1
  }

  /// Reads a floating-point number. Throws if the value has another type.
  mutating func double() throws -> Double {
    let column = next()
    guard sqlite3_column_type(statement, column) == SQLITE_FLOAT else {
      throw mismatch("not a floating-point number")
    }
    return sqlite3_column_double(statement, column)
  }

  /// Reads a text. Throws if its bytes are not UTF-8.
  mutating func text() throws -> String {
    let column = next()
    // Ask for the length after the text, which may convert the value (sqlite.org/c3ref/column_blob).
    guard let start = sqlite3_column_text(statement, column) else {
      throw mismatch("not text")
    }
    let count = Int(sqlite3_column_bytes(statement, column))
    let bytes = UnsafeBufferPointer(start: start, count: count)
    guard let text = String(utf8: bytes) else {
      throw mismatch("not UTF-8")
    }
    return text
  }

  /// Reads a blob from the row whose rowid is the next column, and copies it once, out of its pages.
  /// A column's value would be copied twice, because SQLite assembles it in its own memory first.
  ///
  /// - Throws: ``SQLiteFailure`` if the value is a number or NULL, or if memory runs out. A text is
  ///   returned as its bytes, so the table should be STRICT.
  mutating func blob(_ name: String, of table: String) throws -> Data {
    let connection = sqlite3_db_handle(statement)
    let row = sqlite3_column_int64(statement, next())
    var blob: OpaquePointer?
    defer { sqlite3_blob_close(blob) }
    let opened = sqlite3_blob_open(connection, "main", table, name, row, 0, &blob)
    guard opened == SQLITE_OK else { throw SQLiteFailure(code: opened, on: connection) }
    let count = sqlite3_blob_bytes(blob)
    guard count > 0 else { return Data() }
    guard let memory = malloc(Int(count)) else {
      throw SQLiteFailure(code: SQLITE_NOMEM, on: nil)
    }
    let read = sqlite3_blob_read(blob, memory, count, 0)
    guard read == SQLITE_OK else {
      free(memory)
      throw SQLiteFailure(code: read, on: connection)
    }
    return Data(bytesNoCopy: memory, count: Int(count), deallocator: .free)
  }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private func mismatch(_ what: String) -> SQLiteFailure {
    let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
    let name = sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
    return SQLiteFailure("column \(name) of `\(sql)`: \(what)")
  }
}

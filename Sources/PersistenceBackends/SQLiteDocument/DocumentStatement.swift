import Foundation
import GRDBSQLite

/// A statement prepared once, run through SQLite's C API; whoever prepared it finalises it.
struct DocumentStatement {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// Runs it; how many rows it changed is ``changes``.
  func run(_ arguments: SQLArgument...) throws {
    _ = try rows(arguments) { _ in true }
  }

  /// The rows that it gives, taken one by one.
  func all<Value>(
    _ arguments: SQLArgument..., taking: (DocumentRow) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try rows(arguments) {
      values.append(try taking($0))
      return true
    }
    return values
  }

  /// Its first row; the others are not looked for.
  func first<Value>(
    _ arguments: SQLArgument..., taking: (DocumentRow) throws -> Value
  ) throws -> Value? {
    var value: Value?
    try rows(arguments) {
      value = try taking($0)
      return false
    }
    return value
  }

  /// The number of rows that the last INSERT, UPDATE or DELETE of the connection changed.
  var changes: Int { Int(sqlite3_changes(sqlite3_db_handle(statement))) }

  private func rows(
    _ arguments: [SQLArgument], _ take: (DocumentRow) throws -> Bool
  ) throws {
    defer { sqlite3_reset(statement) }
    for (index, argument) in arguments.enumerated() {
      try check(argument.bind(to: statement, Int32(index + 1)), is: SQLITE_OK)
    }
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else { return try check(code, is: SQLITE_DONE) }
      guard try take(DocumentRow(statement)) else { return }
    }
  }

  private func check(_ code: Int32, is expected: Int32) throws {
    guard code == expected else {
      throw SQLiteFailure(code: code, on: sqlite3_db_handle(statement))
    }
  }
}

/// The current row of a statement.
struct DocumentRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { self.statement = statement }

  /// A whole number.
  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  /// The bytes of a text, copied.
  func data(_ column: Int32) -> Data {
    // The length is asked after the text, which is what may convert (sqlite.org/c3ref/column_blob).
    guard let start = sqlite3_column_text(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  /// A text.
  func text(_ column: Int32) -> String { String(decoding: data(column), as: UTF8.self) }
}

import Foundation
import GRDBSQLite

/// A value for a parameter of a statement.
enum SQLArgument {
  /// A whole number.
  case int(Int)
  /// A text.
  case text(String)
  /// A text, as its UTF-8.
  case body(Data)

  /// SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies before it returns.
  static var copied: sqlite3_destructor_type {
    unsafeBitCast(-1, to: sqlite3_destructor_type.self)
  }

  /// Binds the value; gives SQLite's result code.
  func bind(to statement: OpaquePointer, _ index: Int32) -> Int32 {
    switch self {
    case .int(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .text(var text):
      return text.withUTF8 { bind(UnsafeRawBufferPointer($0), statement, index) }
    case .body(let data): return data.withUnsafeBytes { bind($0, statement, index) }
    }
  }

  private func bind(
    _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32
  ) -> Int32 {
    // A null address would bind NULL instead of an empty text.
    let start = bytes.isEmpty ? nil : bytes.assumingMemoryBound(to: CChar.self).baseAddress
    guard let start else {
      return sqlite3_bind_text64(statement, index, "", 0, Self.copied, UInt8(SQLITE_UTF8))
    }
    return sqlite3_bind_text64(
      statement, index, start, UInt64(bytes.count), Self.copied, UInt8(SQLITE_UTF8))
  }
}

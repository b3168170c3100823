import Foundation
import GRDBSQLite
import MenuModel

/// `name_key(json)`: the ``NameSearch/key(_:)`` of a name given as a JSON text, for a generated
/// column and its index; NULL for anything else.
///
/// Registered by SQLite's C API: GRDB ends a function's text at the first NUL. It depends on nothing
/// but its argument and does nothing else, which SQLite wants to know of a function in a schema
/// (sqlite.org/deterministic.html, sqlite.org/c3ref/c_deterministic.html).
enum NameKeyFunction {
  /// Makes the function known to a connection.
  static func register(on connection: OpaquePointer?) throws {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, "name_key", 1, flags, nil,
      { context, _, values in NameKeyFunction.run(context, values) }, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, on: connection) }
  }

  private static func run(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let value = arguments?[0], let start = sqlite3_value_text(value) else {
      return sqlite3_result_null(context)
    }
    let count = Int(sqlite3_value_bytes(value))
    guard let name = name(UnsafeBufferPointer(start: start, count: count)) else {
      return sqlite3_result_null(context)
    }
    var key = NameSearch.key(name)
    key.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // A null address would give NULL instead of an empty text.
        guard let start = $0.baseAddress, !$0.isEmpty else {
          return sqlite3_result_text64(context, "", 0, SQLArgument.copied, UInt8(SQLITE_UTF8))
        }
        sqlite3_result_text64(
          context, start, UInt64($0.count), SQLArgument.copied, UInt8(SQLITE_UTF8))
      }
    }
  }

  /// The text that a JSON text stands for; most have no escapes and are their own.
  private static func name(_ json: UnsafeBufferPointer<UInt8>) -> String? {
    let quote = UInt8(ascii: "\"")
    guard json.count >= 2, json.first == quote, json.last == quote else { return nil }
    guard json.contains(UInt8(ascii: "\\")) else {
      return String(decoding: json[1..<(json.count - 1)], as: UTF8.self)
    }
    return try? decoder.decode(String.self, from: Data(json))
  }

  private static let decoder = JSONDecoder()
}

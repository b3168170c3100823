import BackendKit
import Basics
import GRDBSQLite
import MenuModel

/// `name_key(name)`: an SQL function that returns the ``NameSearch/key(_:)`` of a name.
///
/// SQLite finds products by these keys. With BINARY collation and `instr` it compares them byte by
/// byte, as ``NameSearch`` does. The function is registered through the C API because GRDB cuts the
/// text of a function at the first NUL. It is deterministic and has no side effects, as SQLite
/// requires in a schema (sqlite.org/deterministic.html, sqlite.org/c3ref/c_deterministic.html).
enum NameKey {
  case ofText
  /// The argument is a name as GRDB's records store it (`String.stored`).
  case ofRecord

  func register(on connection: OpaquePointer?) throws {
    let function: @convention(c) (Context?, Int32, UnsafeMutablePointer<Value?>?) -> Void =
      switch self {
      case .ofText: { Self.answer($0, $2?.pointee) { String(utf8: $0) } }
      case .ofRecord: { Self.answer($0, $2?.pointee) { try? String(utf8: $0)?.restored() } }
      }
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let code = sqlite3_create_function_v2(
      connection, "name_key", 1, flags, nil, function, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteFailure(code: code, on: connection) }
  }

  private typealias Context = OpaquePointer
  private typealias Value = OpaquePointer

  private static func answer(
    _ context: Context?, _ argument: Value?, _ text: (UnsafeBufferPointer<UInt8>) -> String?
  ) {
    guard let start = sqlite3_value_text(argument) else { return sqlite3_result_null(context) }
    let count = Int(sqlite3_value_bytes(argument))
    guard let name = text(UnsafeBufferPointer(start: start, count: count)) else {
      return sqlite3_result_error(context, "a product's name is not UTF-8", -1)
    }
    var key = NameSearch.key(name)
    key.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        // A null address would return NULL instead of an empty text.
        guard let start = $0.baseAddress, !$0.isEmpty else {
          return sqlite3_result_text64(context, "", 0, transient, UInt8(SQLITE_UTF8))
        }
        sqlite3_result_text64(context, start, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
      }
    }
  }
}

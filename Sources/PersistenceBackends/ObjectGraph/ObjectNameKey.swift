import GRDB
import GRDBSQLite
import MenuModel

/// The SQL function that makes of a name what ``NameSearch`` compares and sorts, as bytes.
///
/// It is registered through SQLite's C API: GRDB's functions end a text at its first NUL.
enum ObjectNameKey {
  /// Its name in SQL.
  static let name = "name_key"

  /// Adds it to a connection.
  static func register(on connection: Database) throws {
    let code = sqlite3_create_function_v2(
      connection.sqliteConnection, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, arguments in ObjectNameKey.answer(context, arguments?.pointee) }, nil, nil,
      nil)
    guard code == SQLITE_OK else {
      throw SQLiteFailure(code: code, on: connection.sqliteConnection)
    }
  }

  private static func answer(_ context: OpaquePointer?, _ argument: OpaquePointer?) {
    guard let text = sqlite3_value_text(argument) else { return sqlite3_result_null(context) }
    let count = Int(sqlite3_value_bytes(argument))
    var key = NameSearch.key(
      String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    key.withUTF8 { bytes in
      // A null address would be NULL instead of no bytes.
      guard let start = bytes.baseAddress, !bytes.isEmpty else {
        return sqlite3_result_zeroblob(context, 0)
      }
      // SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies the bytes.
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_result_blob64(context, start, UInt64(bytes.count), copied)
    }
  }
}

extension ObjectSession {
  /// The ids of the menu's own products whose names contain a query, as ``NameSearch`` has it.
  func products(named wanted: String) throws -> [Int] {
    let root = try root()
    let query = try query(.other("names")) {
      """
      SELECT product.id FROM menu_products JOIN product ON product.pk = menu_products.target
      WHERE menu_products.source = ?1
        AND instr(\(ObjectNameKey.name)(product.name), CAST(?2 AS BLOB)) > 0
      ORDER BY \(ObjectNameKey.name)(product.name), product.id
      """
    }
    return try query.rows {
      $0.put(root)
      $0.put(NameSearch.key(wanted))
    } _: {
      $0.int()
    }
  }
}

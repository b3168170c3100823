import GRDBSQLite
import MenuModel

@testable import SQLBackends

/// A connection by SQLite's C API alone, opened as GRDB opens its own.
final class CConnection {
  private let handle: OpaquePointer
  private var statements: [OpaquePointer] = []
  private var isOpen = true

  init(path: String) throws {
    var handle: OpaquePointer?
    // GRDB's flags: its queue serialises access, so the connection needs no lock of its own.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let failure = SQLiteFailure(code: code, on: handle)
      sqlite3_close(handle)
      throw failure
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(StoreSettings.busyTimeout))
    try registerNameKeys()
  }

  /// Indexes keep the results of these functions, so only connections with them write or check a
  /// store.
  private func registerNameKeys() throws {
    try NameKey.ofText.register(on: handle)
    sqlite3_create_function_v2(
      handle, "nameKey", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, arguments in
        let name = arguments?.pointee.flatMap(sqlite3_value_text).map { String(cString: $0) } ?? ""
        let key = Array(NameSearch.key((try? name.restored()) ?? name).utf8)
        let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        sqlite3_result_blob64(context, key, UInt64(key.count), isCopied)
      }, nil, nil, nil)
  }

  deinit { close() }

  /// Prepares a statement that is kept until the connection is closed.
  func prepare(_ sql: String) throws -> PreparedStatement {
    let statement = try made(sql)
    statements.append(statement)
    return PreparedStatement(handle: statement)
  }

  func run(_ sql: String) throws { _ = try texts(sql) }

  func texts(_ sql: String) throws -> [String] {
    let statement = try made(sql)
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        guard let text = sqlite3_column_text(statement, 0) else { continue }
        texts.append(String(cString: text))
      case SQLITE_DONE: return texts
      case let code: throw SQLiteFailure(code: code, on: handle)
      }
    }
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close(handle)
  }

  private func made(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw SQLiteFailure(code: code, on: handle) }
    return statement
  }
}

extension TemporaryFolder {
  /// Runs statements on one of its databases, by SQLite alone.
  func run(_ statements: String..., in database: String = "menu.sqlite") throws {
    let connection = try CConnection(path: path + "/" + database)
    for statement in statements { try connection.run(statement) }
    connection.close()
  }

  /// The first column of a query of one of its databases, by SQLite alone.
  func texts(_ sql: String, in database: String = "menu.sqlite") throws -> [String] {
    let connection = try CConnection(path: path + "/" + database)
    defer { connection.close() }
    return try connection.texts(sql)
  }
}

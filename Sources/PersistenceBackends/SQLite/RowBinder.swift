import GRDBSQLite

/// Binds values to the parameters of a statement, one after another, without GRDB's argument lists.
struct RowBinder: ValueSink {
  private let statement: OpaquePointer
  private var index: Int32 = 0
  /// The first failure's result code, else `SQLITE_OK`.
  private(set) var code = SQLITE_OK

  init(_ statement: OpaquePointer) { self.statement = statement }

  mutating func put(_ number: Int) { check(sqlite3_bind_int64(statement, next(), Int64(number))) }

  mutating func put(_ number: Double) { check(sqlite3_bind_double(statement, next(), number)) }

  mutating func put(_ text: String) {
    let index = next()
    var text = text
    check(
      text.withUTF8 { bytes in
        // A null address would bind NULL instead of an empty text.
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
          return sqlite3_bind_text64(statement, index, "", 0, copied, UInt8(SQLITE_UTF8))
        }
        return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
          sqlite3_bind_text64(
            statement, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
        }
      })
  }

  mutating func putNull() { check(sqlite3_bind_null(statement, next())) }

  private mutating func next() -> Int32 {
    index += 1
    return index
  }

  private mutating func check(_ result: Int32) {
    if code == SQLITE_OK { code = result }
  }
}

/// SQLITE_TRANSIENT, a macro that Swift can't import: SQLite copies the text before it returns, as
/// the bytes of a short Swift string have no address that outlives `withUTF8`.
private var copied: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

import CLMDB
import Foundation

/// A transaction on the one database of a store, and its cursor; used within
/// ``LMDBEnvironment/read(_:)`` or ``LMDBEnvironment/write(_:_:)`` only.
///
/// Values are copied out of the map: they are the system's pages, which the next write may change.
final class LMDBTransaction {
  /// The bytes of the values taken from the map.
  private(set) var bytesRead = 0
  private let handle: OpaquePointer
  private let database: MDB_dbi
  private var cursor: OpaquePointer?

  init(_ handle: OpaquePointer, _ database: MDB_dbi) {
    self.handle = handle
    self.database = database
  }

  /// The value of a key; nil where there is none.
  func value(_ key: [UInt8]) throws -> Data? {
    var found: Data?
    try withValue(key) { key in
      var value = MDB_val()
      let code = mdb_get(handle, database, &key, &value)
      guard code != MDB_NOTFOUND else { return }
      try LMDBFailure.check(code)
      found = take(value)
    }
    return found
  }

  /// Goes through the entries from a key on until told to stop.
  func entries(
    from key: [UInt8], _ visit: (UnsafeRawBufferPointer, () -> Data) throws -> Bool
  ) throws {
    let cursor = try openCursor()
    var value = MDB_val()
    var code = withValue(key) { mdb_cursor_get(cursor, &$0, &value, MDB_SET_RANGE) }
    var found = MDB_val()
    if code == MDB_SUCCESS { code = mdb_cursor_get(cursor, &found, &value, MDB_GET_CURRENT) }
    while code == MDB_SUCCESS {
      guard try visit(UnsafeRawBufferPointer(found), { take(value) }) else { return }
      code = mdb_cursor_get(cursor, &found, &value, MDB_NEXT)
    }
    guard code == MDB_NOTFOUND else { throw LMDBFailure(code: code) }
  }

  /// Removes every entry.
  func removeAll() throws { try LMDBFailure.check(mdb_drop(handle, database, 0)) }

  /// Adds an entry beyond all others, which fills pages to the end.
  func append(_ key: [UInt8], _ value: some ContiguousBytes) throws {
    let cursor = try openCursor()
    try put(key, value) { mdb_cursor_put(cursor, &$0, &$1, UInt32(MDB_APPEND)) }
  }

  /// Adds an entry or replaces its value.
  func put(_ key: [UInt8], _ value: some ContiguousBytes) throws {
    try put(key, value) { mdb_put(handle, database, &$0, &$1, 0) }
  }

  /// Closes the cursor; to be called before the transaction ends.
  func finish() {
    cursor.map(mdb_cursor_close)
    cursor = nil
  }

  private func put(
    _ key: [UInt8], _ value: some ContiguousBytes,
    _ body: (inout MDB_val, inout MDB_val) -> Int32
  ) throws {
    try withValue(key) { key in
      try value.withUnsafeBytes { bytes in
        var value = MDB_val(bytes)
        try LMDBFailure.check(body(&key, &value))
      }
    }
  }

  private func take(_ value: MDB_val) -> Data {
    bytesRead += value.mv_size
    guard let start = value.mv_data, value.mv_size > 0 else { return Data() }
    return Data(bytes: start, count: value.mv_size)
  }

  private func openCursor() throws -> OpaquePointer {
    if let cursor { return cursor }
    try LMDBFailure.check(mdb_cursor_open(handle, database, &cursor))
    guard let cursor else { throw LMDBFailure(code: ENOMEM) }
    return cursor
  }

  private func withValue<Result>(
    _ bytes: [UInt8], _ body: (inout MDB_val) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes {
      var value = MDB_val($0)
      return try body(&value)
    }
  }
}

extension MDB_val {
  /// Bytes that LMDB only reads.
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }
}

extension UnsafeRawBufferPointer {
  fileprivate init(_ value: MDB_val) { self.init(start: value.mv_data, count: value.mv_size) }
}

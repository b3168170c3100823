import GRDBSQLite

/// The SQLite library that this process uses.
public enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  public static var version: String { String(cString: sqlite3_libversion()) }
}

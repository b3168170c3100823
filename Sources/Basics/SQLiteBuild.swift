/// Words for a build of SQLite, whoever has linked or found it.
package enum SQLiteBuild {
  private static let reachingOptions = [
    "DEFAULT_MEMSTATUS=0", "FAST_SECURE_DELETE", "OMIT_LOOKASIDE", "SECURE_DELETE",
  ]

  /// Its version with those options of its build that change what is counted, such as
  /// `3.40.1 (SECURE_DELETE)`: with `SECURE_DELETE` more bytes are written, without `OMIT_LOOKASIDE`
  /// fewer allocations are seen, and with `DEFAULT_MEMSTATUS=0` none of them takes a mutex.
  ///
  /// - Parameters:
  ///   - version: what `sqlite3_libversion` gives.
  ///   - isUsed: `sqlite3_compileoption_used`.
  package static func description(
    version: UnsafePointer<CChar>, isUsed: (UnsafePointer<CChar>) -> Int32
  ) -> String {
    let options = reachingOptions.filter { isUsed($0) != 0 }
    let build = options.isEmpty ? "" : " (\(options.joined(separator: ", ")))"
    return String(cString: version) + build
  }
}

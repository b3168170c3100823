/// Describes a build of SQLite, linked into the program or found at run time.
package enum SQLiteBuild {
  private static let reachingOptions = [
    "DEFAULT_MEMSTATUS=0", "FAST_SECURE_DELETE", "OMIT_LOOKASIDE", "SECURE_DELETE",
  ]

  /// Returns the version and those build options that change counts, such as
  /// `3.40.1 (SECURE_DELETE)`. `SECURE_DELETE` writes more bytes, and `OMIT_LOOKASIDE` shows more
  /// allocations. With `DEFAULT_MEMSTATUS=0` an allocation takes no mutex.
  ///
  /// - Parameters:
  ///   - version: the result of `sqlite3_libversion`.
  ///   - isUsed: `sqlite3_compileoption_used`.
  package static func description(
    version: UnsafePointer<CChar>, isUsed: (UnsafePointer<CChar>) -> Int32
  ) -> String {
    let options = reachingOptions.filter { isUsed($0) != 0 }
    let build = options.isEmpty ? "" : " (\(options.joined(separator: ", ")))"
    return String(cString: version) + build
  }
}

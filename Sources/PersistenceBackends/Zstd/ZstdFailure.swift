import CZstd

extension StorageError {
  /// What is wrong with a zstd frame that was to be made or read.
  static func zstd(_ operation: String, _ reason: String) -> Self {
    StorageError(operation: operation, path: "a zstd frame", reason: reason)
  }
}

/// What a function of libzstd returned, unless that is an error.
///
/// - Throws: ``StorageError`` in libzstd's words.
func zstd(_ operation: String, _ code: Int) throws -> Int {
  guard ZSTD_isError(code) == 0 else {
    throw StorageError.zstd(operation, String(cString: ZSTD_getErrorName(code)))
  }
  return code
}

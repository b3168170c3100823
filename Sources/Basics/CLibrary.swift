// Imports the system's C library, whatever its module is called.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

/// Returns the system's message for a failed call.
///
/// - Parameter code: `errno` by default. Read it before you call anything else.
package func errnoMessage(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// Returns the absolute path without symbolic links. Returns nil and sets errno if it is missing.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// Returns the length of a file in bytes, or 0 if it does not exist.
///
/// - Throws: the system's reason.
package func length(ofFile path: String) throws(Refusal) -> Int {
  var status = stat()
  // Reads errno at once, since freeing memory may change it.
  let code = stat(path, &status) == 0 ? 0 : errno
  guard code == 0 || code == ENOENT else { throw Refusal(errnoMessage(code)) }
  return Int(status.st_size)
}

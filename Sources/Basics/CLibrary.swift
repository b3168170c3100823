// The system's C library, by one import whatever it is called.
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#else
  @_exported import Darwin
#endif

/// Why a call of the system failed, in its own words.
///
/// - Parameter code: errno unless told; read it before anything else is called.
package func errnoMessage(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

/// An absolute path with every link followed; nil where nothing is there, with the reason in errno.
package func resolvedPath(_ path: String) -> String? {
  guard let resolved = realpath(path, nil) else { return nil }
  defer { free(resolved) }
  return String(cString: resolved)
}

/// The length of the file that a path names; 0 where there is none.
///
/// - Throws: the system's reason.
package func length(ofFile path: String) throws(Refusal) -> Int {
  var status = stat()
  // errno is read before anything is freed.
  let code = stat(path, &status) == 0 ? 0 : errno
  guard code == 0 || code == ENOENT else { throw Refusal(errnoMessage(code)) }
  return Int(status.st_size)
}

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

/// The length of the file that a path names; nil where the system refuses, with the reason in errno.
package func length(ofFile path: String) -> Int? {
  var status = stat()
  return stat(path, &status) == 0 ? Int(status.st_size) : nil
}

#if Jemalloc
  import CJemalloc
#endif

/// Which allocator serves malloc.
enum AllocatorName {
  /// Its name, with its version where it says one.
  static var current: String {
    #if Jemalloc
      if (try? JemallocCounters()) != nil {
        return jemallocVersion.map { "jemalloc \($0)" } ?? "jemalloc"
      }
    #endif
    #if canImport(Darwin)
      return "system (libmalloc)"
    #elseif canImport(Musl)
      return "system (musl)"
    #else
      return "system (glibc)"
    #endif
  }

  #if Jemalloc
    /// The version up to the git revision: `5.3.0-0-g54ea…` is 5.3.0.
    private static var jemallocVersion: String? {
      var text: UnsafePointer<CChar>?
      var size = MemoryLayout<UnsafePointer<CChar>?>.size
      guard jemalloc_ctl("version", &text, &size, nil, 0) == 0, let text else { return nil }
      return String(cString: text).split(separator: "-").first.map(String.init)
    }
  #endif
}

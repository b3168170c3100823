#if canImport(Darwin)
  import Darwin

  /// Reading what sysctl(3) knows, on Apple.
  enum Sysctl {
    /// The text of that name; nil if there is none.
    static func text(_ name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
#endif

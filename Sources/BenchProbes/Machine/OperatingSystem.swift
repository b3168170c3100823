#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the operating system says of itself and its load.
enum OperatingSystem {
  /// The kernel's release, as uname(2) gives it.
  static var kernel: String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return withUnsafeBytes(of: names.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The average number of processes that wanted to run during the last minute.
  static var loadAverage: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }

  /// The `PRETTY_NAME` of the text of `/etc/os-release` (os-release(5)).
  static func prettyName(osRelease text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
      let value = line.dropFirst("PRETTY_NAME=".count)
      let unquoted = value.filter { $0 != "\"" && $0 != "'" }
      return unquoted.isEmpty ? nil : unquoted
    }
    return nil
  }
}

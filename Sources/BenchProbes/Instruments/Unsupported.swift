#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why this machine or this build cannot give a metric.
public struct Unsupported: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, without a full stop: `no /proc/self/io here`.
  public let reason: String

  /// Makes a refusal.
  public init(_ reason: String) {
    self.reason = reason
  }

  /// The reason.
  public var description: String { reason }

  /// A refusal with what the system said, read from `errno`.
  static func systemError(_ what: String, code: Int32 = errno) -> Unsupported {
    Unsupported("\(what): \(String(cString: strerror(code)))")
  }
}

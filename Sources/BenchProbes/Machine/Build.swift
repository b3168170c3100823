/// How the program was compiled.
public enum Build {
  /// Whether it was compiled without optimisation, so that its times mean nothing.
  ///
  /// Only unoptimised code evaluates what stands in an `assert`, whatever the build system passed.
  /// SwiftPM compiles a program and all its libraries in one configuration.
  public static let isDebug: Bool = {
    var found = false
    assert(
      {
        found = true
        return true
      }())
    return found
  }()

  /// `release` or `debug`.
  public static var configuration: String { isDebug ? "debug" : "release" }

  /// The compiler's version, with its patch as far as this program can tell; nil before 6.2.
  ///
  /// The compiler says its version only in conditions, and a newer one satisfies them too.
  public static var compiler: String? {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3.3)
      "6.3.3 or newer"
    #elseif compiler(>=6.3.2)
      "6.3.2"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      nil
    #endif
  }
}

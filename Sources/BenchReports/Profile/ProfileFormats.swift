import BenchAnalysis
import BenchResults

package enum ProfileFormats {
  /// Returns one line per stack, the outermost function first, with the value of one measure:
  /// `encode;JSONEncoder.encode(_:) 12`.
  ///
  /// Brendan Gregg's flame graph scripts (github.com/brendangregg/FlameGraph), speedscope and the
  /// Firefox Profiler read it. In names, characters that would separate functions or lines are
  /// replaced.
  package static func collapsed(_ profile: Profile, measure index: Int = 0) -> String {
    profile.stacks.compactMap { stack in
      let value = Int(stack.total[index].rounded())
      guard value > 0 else { return nil }
      let names = [profile.phase] + stack.frames.map { profile.frames[$0].name }
      return names.map(plain).joined(separator: ";") + " \(value)"
    }.joined(separator: "\n") + "\n"
  }

  private static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          if scalar == ";" { return ":" }
          return scalar.properties.isWhitespace || scalar.value < 32 ? " " : scalar
        }))
  }
}

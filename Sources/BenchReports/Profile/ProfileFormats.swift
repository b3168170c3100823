import BenchAnalysis
import BenchResults

package enum ProfileFormats {
  /// A line a stack, the outermost function first: `encode;JSONEncoder.encode(_:) 12`, with the value of one
  /// measure.
  ///
  /// As Brendan Gregg's flame graph scripts, speedscope and the Firefox Profiler read it
  /// (github.com/brendangregg/FlameGraph). What parts functions there, or ends a line, is replaced in
  /// names.
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

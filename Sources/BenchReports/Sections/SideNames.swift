import BenchResults

/// What the two sides of a comparison are called in its headline.
struct SideNames {
  let candidate: String
  let baseline: String

  /// The two of a gate by their revisions or, where these are unknown or the same, executables; a
  /// stored baseline by the time it was measured.
  init(_ candidate: RunRecord, _ baseline: RunRecord) {
    guard let now = candidate.pairing, let then = baseline.pairing, now.id == then.id else {
      self.candidate = candidate.tool.revision.map(Self.short) ?? "this run"
      let revision = baseline.tool.revision.map { " at \(Self.short($0))" } ?? ""
      self.baseline = "the run of \(baseline.settings.started)\(revision)"
      return
    }
    let added = now.injection.map { " with \($0) injected" } ?? ""
    let names = [now, then].map { $0.revision.map(Self.short) ?? Self.file($0.executable) }
    guard now.executable != then.executable else {
      self.candidate = names[0] + added
      self.baseline = "itself"
      return
    }
    let areDistinct = names[0] != names[1]
    self.candidate = (areDistinct ? names[0] : now.executable) + added
    self.baseline = areDistinct ? names[1] : then.executable
  }

  /// A revision with no more digits than tell it from others.
  static func short(_ revision: String) -> String {
    let digits = revision.prefix { $0.isHexDigit }
    return String(digits.prefix(12)) + revision.dropFirst(digits.count)
  }

  /// Of a path by which a process sees its own program nobody would know which that is.
  private static func file(_ path: String) -> String {
    guard !path.hasPrefix("/proc/") else { return "this program" }
    return path.split(separator: "/").last.map(String.init) ?? path
  }
}

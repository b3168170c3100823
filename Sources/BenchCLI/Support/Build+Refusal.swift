import BenchProbes

extension Build {
  /// Refuses to measure unoptimised code unless somebody insists.
  ///
  /// - Throws: a ``CLIError`` of status `usage`.
  static func refuseDebug(unless isAllowed: Bool) throws {
    guard isDebug, !isAllowed else { return }
    throw CLIError(
      "this is a debug build: its figures say nothing about an app",
      help: "build with 'swift build -c release' or use ./scripts/bench; --allow-debug insists",
      status: .usage)
  }
}

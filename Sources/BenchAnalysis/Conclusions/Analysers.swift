import BenchResults

/// What an analyser may look at.
struct Evidence {
  var record: RunRecord
  var baseline: RunRecord?
  var rows: [ReportRow]
  var comparison: Comparison?
}

/// Every rule that draws conclusions; each looks for one kind of doubt.
enum Analysers {
  /// The rules, in the order in which equally severe conclusions are shown.
  static let all: [@Sendable (Evidence) -> [Conclusion]] = [
    failures, debugBuild, notFinite, interrupted, recordWarnings, missing, notComparable, drift,
    notExact, budget, load, memoryFileSystem, allocationShifts, tooFewToCompare, emptySample,
    tooFewBlocks, uncontrolled, storedBaseline, unsupported,
  ]

  /// All conclusions, worst first.
  static func conclusions(_ evidence: Evidence) -> [Conclusion] {
    let drawn = all.flatMap { $0(evidence) }
    return [Conclusion.Severity.error, .warning, .hint].flatMap { severity in
      drawn.filter { $0.severity == severity }
    }
  }
}

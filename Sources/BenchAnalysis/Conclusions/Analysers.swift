import BenchResults

/// What an analyser may look at.
struct Evidence {
  var record: RunRecord
  var baseline: RunRecord?
  var rows: [ReportRow]
  var comparison: Comparison?

  /// A cell's name: backend and menu, with workload and durability where the run has several.
  func name(_ cell: Cell) -> String {
    let measured = record.cells.map(\.cell) + record.failures.map(\.cell)
    let isAlone = (measured + (baseline?.cells.map(\.cell) ?? [])).allSatisfy {
      $0.workload == cell.workload && $0.durability == cell.durability
    }
    return isAlone ? "\(cell.backend)/\(cell.menu)" : cell.description
  }

  /// Whether the run measured any time.
  var hasTimes: Bool { record.cells.contains { $0.metric.isTime && $0.blockMedians != nil } }

  /// Some of the cells, each once, and how many more there are.
  func names(_ cells: [Cell]) -> String {
    var seen: Set<Cell> = []
    return Wording.list(cells.filter { seen.insert($0).inserted }.map(name))
  }
}

/// Every rule that draws conclusions; each looks for one kind of doubt.
enum Analysers {
  /// The rules, in the order in which equally severe conclusions are shown.
  static let all: [@Sendable (Evidence) -> [Conclusion]] = [
    failures, debugBuild, notFinite, interrupted, recordWarnings, notComparable, instructions,
    oneSided, drift, unconfirmed, notExact, budget, load, memoryFileSystem, allocationShifts,
    tooFewToCompare, refusals,
    caveats, tooFewBlocks, uncontrolled, storedBaseline, emptySample, unsupported,
  ]

  /// All conclusions, worst first.
  static func conclusions(_ evidence: Evidence) -> [Conclusion] {
    let drawn = all.flatMap { $0(evidence) }
    return [Conclusion.Severity.error, .warning, .hint].flatMap { severity in
      drawn.filter { $0.severity == severity }
    }
  }
}

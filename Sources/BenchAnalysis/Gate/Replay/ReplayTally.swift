import BenchResults

/// Counts what many replayed suites came to.
public struct ReplayTally: Hashable, Sendable {
  /// The rows with something injected, whose regression is a detection and no false alarm.
  public let expected: Set<Series.Key>
  /// Rows flagged as regressed with nothing injected into them, of all such.
  public private(set) var redRows = Rate()
  /// Rows flagged as improved with nothing injected into them, of all such.
  public private(set) var greenRows = Rate()
  /// Rows with nothing injected that stayed inconclusive, of all such.
  public private(set) var inconclusiveRows = Rate()
  /// Suites with a row in ``redRows``, of all.
  public private(set) var redSuites = Rate()
  /// Expected rows that were found regressed, of all such.
  public private(set) var detections = Rate()
  /// Pairs that all cells took together.
  public private(set) var pairs = 0
  /// Cells that took them.
  public private(set) var cells = 0

  /// Starts counting.
  public init(expected: Set<Series.Key> = []) { self.expected = expected }

  /// The mean number of pairs that a cell took; nil of none.
  public var meanPairs: Double? { cells > 0 ? Double(pairs) / Double(cells) : nil }

  /// Counts one suite.
  public mutating func add(_ suite: Replay.Suite) {
    let (found, others) = (
      suite.verdicts.filter { expected.contains($0.key) }.values,
      suite.verdicts.filter { !expected.contains($0.key) }.values
    )
    detections.add(found.count { $0 == .regressed }, of: found.count)
    let red = others.count { $0 == .regressed }
    redRows.add(red, of: others.count)
    greenRows.add(others.count { $0 == .improved }, of: others.count)
    inconclusiveRows.add(others.count(where: \.isInconclusive), of: others.count)
    redSuites.add(red > 0)
    pairs += suite.pairs.values.reduce(0, +)
    cells += suite.pairs.count
  }
}

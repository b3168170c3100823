import BenchResults

/// How far a run has come, after a block.
public struct RunProgress: Hashable, Sendable {
  /// The cell whose block ended.
  public var cell: Cell
  /// What the block measured.
  public var kind: BlockRequest.Kind
  /// Timed blocks of that cell so far.
  public var timedBlocks: Int
  /// Cells that are done, however they ended.
  public var cellsDone: Int
  /// All cells of the run.
  public var cells: Int
  /// Seconds since the run began.
  public var elapsedSeconds: Double
  /// Seconds that the run may take; nil for no end.
  public var budgetSeconds: Double?
}

/// Is told of a run's progress: shows it, saves the record.
public protocol RunObserver: Sendable {
  /// A block ended; the record holds all that was measured so far.
  func blockEnded(_ progress: RunProgress, record: RunRecord)
}

/// How a cell's measuring ended.
public struct Outcome: Hashable, Codable, Sendable {
  /// The cell.
  public var cell: Cell
  /// Timed blocks that were taken.
  public var timedBlocks: Int
  /// Why no more were.
  public var stop: Stop
  /// Why the workload makes no sense on the backend, in words; nil where it was measured.
  public var reason: String?

  /// Makes an outcome.
  public init(cell: Cell, timedBlocks: Int, stop: Stop, reason: String? = nil) {
    self.cell = cell
    self.timedBlocks = timedBlocks
    self.stop = stop
    self.reason = reason
  }

  /// Why measuring of a cell stopped.
  public enum Stop: String, Codable, Sendable {
    /// The median's interval of every phase became narrow enough.
    case narrow
    /// The number of blocks that was asked for was reached.
    case blocks
    /// Time ran out first.
    case budget
    /// Somebody stopped the run.
    case interrupted
    /// A block failed: see `failures`.
    case failed
    /// The workload makes no sense on the backend: see the reason.
    case notApplicable = "not applicable"
    /// Still being measured when the record was saved.
    case running
  }
}

/// A cell that could not be measured.
public struct Failure: Hashable, Codable, Sendable {
  /// The cell.
  public var cell: Cell
  /// What the worker was doing, such as `decode`; nil if it never said.
  public var stage: String?
  /// What went wrong, in words.
  public var reason: String

  /// Makes a failure.
  public init(cell: Cell, stage: String?, reason: String) {
    self.cell = cell
    self.stage = stage
    self.reason = reason
  }
}

import BenchResults

/// What a gate is to measure of two programs.
public struct PairPlan: Sendable {
  /// The cells that both programs have, in the order in which reports show them.
  public var cells: [PlannedCell]
  /// The cells that one of them lacks, by the one that has them.
  public var lonely: [Pairing.Side: [PlannedCell]]
  /// The metrics that blocks of counters measure; none leaves these blocks out.
  public var counters: Set<String>
  /// The times that pairs of blocks measure; none leaves the pairs out.
  public var times: Set<String>
  /// The cells whose instructions are counted in blocks of their own; they may be of a smaller menu
  /// than those that are timed.
  public var traced: [PlannedCell]
  /// Blocks of counters that each side of a cell has: two, so that what is called exact is seen to be.
  public var countedBlocks: Int
  /// Blocks of instructions that each side of a cell has.
  public var instructionBlocks: Int
  /// Seconds after which no further look is prepared; nil for no end. The first look always is.
  public var budgetSeconds: Double?
  /// How many samples a block takes.
  public var sampling: Sampling
  /// What is added to the candidate on purpose.
  public var injection: Injection?
  /// The most memory a worker may take, in bytes; nil for no limit.
  public var memoryLimit: Int?
  /// Seconds of silence after which a block counts as hung.
  public var timeout: Int
  /// How many blocks may run at once where nothing is timed.
  public var width: Int
  /// The folder in which every block gets an empty folder for its store.
  public var storage: String
  /// The seed of every order that is drawn.
  public var seed: UInt64

  /// Makes a plan.
  public init(
    cells: [PlannedCell], lonely: [Pairing.Side: [PlannedCell]] = [:], counters: Set<String>,
    times: Set<String>, traced: [PlannedCell] = [], countedBlocks: Int = 2,
    instructionBlocks: Int = 1, budgetSeconds: Double? = nil, sampling: Sampling = .pairs,
    injection: Injection? = nil,
    memoryLimit: Int? = nil, timeout: Int = 120, width: Int = 1, storage: String, seed: UInt64
  ) {
    self.cells = cells
    self.lonely = lonely
    self.counters = counters
    self.times = times
    self.traced = traced
    self.countedBlocks = countedBlocks
    self.instructionBlocks = instructionBlocks
    self.budgetSeconds = budgetSeconds
    self.sampling = sampling
    self.injection = injection
    self.memoryLimit = memoryLimit
    self.timeout = timeout
    self.width = width
    self.storage = storage
    self.seed = seed
  }
}

/// One record for each of the two programs.
public struct Sides<Value> {
  /// What was there before the change.
  public var baseline: Value
  /// What is to be judged.
  public var candidate: Value

  /// Makes a pair.
  public init(baseline: Value, candidate: Value) {
    self.baseline = baseline
    self.candidate = candidate
  }

  /// One side's.
  public subscript(side: Pairing.Side) -> Value {
    get { side == .baseline ? baseline : candidate }
    set { if side == .baseline { baseline = newValue } else { candidate = newValue } }
  }

  /// The same of both.
  public func map<Other>(_ change: (Value) throws -> Other) rethrows -> Sides<Other> {
    Sides<Other>(baseline: try change(baseline), candidate: try change(candidate))
  }
}

extension Sides: Sendable where Value: Sendable {}

/// How far a gate has come.
public struct GateProgress: Hashable, Sendable {
  /// What is being measured.
  public var stage: Stage
  /// Blocks or pairs of this stage that are done.
  public var done: Int
  /// Blocks or pairs of this stage in all.
  public var total: Int
  /// The cell measured last.
  public var cell: Cell
  /// Seconds since measuring began.
  public var elapsedSeconds: Double

  /// A part of a gate's work.
  public enum Stage: Hashable, Sendable {
    /// Blocks of counters.
    case counting
    /// Blocks that count instructions.
    case tracing
    /// Pairs of timed blocks, to the so-manieth look, counted from 1.
    case timing(step: Int)
  }
}

/// Is told of a gate's progress.
public protocol GateObserver: Sendable {
  /// A block or a pair of blocks ended.
  func advanced(_ progress: GateProgress)
}

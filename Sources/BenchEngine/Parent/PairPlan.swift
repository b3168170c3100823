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
    /// Pairs of timed blocks up to the look with this number, counted from 1.
    case timing(step: Int)
  }
}

/// Is told of a gate's progress.
public protocol GateObserver: Sendable {
  /// A block or a pair of blocks ended.
  func advanced(_ progress: GateProgress)
}

extension Sampling {
  /// What suits a block that takes turns: longer than others, since most of a pair's noise is that of
  /// single samples, and starting two processes takes half a second anyway.
  public static let pairs = Sampling(minimum: 5, seconds: 0.5)
}

/// What a gate knows of its cells while it measures: the shared cells first on both sides, then those
/// of which only instructions are counted, then those that one side alone has.
struct PairLedger {
  private var states: Sides<[CellState]>

  init(_ plan: PairPlan) {
    states = Sides(baseline: .baseline, candidate: .candidate).map { side in
      let traced = plan.traced.filter { !plan.cells.contains($0) }
      return (plan.cells + traced + (plan.lonely[side] ?? [])).map { CellState(plan: $0) }
    }
  }

  /// Whether a shared cell is still under way on both sides.
  func isActive(_ index: Int) -> Bool {
    states.baseline[index].isActive && states.candidate[index].isActive
  }

  /// Whether a side's cell is still under way.
  func isActive(_ cell: Cell, on side: Pairing.Side) -> Bool {
    index(of: cell, side).map { states[side][$0].isActive } ?? false
  }

  /// Pairs of blocks that a shared cell has.
  func pairs(of index: Int) -> Int { states.candidate[index].timedBlocks }

  /// Keeps what came of a block; a cell that failed before keeps nothing.
  mutating func take(
    _ outcome: BlockOutcome, of cell: Cell, on side: Pairing.Side, _ kind: BlockRequest.Kind
  ) {
    guard let index = index(of: cell, side), states[side][index].isActive else { return }
    switch outcome {
    case .measured(let series):
      states[side][index].add(series)
      states[side][index].count(kind)
    case .failed(let stage, let reason):
      states[side][index].fail(stage: stage, reason: reason)
      drop(cell, but: side)
    }
  }

  /// What one side cannot measure has no figures on the other side either.
  private mutating func drop(_ cell: Cell, but side: Pairing.Side) {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    guard let index = index(of: cell, other), states[other][index].isActive else { return }
    states[other][index].fail(stage: nil, reason: "the \(side.rawValue) could not be measured")
  }

  /// Ends cells of which nothing more is wanted.
  mutating func finish(_ cells: [PlannedCell]) {
    for side in Pairing.Side.allCases {
      for index in states[side].indices
      where states[side][index].isActive && cells.contains(states[side][index].plan) {
        states[side][index].stop = .blocks
      }
    }
  }

  /// Ends whatever is still under way.
  mutating func finish(_ stop: Outcome.Stop) {
    for side in Pairing.Side.allCases {
      for index in states[side].indices where states[side][index].isActive {
        states[side][index].stop = stop
      }
    }
  }

  /// Writes all that is known into a side's record.
  func fill(_ record: inout RunRecord, of side: Pairing.Side) {
    record.cells = states[side].flatMap(\.series)
    record.outcomes = states[side].map(\.outcome)
    record.failures = states[side].compactMap(\.failure)
  }

  private func index(of cell: Cell, _ side: Pairing.Side) -> Int? {
    states[side].firstIndex { $0.plan.cell == cell }
  }
}

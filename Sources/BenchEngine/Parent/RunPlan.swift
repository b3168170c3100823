import BenchProbes
import BenchResults

/// What is to be measured, of one program or of two, and when to stop.
package struct RunPlan: Sendable {
  /// The cells that every program has, in the order in which reports show them.
  package var cells: [PlannedCell]
  /// The cells that one of two programs lacks, by the one that has them: they are only counted.
  package var lonely: [Pairing.Side: [PlannedCell]] = [:]
  /// The cells whose instructions are counted in blocks of their own, perhaps of a smaller menu than
  /// those that are timed; nil for all cells.
  package var traced: [PlannedCell]?
  /// Timed blocks of every cell; nil means until settled or out of budget.
  package var blocks: Int?
  /// Counted blocks of every cell: two, so that what is called exact is seen to be.
  package var countedBlocks = 2
  /// Timed blocks that every cell gets before counts are repeated, as far as the budget goes: of six a
  /// median has its interval, and a figure without one is worth little.
  package static let firstBlocks = 6
  /// The half-width of an interval, relative to its median, at which a cell is done unless told.
  package static let usualPrecision = 0.03
  /// Seconds that the whole run may take, nil for no end. All the same every cell gets one block of
  /// each kind, and of two programs the first look at the times is prepared.
  package var budgetSeconds: Double?
  /// The metrics to keep; nil means all.
  package var metrics: Set<String>?
  package var sampling = Sampling()
  /// What is added to a phase on purpose; of two programs, to the candidate's.
  package var injection: Injection?
  /// The most memory a worker may take, in bytes; nil for no limit.
  package var memoryLimit: Int?
  /// Seconds of silence after which a block counts as hung.
  package var timeout = 120
  /// How many blocks may run at once where nothing is timed.
  package var width = 1
  /// The folder in which every block gets an empty folder for its store.
  package var storage: String
  /// The seed of every order that is drawn.
  package var seed: UInt64
}

extension RunPlan {
  /// Plans to measure all of some cells, without end.
  package init(_ cells: [PlannedCell], in storage: String, seed: UInt64) {
    self.init(cells: cells, storage: storage, seed: seed)
  }

  /// The metrics to ask blocks of a kind for, nil for all; an empty set means that none is wanted.
  ///
  /// - Parameter hasCounter: whether the processor counts instructions. Where it does not they have
  ///   blocks of their own, which take long: only for who names them.
  func metrics(of kind: BlockRequest.Kind, hasCounter: Bool) -> Set<String>? {
    let instructions: Set = [Metric.instructions.id]
    let timed = Set(Metric.all.filter(\.isTime).map(\.id))
    let resident = Set(Probe.resident.joined().flatMap(\.metrics).map(\.id))
    return switch kind {
    case .timed: metrics?.intersection(timed)
    case .counted: metrics?.subtracting(timed).subtracting(resident)
    case .resident: metrics?.intersection(resident).subtracting(hasCounter ? [] : instructions)
    case .instructions: hasCounter ? [] : metrics?.intersection(instructions) ?? []
    case .profiled: []
    }
  }

  /// What to add to a cell's block on purpose. A slowdown waits for time to pass: blocks that count
  /// have nothing to do with it. Nor have cells of other backends: even a longer request would move
  /// their counts.
  func injection(into cell: Cell, _ kind: BlockRequest.Kind) -> Injection? {
    guard let injection, injection.backend ?? cell.backend == cell.backend else { return nil }
    if case .slowdown = injection.cost, kind != .timed { return nil }
    return Injection(backend: cell.backend, phase: injection.phase, cost: injection.cost)
  }
}

/// Is told of a run's progress: shows it, saves the record.
package protocol RunObserver: Sendable {
  /// A block, or a pair of blocks, ended; the record holds all that was measured so far, of two
  /// programs the candidate's.
  func blockEnded(_ progress: RunProgress, record: RunRecord)
}

/// How far a run has come, after a block or a pair of blocks.
package struct RunProgress: Hashable, Sendable {
  package var cell: Cell
  package var kind: BlockRequest.Kind
  /// Timed blocks of that cell so far.
  package var timedBlocks: Int
  /// Cells that are done, however they ended.
  package var cellsDone: Int
  package var cells: Int
  package var elapsedSeconds: Double
  /// Seconds that the run may take; nil for no end.
  package var budgetSeconds: Double?
  /// How much of what is measured just now is done; nil of one program, which is measured until its
  /// figures say enough.
  package var stage: Stage?

  /// Counted blocks of two programs, or the pairs of blocks for one look at their times.
  package struct Stage: Hashable, Sendable {
    /// Which look the pairs are for, counted from 1; nil while counting.
    package var look: Int?
    package var done: Int
    package var total: Int
  }
}

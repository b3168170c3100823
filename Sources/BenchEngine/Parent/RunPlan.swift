import BenchProbes
import BenchResults

/// The plan of a run: what to measure, in one program or two, and when to stop.
package struct RunPlan: Sendable {
  /// The cells that every program has, in report order.
  package var cells: [PlannedCell]
  /// The cells that only one of two programs has, by that program. They are counted, but not timed.
  package var unpaired: [Pairing.Side: [PlannedCell]] = [:]
  /// The cells whose instructions are counted in separate blocks, or nil for all cells. Their menu may
  /// be smaller than that of the timed cells.
  package var traced: [PlannedCell]?
  /// Timed blocks per cell; nil to measure until the cell is settled or the budget ends.
  package var blocks: Int?
  /// Counted blocks per cell. There are two, so that a count that is not exact shows.
  package var countedBlocks = 2
  /// Timed blocks that every cell gets before counts are repeated, if the budget allows. With six,
  /// an interval may end the cell.
  package static let firstBlocks = 6
  /// The default half-width of an interval, relative to its median, at which a cell is done.
  package static let usualPrecision = 0.03
  /// Seconds that the run may take, or nil for no limit. Even beyond it, every cell gets one block of
  /// each kind, and two programs get their first interim analysis.
  package var budgetSeconds: Double?
  /// The metrics to keep, or nil for all.
  package var metrics: Set<String>?
  package var sampling = Sampling()
  /// Work to add to a phase; with two programs, only in the candidate.
  package var injection: Injection?
  /// The most memory a worker may take, in bytes, or nil for no limit.
  package var memoryLimit: Int?
  /// Seconds of silence after which a block counts as hung.
  package var timeout = 120
  /// How many untimed blocks may run at once.
  package var width = 1
  /// The folder in which every block gets an empty folder for its store.
  package var storage: String
  /// The seed of all random orders.
  package var seed: UInt64
}

extension RunPlan {
  /// Plans to measure all metrics of the cells, without limits.
  package init(_ cells: [PlannedCell], in storage: String, seed: UInt64) {
    self.init(cells: cells, storage: storage, seed: seed)
  }

  /// Returns the metrics to request from blocks of a kind: nil for all, an empty set for none.
  ///
  /// - Parameter hasCounter: whether the processor counts instructions. If it does not, they need
  ///   blocks of their own that take long, so they are only counted if the user names them.
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

  /// Returns the work to add to a cell's block. A slowdown only affects times, so other blocks do not get
  /// it. Cells of other backends get no injection, because even a longer request would change their counts.
  func injection(into cell: Cell, _ kind: BlockRequest.Kind) -> Injection? {
    guard let injection, injection.backend ?? cell.backend == cell.backend else { return nil }
    if case .slowdown = injection.cost, kind != .timed { return nil }
    return Injection(backend: cell.backend, phase: injection.phase, cost: injection.cost)
  }
}

/// Receives the progress of a run, to show it or to save the record.
package protocol RunObserver: Sendable {
  /// Called after a block or a pair of blocks. The record holds everything that was measured so
  /// far, with two programs in the candidate.
  func blockEnded(_ progress: RunProgress, record: RunRecord)
}

/// The progress of a run after a block or a pair of blocks.
package struct RunProgress: Hashable, Sendable {
  package var cell: Cell
  package var kind: BlockRequest.Kind
  /// Timed blocks of the cell so far.
  package var timedBlocks: Int
  /// Cells that have ended for any reason.
  package var cellsDone: Int
  package var cells: Int
  package var elapsedSeconds: Double
  /// Seconds that the run may take, or nil for no limit.
  package var budgetSeconds: Double?
  /// The progress of the current stage. It is nil with one program, which is measured until its
  /// figures suffice.
  package var stage: Stage?

  /// The counted blocks of two programs, or the pairs for one interim analysis.
  package struct Stage: Hashable, Sendable {
    /// The number of the interim analysis, from 1; nil while counting.
    package var look: Int?
    package var done: Int
    package var total: Int
  }
}

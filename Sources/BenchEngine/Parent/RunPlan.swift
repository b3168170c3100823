import BenchResults

/// What a run is to measure, and when it is to stop.
public struct RunPlan: Sendable {
  /// The cells, in the order in which reports show them.
  public var cells: [PlannedCell]
  /// Timed blocks of every cell; nil means until settled or out of budget.
  public var blocks: Int?
  /// Counted blocks of every cell: two, so that what is called exact is seen to be.
  public var countedBlocks: Int
  /// Seconds that the whole run may take, nil for no end; every cell gets one block of each kind all the same.
  public var budgetSeconds: Double?
  /// The metrics to keep; nil means all.
  public var metrics: Set<String>?
  /// How many samples a block takes.
  public var sampling: Sampling
  /// What is added to a phase on purpose; nil for nothing.
  public var injection: Injection?
  /// The most memory a worker may take, in bytes; nil for no limit.
  public var memoryLimit: Int?
  /// Seconds after which a block counts as hung.
  public var timeout: Int
  /// The folder in which every block gets an empty folder for its store.
  public var storage: String
  /// The seed of the order of blocks.
  public var seed: UInt64

  /// Makes a plan.
  public init(
    cells: [PlannedCell], blocks: Int?, countedBlocks: Int = 2, budgetSeconds: Double?,
    metrics: Set<String>? = nil, sampling: Sampling = Sampling(),
    injection: Injection? = nil, memoryLimit: Int? = nil,
    timeout: Int = 120,
    storage: String, seed: UInt64
  ) {
    self.cells = cells
    self.blocks = blocks
    self.countedBlocks = countedBlocks
    self.budgetSeconds = budgetSeconds
    self.metrics = metrics
    self.sampling = sampling
    self.injection = injection
    self.memoryLimit = memoryLimit
    self.timeout = timeout
    self.storage = storage
    self.seed = seed
  }
}

extension RunPlan {
  /// The metrics to ask blocks of a kind for, nil for all; an empty set means that none is wanted.
  ///
  /// - Parameter hasCounter: whether the processor counts instructions. Where it does not they have
  ///   blocks of their own, which take long: only for who names them.
  func metrics(of kind: BlockRequest.Kind, hasCounter: Bool) -> Set<String>? {
    let instructions: Set = [Metric.instructions.id]
    let timed = Set(Metric.all.filter(\.isTime).map(\.id))
    return switch kind {
    case .timed: metrics?.intersection(timed)
    case .counted: metrics?.subtracting(timed).subtracting(hasCounter ? [] : instructions)
    case .instructions: hasCounter ? [] : metrics?.intersection(instructions) ?? []
    }
  }
}

/// A cell with what its workers need to know of its document.
public struct PlannedCell: Hashable, Sendable {
  /// The cell.
  public var cell: Cell
  /// The document's name as the suite's source understands it.
  public var documentName: String
  /// The document's fingerprint, sixteen hexadecimal digits.
  public var fingerprint: String
  /// Why the workload makes no sense on the backend; nil where it does. It is then not measured.
  public var refusal: String?
  /// Timed blocks after which it has enough, however wide its intervals; nil for no such end.
  public var mostBlocks: Int?
  /// How many timed blocks the cells that do not wait get before this one gets its second; nil where
  /// it does not wait.
  public var waits: Int?
  /// Whether nothing of it is counted.
  public var isTimedOnly = false

  /// Plans a cell.
  public init(
    cell: Cell, documentName: String, fingerprint: String, refusal: String? = nil,
    mostBlocks: Int? = nil
  ) {
    self.refusal = refusal
    self.mostBlocks = mostBlocks
    self.cell = cell
    self.documentName = documentName
    self.fingerprint = fingerprint
  }
}

/// What a run knows of one cell while it measures.
struct CellState {
  let plan: PlannedCell
  var series: [Series] = []
  private(set) var timedBlocks = 0
  private(set) var countedBlocks = 0
  private(set) var instructionBlocks = 0
  var stop: Outcome.Stop = .running
  var failure: Failure?
  var lastBlockSeconds = 0.0

  init(plan: PlannedCell) {
    self.plan = plan
    if plan.refusal != nil { stop = .notApplicable }
  }

  var isActive: Bool { stop == .running }
  var outcome: Outcome {
    Outcome(cell: plan.cell, timedBlocks: timedBlocks, stop: stop, reason: plan.refusal)
  }

  /// How many blocks of a kind it has.
  func blocks(of kind: BlockRequest.Kind) -> Int {
    switch kind {
    case .timed: timedBlocks
    case .counted: countedBlocks
    case .instructions: instructionBlocks
    }
  }

  /// Counts one more block of a kind.
  mutating func count(_ kind: BlockRequest.Kind) {
    switch kind {
    case .timed: timedBlocks += 1
    case .counted: countedBlocks += 1
    case .instructions: instructionBlocks += 1
    }
  }

  /// Adds a block's values behind those of earlier blocks.
  mutating func add(_ block: [Series]) {
    for one in block {
      if let index = series.firstIndex(where: { $0.key == one.key }) {
        series[index].blocks += one.blocks
      } else {
        series.append(one)
      }
    }
  }

  /// A cell that fails has no figures.
  mutating func fail(stage: String?, reason: String) {
    failure = Failure(cell: plan.cell, stage: stage, reason: reason)
    stop = .failed
    series = []
  }
}

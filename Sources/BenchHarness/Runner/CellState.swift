import BenchResults

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

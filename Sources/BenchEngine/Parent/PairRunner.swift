import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// Measures two programs side by side: counters first, then times in pairs of blocks.
///
/// A pair is one timed block of each program, a fresh process each, that take turns of a few
/// milliseconds: what the machine does meanwhile meets both alike. Which of the two begins and the
/// order of the cells are drawn anew. A pair of which one half is missing is not kept, so that block i
/// of the one always belongs to block i of the other.
public actor PairRunner {
  /// How many pairs each cell is to have next; none when everything is decided.
  public typealias NextPairs = @Sendable (Sides<RunRecord>) -> [Cell: Int]

  private let plan: PairPlan
  private let bench: BlockBench
  private let clock: any WallClock
  private let nextPairs: NextPairs
  private let observer: any GateObserver
  private var order: SplitMix64
  private var ledger: PairLedger
  private var records: Sides<RunRecord>
  private var pairSeconds: [Int: Double] = [:]
  private var began: UInt64 = 0

  /// Prepares a gate.
  ///
  /// - Parameters:
  ///   - records: what is known of both sides before measuring; come back filled.
  ///   - nextPairs: decides from all that was measured what is needed next.
  public init(
    _ plan: PairPlan, records: Sides<RunRecord>, workers: Sides<any Worker>,
    clock: any WallClock, nextPairs: @escaping NextPairs, observer: any GateObserver
  ) {
    self.plan = plan
    self.records = records
    self.clock = clock
    self.nextPairs = nextPairs
    self.observer = observer
    bench = BlockBench(plan: plan, workers: workers)
    order = SplitMix64(seed: plan.seed)
    ledger = PairLedger(plan)
  }

  /// Measures until everything is decided, the budget ends, or the task is cancelled.
  ///
  /// - Returns: both records with all that was measured, whatever happened.
  public func run() async -> Sides<RunRecord> {
    began = clock.now()
    do {
      if !plan.counters.isEmpty { try await count() }
      if !plan.traced.isEmpty { try await trace() }
      ledger.finish(plan.times.isEmpty ? .blocks : try await time())
    } catch {
      ledger.finish(.interrupted)
    }
    return assemble()
  }

  // MARK: counters

  /// Blocks that count disturb nobody: as many at once as the plan allows.
  private func count() async throws {
    var queue: [BlockBench.Job] = []
    for _ in 0..<plan.countedBlocks {
      for side in Pairing.Side.allCases {
        let cells = plan.cells + (plan.lonely[side] ?? [])
        queue += cells.map { BlockBench.Job(cell: $0, side: side, kind: .counted) }
      }
    }
    queue = queue.filter { ledger.isActive($0.cell.cell, on: $0.side) }
    queue.shuffle(using: &order)
    try await run(queue, .counting)
  }

  private func trace() async throws {
    var queue: [BlockBench.Job] = []
    for _ in 0..<plan.instructionBlocks {
      for side in Pairing.Side.allCases {
        queue += plan.traced.map { BlockBench.Job(cell: $0, side: side, kind: .instructions) }
      }
    }
    queue = queue.filter { ledger.isActive($0.cell.cell, on: $0.side) }
    queue.shuffle(using: &order)
    try await run(queue, .tracing)
    ledger.finish(plan.traced.filter { !plan.cells.contains($0) })
  }

  private func run(_ jobs: [BlockBench.Job], _ stage: GateProgress.Stage) async throws {
    let bench = bench
    var (rest, done) = (jobs[...], 0)
    try await withThrowingTaskGroup(of: (BlockBench.Job, BlockOutcome, Int).self) { group in
      for slot in 0..<max(plan.width, 1) {
        guard let job = rest.popFirst() else { break }
        group.addTask { (job, try await bench.measure(job, slot: slot), slot) }
      }
      while let (job, outcome, slot) = try await group.next() {
        ledger.take(outcome, of: job.cell.cell, on: job.side, job.kind)
        done += 1
        tell(stage, done, jobs.count, job.cell.cell)
        // A cell that failed costs no more time.
        rest = rest.drop { !ledger.isActive($0.cell.cell, on: $0.side) }
        guard let next = rest.popFirst() else { continue }
        group.addTask { (next, try await bench.measure(next, slot: slot), slot) }
      }
    }
  }

  // MARK: times

  /// When time runs out for the next look, what was suspected until then is confirmed all the same.
  private func time() async throws -> Outcome.Stop {
    var step = 0
    var stop = Outcome.Stop.blocks
    while true {
      let missing = missingPairs()
      if missing.isEmpty { return stop }
      if stop == .blocks, !fitsIntoBudget(missing) {
        endLooks()
        stop = .budget
        continue
      }
      step += 1
      try await bring(to: missing, step)
    }
  }

  /// Gives the looks up that were not held yet.
  private func endLooks() {
    let held = plan.cells.indices.map { ledger.pairs(of: $0) }.max()
    for side in Pairing.Side.allCases { records[side].pairing?.looks.ended = held }
  }

  /// The cells that need more pairs, by index, each with how many it is to have.
  private func missingPairs() -> [Int: Int] {
    let wanted = nextPairs(assemble())
    return plan.cells.indices.reduce(into: [:]) { missing, index in
      guard ledger.isActive(index), let count = wanted[plan.cells[index].cell],
        ledger.pairs(of: index) < count
      else { return }
      missing[index] = count
    }
  }

  /// Brings cells to so many pairs each.
  private func bring(to wanted: [Int: Int], _ step: Int) async throws {
    let total = wanted.reduce(0) { $0 + $1.value - ledger.pairs(of: $1.key) }
    var done = 0
    while true {
      var queue = wanted.keys.filter {
        ledger.isActive($0) && ledger.pairs(of: $0) < wanted[$0, default: 0]
      }
      if queue.isEmpty { return }
      queue.sort()
      queue.shuffle(using: &order)
      for index in queue {
        try await measurePair(index)
        done += 1
        tell(.timing(step: step), done, total, plan.cells[index].cell)
      }
    }
  }

  private func measurePair(_ index: Int) async throws {
    let start = clock.now()
    let first = Pairing.Side.allCases.randomElement(using: &order) ?? .baseline
    let outcomes = try await bench.measurePair(
      plan.cells[index], first: first, processor: Int.random(in: 0..<1_024, using: &order))
    pairSeconds[index] = Double(clock.now() - start) / 1e9
    // The half that failed first: what it drops on the other side stays as it was before.
    for side in Pairing.Side.allCases {
      guard let outcome = outcomes[side] else { continue }
      ledger.take(outcome, of: plan.cells[index].cell, on: side, .timed)
    }
  }

  /// Whether what is missing would be there in time; the first look always is prepared.
  private func fitsIntoBudget(_ missing: [Int: Int]) -> Bool {
    guard let budget = plan.budgetSeconds, missing.keys.allSatisfy({ ledger.pairs(of: $0) > 0 })
    else {
      return true
    }
    let seconds = missing.reduce(0) { sum, wanted in
      sum + Double(wanted.value - ledger.pairs(of: wanted.key)) * (pairSeconds[wanted.key] ?? 0)
    }
    return elapsed + seconds <= budget
  }

  private var elapsed: Double { Double(clock.now() - began) / 1e9 }

  private func tell(_ stage: GateProgress.Stage, _ done: Int, _ total: Int, _ cell: Cell) {
    observer.advanced(
      GateProgress(stage: stage, done: done, total: total, cell: cell, elapsedSeconds: elapsed))
  }

  private func assemble() -> Sides<RunRecord> {
    for side in Pairing.Side.allCases { ledger.fill(&records[side], of: side) }
    return records
  }
}

/// Runs blocks of two programs, each in an empty folder of its own.
struct BlockBench: Sendable {
  let plan: PairPlan
  let workers: Sides<any Worker>

  /// One block of one program.
  struct Job: Sendable {
    var cell: PlannedCell
    var side: Pairing.Side
    var kind: BlockRequest.Kind
  }

  /// Measures one block.
  ///
  /// - Parameter slot: tells blocks apart that run at once.
  /// - Throws: `CancellationError` when the gate was stopped meanwhile.
  func measure(_ job: Job, slot: Int, turns: Turns? = nil) async throws -> BlockOutcome {
    let outcome: BlockOutcome
    do {
      let folder = try BlockFolder(in: plan.storage, slot: slot)
      defer { folder.remove() }
      outcome = try await workers[job.side].measure(request(job, folder.path, turns))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      outcome = .failed(stage: nil, reason: String(describing: error))
    }
    try Task.checkCancellation()
    return outcome
  }

  /// Measures a pair of timed blocks, the two workers in turns.
  ///
  /// - Returns: what came of both; of one that was ended because the other failed, nothing.
  func measurePair(
    _ cell: PlannedCell, first: Pairing.Side, processor: Int
  ) async throws -> Sides<BlockOutcome?> {
    let pipes: TurnPipes
    do {
      pipes = try TurnPipes(in: plan.storage)
    } catch {
      let failure = BlockOutcome.failed(stage: nil, reason: String(describing: error))
      return Sides(baseline: failure, candidate: failure)
    }
    defer { pipes.remove() }
    let outcomes = try await withThrowingTaskGroup(of: (Pairing.Side, BlockOutcome?).self) {
      group in
      for (slot, side) in Pairing.Side.allCases.enumerated() {
        let job = Job(cell: cell, side: side, kind: .timed)
        let turns = pipes.turns(of: side, begins: side == first, processor: processor)
        group.addTask {
          do {
            return (side, try await measure(job, slot: slot, turns: turns))
          } catch is CancellationError {
            return (side, nil)
          }
        }
      }
      var outcomes = Sides<BlockOutcome?>(baseline: nil, candidate: nil)
      for try await (side, outcome) in group {
        outcomes[side] = outcome
        if case .failed = outcome { group.cancelAll() }
      }
      return outcomes
    }
    try Task.checkCancellation()
    return outcomes
  }

  private func request(_ job: Job, _ folder: String, _ turns: Turns?) -> BlockRequest {
    BlockRequest(
      cell: job.cell.cell, documentName: job.cell.documentName,
      fingerprint: job.cell.fingerprint, folder: folder, kind: job.kind,
      metrics: metrics(job.kind),
      sampling: job.kind == .instructions ? .instructions : plan.sampling, floors: false,
      turns: turns,
      injection: injection(job), memoryLimit: plan.memoryLimit, timeout: plan.timeout)
  }

  /// A slowdown waits for time to pass: blocks that count have nothing to do with it. Nor have cells
  /// of other backends: even a longer request would move their counts.
  private func injection(_ job: Job) -> Injection? {
    guard job.side == .candidate, let injection = plan.injection,
      injection.backend ?? job.cell.cell.backend == job.cell.cell.backend
    else { return nil }
    if case .slowdown = injection.cost, job.kind != .timed { return nil }
    return injection
  }

  private func metrics(_ kind: BlockRequest.Kind) -> Set<String> {
    switch kind {
    case .timed: plan.times
    case .counted: plan.counters
    case .instructions: [Metric.instructions.id]
    }
  }
}

/// The two pipes by which the workers of a pair tell each other whose turn it is.
struct TurnPipes {
  private let paths: Sides<String>

  /// Makes the pipes in a folder, after whatever an earlier pair left there.
  init(in folder: String) throws {
    paths = Sides(baseline: folder + "/turn-b", candidate: folder + "/turn-c")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for path in [paths.baseline, paths.candidate] {
      unlink(path)
      guard mkfifo(path, 0o600) == 0 else {
        throw StorageError(
          operation: "make a pipe at", path: path, reason: String(cString: strerror(errno)))
      }
    }
  }

  /// One side's part.
  func turns(of side: Pairing.Side, begins: Bool, processor: Int) -> Turns {
    let other: Pairing.Side = side == .baseline ? .candidate : .baseline
    return Turns(own: paths[side], other: paths[other], begins: begins, processor: processor)
  }

  /// Takes the pipes away.
  func remove() {
    for path in [paths.baseline, paths.candidate] { unlink(path) }
  }
}

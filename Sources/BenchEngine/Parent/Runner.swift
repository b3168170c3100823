import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// Measures the cells of a plan, block by block, in a shuffled and interleaved order.
///
/// Rounds: every cell that is still under way gets one block, in an order drawn anew each round, so
/// that a drift of the machine meets all cells alike. Counted rounds come first: a cell that fails
/// its check costs no time.
public actor Runner {
  private let plan: RunPlan
  private let worker: any Worker
  private let clock: any WallClock
  private let isSettled: @Sendable ([Series]) -> Bool
  private let observer: any RunObserver
  private var order: SplitMix64
  private var states: [CellState]
  private var record: RunRecord
  private var began: UInt64 = 0

  /// Prepares a run.
  ///
  /// - Parameters:
  ///   - record: what is known before measuring; comes back filled.
  ///   - isSettled: whether a cell's series, all of its blocks so far, say enough.
  public init(
    _ plan: RunPlan, record: RunRecord, worker: any Worker, clock: any WallClock,
    isSettled: @escaping @Sendable ([Series]) -> Bool, observer: any RunObserver
  ) {
    self.plan = plan
    self.record = record
    self.worker = worker
    self.clock = clock
    self.isSettled = isSettled
    self.observer = observer
    order = SplitMix64(seed: plan.seed)
    states = plan.cells.map { CellState(plan: $0) }
  }

  /// Measures until every cell is done, the budget ends, or the task is cancelled.
  ///
  /// - Returns: the record with all that was measured, whatever happened.
  public func run() async -> RunRecord {
    began = clock.now()
    do {
      if wants(.counted) {
        for _ in 0..<plan.countedBlocks { try await round(.counted) }
      }
      if wants(.instructions) { try await round(.instructions) }
      if wants(.timed) {
        repeat { try await round(.timed) } while states.contains(where: \.isActive)
      }
      finish(.blocks)
    } catch {
      finish(.interrupted)
    }
    return assemble()
  }

  private func wants(_ kind: BlockRequest.Kind) -> Bool { metrics(of: kind)?.isEmpty != true }

  private func metrics(of kind: BlockRequest.Kind) -> Set<String>? {
    plan.metrics(of: kind, hasCounter: record.machine.instructionCounter == Instructions.source)
  }

  private func round(_ kind: BlockRequest.Kind) async throws {
    var queue = states.indices.filter { index in
      let state = states[index]
      guard state.isActive else { return false }
      return kind == .timed ? !isWaiting(state) : !state.plan.isTimedOnly
    }
    queue.shuffle(using: &order)
    for index in queue {
      guard fitsIntoBudget(states[index], kind) else {
        if kind == .timed { states[index].stop = .budget }
        continue
      }
      try await measureBlock(index, kind)
      observer.blockEnded(progress(index, kind), record: assemble())
    }
  }

  private func measureBlock(_ index: Int, _ kind: BlockRequest.Kind) async throws {
    let start = clock.now()
    let outcome: BlockOutcome
    do {
      let folder = try BlockFolder(in: plan.storage)
      defer { folder.remove() }
      outcome = try await worker.measure(request(states[index].plan, kind, folder.path))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      outcome = .failed(stage: nil, reason: String(describing: error))
    }
    try Task.checkCancellation()
    states[index].lastBlockSeconds = Double(clock.now() - start) / 1e9
    take(outcome, for: index, kind)
  }

  private func take(_ outcome: BlockOutcome, for index: Int, _ kind: BlockRequest.Kind) {
    switch outcome {
    case .failed(let stage, let reason):
      states[index].fail(stage: stage, reason: reason)
    case .measured(let series):
      states[index].add(series)
      states[index].count(kind)
      settle(index)
    }
  }

  private func settle(_ index: Int) {
    if let blocks = plan.blocks {
      if states[index].timedBlocks >= blocks { states[index].stop = .blocks }
    } else if states[index].timedBlocks > 0, isSettled(states[index].series) {
      states[index].stop = .narrow
    } else if let most = states[index].plan.mostBlocks, states[index].timedBlocks >= most {
      states[index].stop = .blocks
    }
  }

  /// Whether a cell's next timed block comes after others that go first and have too few.
  private func isWaiting(_ state: CellState) -> Bool {
    guard let enough = state.plan.waits, state.timedBlocks > 0 else { return false }
    return states.contains { $0.isActive && $0.plan.waits == nil && $0.timedBlocks < enough }
  }

  /// Whether a cell's next block of a kind would end within the budget; its first always may.
  ///
  /// Counted blocks may take half of it: repeating what is exact must not starve the timing.
  private func fitsIntoBudget(_ state: CellState, _ kind: BlockRequest.Kind) -> Bool {
    guard let budget = plan.budgetSeconds, state.blocks(of: kind) > 0 else { return true }
    return elapsed + state.lastBlockSeconds <= (kind == .counted ? budget / 2 : budget)
  }

  private func finish(_ stop: Outcome.Stop) {
    for index in states.indices where states[index].isActive { states[index].stop = stop }
  }

  private var elapsed: Double { Double(clock.now() - began) / 1e9 }

  private func request(
    _ planned: PlannedCell, _ kind: BlockRequest.Kind, _ folder: String
  ) -> BlockRequest {
    BlockRequest(
      cell: planned.cell, documentName: planned.documentName, fingerprint: planned.fingerprint,
      folder: folder, kind: kind, metrics: metrics(of: kind),
      sampling: kind == .instructions ? .instructions : plan.sampling,
      injection: plan.injection, memoryLimit: plan.memoryLimit, timeout: plan.timeout)
  }

  private func progress(_ index: Int, _ kind: BlockRequest.Kind) -> RunProgress {
    RunProgress(
      cell: states[index].plan.cell, kind: kind, timedBlocks: states[index].timedBlocks,
      cellsDone: states.count { !$0.isActive }, cells: states.count, elapsedSeconds: elapsed,
      budgetSeconds: plan.budgetSeconds)
  }

  private func assemble() -> RunRecord {
    record.cells = states.flatMap(\.series)
    record.outcomes = states.map(\.outcome)
    record.failures = states.compactMap(\.failure)
    return record
  }
}

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

/// An empty folder for one block's store.
struct BlockFolder {
  let path: String

  /// Makes the folder, after whatever an earlier block left there; blocks that run at once have a slot
  /// each.
  init(in storage: String, slot: Int = 0) throws {
    path = storage + "/store-\(slot)"
    remove()
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true)
    } catch {
      throw StorageError(
        operation: "create a folder at", path: path, reason: error.localizedDescription)
    }
  }

  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}

import BenchResults

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

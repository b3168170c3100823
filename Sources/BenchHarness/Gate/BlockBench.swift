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
  func measure(_ job: Job, slot: Int) async throws -> BlockOutcome {
    let outcome: BlockOutcome
    do {
      let folder = try BlockFolder(in: plan.storage, slot: slot)
      defer { folder.remove() }
      outcome = try await workers[job.side].measure(request(job, folder.path))
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      outcome = .failed(stage: nil, reason: String(describing: error))
    }
    try Task.checkCancellation()
    return outcome
  }

  private func request(_ job: Job, _ folder: String) -> BlockRequest {
    BlockRequest(
      cell: job.cell.cell, documentName: job.cell.documentName,
      fingerprint: job.cell.fingerprint, folder: folder, kind: job.kind,
      metrics: metrics(job.kind),
      sampling: job.kind == .instructions ? .instructions : plan.sampling, floors: false,
      injection: injection(job), memoryLimit: plan.memoryLimit, timeout: plan.timeout)
  }

  /// A slowdown waits for time to pass: blocks that count have nothing to do with it.
  private func injection(_ job: Job) -> Injection? {
    guard job.side == .candidate, let injection = plan.injection else { return nil }
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

import Basics
import BenchProbes
import BenchResults

/// Measures the cells of a plan in blocks, for one program or for two side by side.
///
/// Counted blocks come first, so a cell that fails its check costs no time. Timed blocks follow in
/// rounds. Each round gives every active cell one block in a random order, so a drift of the
/// machine affects all cells alike.
///
/// With two programs, a timed block is a pair of fresh processes that alternate after each iteration,
/// or after some milliseconds of shorter ones, so the machine disturbs both alike. Which one begins is random. Incomplete pairs
/// are not kept, so block i of one program always belongs to block i of the other.
package actor Runner {
  /// Decides from everything measured so far how many pairs each cell needs in all, with no cells if
  /// everything is decided.
  package typealias NextPairs = @Sendable (Sides<RunRecord>) -> [Cell: Int]

  /// Measures one program until every cell is done, the budget ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - record: the record before measuring.
  ///   - isSettled: whether a cell's series, with all blocks so far, are precise enough.
  /// - Returns: the record with everything that was measured, even after an interruption.
  package static func measure(
    _ plan: RunPlan, record: RunRecord, worker: any Worker, clock: sending any WallClock,
    isSettled: @escaping @Sendable ([Series]) -> Bool, observer: any RunObserver
  ) async -> RunRecord {
    let program = Program(.candidate, worker, record, plan)
    return await Runner(plan, [program], clock, .rounds(until: isSettled), observer).run()[0]
  }

  /// Measures two programs side by side until everything is decided, the budget ends, or the task is cancelled.
  ///
  /// - Parameters:
  ///   - records: both records before measuring.
  ///   - nextPairs: called whenever all requested pairs have been measured.
  /// - Returns: both records with everything that was measured, even after an interruption.
  package static func measure(
    _ plan: RunPlan, records: Sides<RunRecord>, workers: Sides<any Worker>,
    clock: sending any WallClock,
    nextPairs: @escaping NextPairs, observer: any RunObserver
  ) async -> Sides<RunRecord> {
    let programs = Pairing.Side.allCases.map { Program($0, workers[$0], records[$0], plan) }
    let measured = await Runner(plan, programs, clock, .looks(nextPairs), observer).run()
    return Sides(baseline: measured[0], candidate: measured[1])
  }

  /// Decides how many timed blocks a cell gets.
  private enum Schedule: Sendable {
    case rounds(until: @Sendable ([Series]) -> Bool)
    case looks(NextPairs)
  }

  private struct CellIndex: Sendable {
    var program: Int
    var cell: Int
  }

  private typealias UntimedBlock = (place: CellIndex, kind: BlockRequest.Kind)

  private let plan: RunPlan
  private let clock: any WallClock
  private let schedule: Schedule
  private let observer: any RunObserver
  private var order: SplitMix64
  /// The candidate is the last one.
  private var programs: [Program]
  private var began: UInt64 = 0

  private init(
    _ plan: RunPlan, _ programs: [Program], _ clock: sending any WallClock, _ schedule: Schedule,
    _ observer: any RunObserver
  ) {
    self.plan = plan
    self.programs = programs
    self.clock = clock
    self.schedule = schedule
    self.observer = observer
    order = SplitMix64(seed: plan.seed)
  }

  private func run() async -> [RunRecord] {
    began = clock.now()
    do {
      // One program counts in rounds, as the budget may only allow the first. It needs no second
      // resident block, because these values are not exact.
      let blocks = plan.countedBlocks
      try await count(isPaired ? [.counted] : [.counted, .resident], isPaired ? blocks : 1)
      try await count(isPaired ? [.resident] : [.counted], isPaired ? blocks : blocks - 1)
      try await count([.instructions], 1)
      for index in programs.indices { programs[index].finishTracing() }
      finish(wants(.timed) ? try await time() : .blocks)
    } catch {
      finish(.interrupted)
    }
    return programs.map(\.filledRecord)
  }

  private func finish(_ stop: Outcome.Stop) {
    for index in programs.indices { programs[index].finish(stop) }
  }

  private subscript(place: CellIndex) -> CellState {
    get { programs[place.program].cells[place.cell] }
    set { programs[place.program].cells[place.cell] = newValue }
  }

  private var candidate: Program { programs[programs.count - 1] }

  /// Returns the place of a shared cell in the candidate.
  private func place(of index: Int) -> CellIndex {
    CellIndex(program: programs.count - 1, cell: index)
  }

  private var isPaired: Bool { programs.count > 1 }

  private var elapsed: Double { Double(clock.now() - began) / 1e9 }

  private func wants(_ kind: BlockRequest.Kind) -> Bool { metrics(of: kind)?.isEmpty != true }

  private func metrics(of kind: BlockRequest.Kind) -> Set<String>? {
    let counter = candidate.record.machine.instructionCounter
    return plan.metrics(of: kind, hasCounter: counter == Instructions.source)
  }

  // MARK: counts

  /// Takes untimed blocks of every cell, so many of each kind in random order.
  private func count(_ kinds: [BlockRequest.Kind], _ blocks: Int) async throws {
    var queue: [UntimedBlock] = []
    for kind in kinds where wants(kind) {
      let round = programs.indices.flatMap { program in
        programs[program].cells(of: kind).map {
          (place: CellIndex(program: program, cell: $0), kind: kind)
        }
      }
      queue += Array(repeating: round, count: blocks).joined().shuffled(using: &order)
    }
    try await measure(queue)
  }

  /// Load does not change counts, so as many blocks run at once as the plan allows.
  private func measure(_ queue: [UntimedBlock]) async throws {
    var (rest, done) = (queue[...], 0)
    var began = [UInt64](repeating: 0, count: max(plan.width, 1))
    var free = Array(began.indices.reversed())
    try await withThrowingTaskGroup(of: (UntimedBlock, Int, BlockOutcome).self) { group in
      while true {
        while let slot = free.last, let next = popFirst(&rest) {
          free.removeLast()
          began[slot] = clock.now()
          let block = block(next.place, next.kind)
          group.addTask { (next, slot, try await block.measure(slot: slot)) }
        }
        guard let (ended, slot, outcome) = try await group.next() else { return }
        free.append(slot)
        take(outcome, began[slot], of: ended.place, ended.kind)
        done += 1
        tell(ended.place, ended.kind, isPaired ? .init(done: done, total: queue.count) : nil)
      }
    }
  }

  /// Returns the next block to take; skips failed cells and blocks that would exceed the budget.
  private func popFirst(_ queue: inout ArraySlice<UntimedBlock>) -> UntimedBlock? {
    while let next = queue.popFirst() {
      let cell = self[next.place]
      if cell.isActive, fitsIntoBudget(cell, next.kind) { return next }
    }
    return nil
  }

  // MARK: times

  private func time() async throws -> Outcome.Stop {
    switch schedule {
    case .rounds:
      try await bring(plan.cells.indices.reduce(into: [:]) { $0[$1] = .max })
      return .blocks
    case .looks(let nextPairs): return try await look(nextPairs)
    }
  }

  /// Prepares one interim analysis after another. If time runs out, changes suspected so far are
  /// still confirmed.
  private func look(_ nextPairs: NextPairs) async throws -> Outcome.Stop {
    var look = 0
    var stop = Outcome.Stop.blocks
    while true {
      let missing = missingPairs(nextPairs)
      if missing.isEmpty { return stop }
      if stop == .blocks, !fitsIntoBudget(missing) {
        // Ends the plan of interim analyses at the pairs measured so far.
        let held = plan.cells.indices.map { candidate.cells[$0].timedBlocks }.max()
        for index in programs.indices { programs[index].record.pairing?.looks.ended = held }
        stop = .budget
        continue
      }
      look += 1
      try await bring(missing, look: look)
    }
  }

  /// Returns the cells that need more pairs, by index, with the total number for each.
  private func missingPairs(_ nextPairs: NextPairs) -> [Int: Int] {
    let records = programs.map(\.filledRecord)
    let wanted = nextPairs(Sides(baseline: records[0], candidate: records[1]))
    return plan.cells.indices.reduce(into: [:]) { missing, index in
      guard isActive(index), let count = wanted[plan.cells[index].cell],
        candidate.cells[index].timedBlocks < count
      else { return }
      missing[index] = count
    }
  }

  /// Takes timed blocks round by round until each cell has the wanted number.
  private func bring(_ wanted: [Int: Int], look: Int? = nil) async throws {
    var stage = look.map { look in
      let total = wanted.reduce(0) { $0 + $1.value - candidate.cells[$1.key].timedBlocks }
      return RunProgress.Stage(look: look, done: 0, total: total)
    }
    while true {
      var queue = wanted.keys.filter {
        isActive($0) && candidate.cells[$0].timedBlocks < wanted[$0, default: 0]
      }
      if queue.isEmpty { return }
      queue.sort()
      queue.shuffle(using: &order)
      for index in queue {
        guard fitsIntoBudget(candidate.cells[index], .timed) else {
          self[place(of: index)].stop = .budget
          continue
        }
        try await measureTimed(index)
        stage?.done += 1
        tell(place(of: index), .timed, stage)
      }
    }
  }

  private func measureTimed(_ index: Int) async throws {
    let start = clock.now()
    let outcomes =
      isPaired
      ? try await measurePair(index)
      : [try await block(CellIndex(program: 0, cell: index), .timed).measure(slot: 0)]
    for (program, outcome) in outcomes.enumerated() {
      guard let outcome else { continue }
      take(outcome, start, of: CellIndex(program: program, cell: index), .timed)
    }
  }

  /// Measures a pair of timed blocks in two workers that take turns.
  ///
  /// - Returns: both outcomes, or nil for a block that was ended because the other failed.
  private func measurePair(_ index: Int) async throws -> [BlockOutcome?] {
    let first = Pairing.Side.allCases.randomElement(using: &order) ?? .baseline
    let processor = Int.random(in: 0..<1_024, using: &order)
    let pipes: TurnPipes
    do {
      pipes = try TurnPipes(in: plan.storage)
    } catch {
      return programs.map { _ in .failed(stage: nil, reason: failureReason(error)) }
    }
    defer { pipes.remove() }
    let blocks = programs.indices.map { program in
      let side = programs[program].side
      let turns = pipes.turns(
        of: side, begins: side == first, processor: processor,
        padding: Int.random(in: 0..<4_096, using: &order))
      return block(CellIndex(program: program, cell: index), .timed, turns)
    }
    let outcomes = try await withThrowingTaskGroup(of: [Int: BlockOutcome].self) { group in
      for (slot, block) in blocks.enumerated() {
        group.addTask {
          do {
            return [slot: try await block.measure(slot: slot)]
          } catch is CancellationError {
            return [:]
          }
        }
      }
      var outcomes: [Int: BlockOutcome] = [:]
      for try await outcome in group {
        outcomes.merge(outcome) { $1 }
        if case .failed? = outcome.values.first { group.cancelAll() }
      }
      return outcomes
    }
    try Task.checkCancellation()
    return blocks.indices.map { outcomes[$0] }
  }

  /// Whether a shared cell is active in every program.
  private func isActive(_ index: Int) -> Bool { programs.allSatisfy { $0.cells[index].isActive } }

  // MARK: budget

  /// Whether a cell's next block of a kind would end within the budget. The first block is always allowed.
  ///
  /// A count is repeated only if every cell's first timed blocks still fit in afterwards, each
  /// assumed to last as long as the counted block. Otherwise a repeated count could cost the times
  /// their intervals. Interim analyses are prepared as a whole or not at all.
  private func fitsIntoBudget(_ cell: CellState, _ kind: BlockRequest.Kind) -> Bool {
    guard case .rounds = schedule, let budget = plan.budgetSeconds, cell.blocks(of: kind) > 0
    else { return true }
    let reserved = kind == .counted && wants(.timed) ? secondsOfFirstBlocks : 0
    return elapsed + cell.lastBlockSeconds + reserved <= budget
  }

  /// Estimates how long the first timed blocks of all cells take.
  private var secondsOfFirstBlocks: Double {
    candidate.cells.filter(\.isActive).reduce(0) { seconds, cell in
      let blocks = min(RunPlan.firstBlocks, plan.blocks ?? .max)
      return seconds + Double(blocks) * cell.lastBlockSeconds
    }
  }

  /// Whether the missing pairs of an interim analysis fit into the budget. The first analysis is
  /// always allowed.
  private func fitsIntoBudget(_ missing: [Int: Int]) -> Bool {
    guard let budget = plan.budgetSeconds,
      missing.keys.allSatisfy({ candidate.cells[$0].timedBlocks > 0 })
    else { return true }
    let seconds = missing.reduce(0) { sum, wanted in
      let cell = candidate.cells[wanted.key]
      return sum + Double(wanted.value - cell.timedBlocks) * cell.lastBlockSeconds
    }
    return elapsed + seconds <= budget
  }

  // MARK: blocks

  private func block(_ place: CellIndex, _ kind: BlockRequest.Kind, _ turns: Turns? = nil)
    -> PreparedBlock
  {
    let program = programs[place.program]
    let planned = program.cells[place.cell].plan
    var request = BlockRequest(planned, kind, timeout: plan.timeout)
    request.metrics = metrics(of: kind)
    request.sampling = kind == .instructions ? .instructions : plan.sampling
    request.floors = !isPaired
    // Counted blocks get no size, because even a longer request would change their counts.
    let payload = self[place].series.first { $0.metric == .payloadBytes }
    if kind == .timed, !isPaired, let payload {
      request.floors = payload.unsupported == nil
      request.payloadBytes = payload.blocks.first?.first.map { Int($0) }
    }
    request.turns = turns
    request.injection = plan.injection(into: planned.cell, kind)
      .map { program.side == .candidate ? $0 : $0.placebo }
    request.memoryLimit = plan.memoryLimit
    return PreparedBlock(request: request, storage: plan.storage, worker: program.worker)
  }

  /// Keeps the outcome of a block that began at `start`, unless its cell failed before.
  private func take(
    _ outcome: BlockOutcome, _ start: UInt64, of place: CellIndex, _ kind: BlockRequest.Kind
  ) {
    guard self[place].isActive else { return }
    self[place].took(Double(clock.now() - start) / 1e9)
    switch outcome {
    case .measured(let series):
      self[place].add(series, kind)
      settle(place)
    case .failed(let stage, let reason):
      let side = programs[place.program].side
      let cell = self[place].plan.cell
      self[place].fail(stage: stage, reason: reason)
      // If one program cannot measure a cell, the other has no figures for it either.
      for other in programs.indices where other != place.program {
        programs[other].drop(cell, because: "the \(side.rawValue) could not be measured")
      }
    }
  }

  private func settle(_ place: CellIndex) {
    guard case .rounds(let isSettled) = schedule else { return }
    let cell = self[place]
    let stop: Outcome.Stop? =
      if let blocks = plan.blocks {
        cell.timedBlocks >= blocks ? .blocks : nil
      } else if cell.timedBlocks > 0, isSettled(cell.series) {
        .narrow
      } else {
        nil
      }
    if let stop { self[place].stop = stop }
  }

  private func tell(_ place: CellIndex, _ kind: BlockRequest.Kind, _ stage: RunProgress.Stage?) {
    let cell = self[place]
    observer.blockEnded(
      RunProgress(
        cell: cell.plan.cell, kind: kind, timedBlocks: cell.timedBlocks,
        cellsDone: candidate.cells.count { !$0.isActive }, cells: candidate.cells.count,
        elapsedSeconds: elapsed, budgetSeconds: plan.budgetSeconds, stage: stage),
      record: candidate.filledRecord)
  }
}

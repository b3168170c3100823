import BenchProbes
import BenchProcesses
import BenchResults
import Foundation
import MenuWorkloads
import Synchronization
import TestSupport
import Testing

@testable import BenchEngine

@Suite("The runner with two programs")
struct PairRunnerTests {
  private let clock = ManualClock()
  private let observer = ManualObserver()

  private func plan(
    _ backends: [String], unpaired: [Pairing.Side: [PlannedCell]] = [:],
    counters: Set<String> = ["allocations"], times: Set<String> = ["wall"], traces: Bool = false,
    budget: Double? = nil, injection: Injection? = nil, width: Int = 1
  ) -> RunPlan {
    RunPlan(
      cells: backends.map(Self.planned), unpaired: unpaired,
      traced: traces ? backends.map(Self.planned) : [], budgetSeconds: budget,
      metrics: counters.union(times).union(traces ? ["instructions"] : []), injection: injection,
      width: width, storage: NSTemporaryDirectory() + "pairs-\(UUID())", seed: 7)
  }

  private static func planned(_ backend: String) -> PlannedCell {
    PlannedCell(cell: .of(backend), documentName: "small", fingerprint: "00")
  }

  private func run(
    _ plan: RunPlan, _ workers: Sides<ManualWorker>,
    records: Sides<RunRecord> = Sides(baseline: .empty, candidate: .empty),
    next: @escaping Runner.NextPairs = { _ in [:] }
  ) async -> Sides<RunRecord> {
    // The runner leaves the folder that it made for stores.
    defer { rmdir(plan.storage) }
    return await Runner.measure(
      plan, records: records, workers: workers.map { $0 as any Worker }, clock: clock,
      nextPairs: next, observer: observer)
  }

  private func workers(
    seconds: UInt64 = 1, _ answer: @escaping @Sendable (BlockRequest) throws -> BlockOutcome
  ) -> Sides<ManualWorker> {
    Sides(
      baseline: ManualWorker(clock: clock, seconds: seconds, answer: answer),
      candidate: ManualWorker(clock: clock, seconds: seconds, answer: answer))
  }

  /// Records of a pair before anything is measured.
  private var paired: Sides<RunRecord> {
    var paired = Sides(baseline: RunRecord.empty, candidate: .empty)
    for side in Pairing.Side.allCases {
      paired[side].pairing = Pairing(
        id: "1", side: side, executable: "bench", revision: nil, looks: InterimPlan())
    }
    return paired
  }

  private func wall(_ record: RunRecord, _ backend: String) -> [[Double]]? {
    record.cells.first { $0.cell == .of(backend) && $0.metric == .wall }?.blocks
  }

  @Test("counts two blocks a side before it times, and then measures as many pairs as planned")
  func counts() async {
    let workers = workers { block($0, $0.kind == .timed ? 5 : 9) }
    let records = await run(plan(["a", "b"]), workers) { _ in [.of("a"): 3, .of("b"): 2] }
    for side in Pairing.Side.allCases {
      let kinds = workers[side].requests.map(\.kind)
      #expect(kinds.prefix(4).allSatisfy { $0 == .counted })
      #expect(kinds.dropFirst(4).count == 5)
      #expect(wall(records[side], "a") == [[5], [5], [5]])
      #expect(wall(records[side], "b") == [[5], [5]])
      #expect(records[side].outcomes.map(\.stop) == [.blocks, .blocks])
      #expect(records[side].outcomes.map(\.timedBlocks) == [3, 2])
    }
  }

  @Test("alternates the halves of a pair, and draws the first half and the order of cells")
  func turns() async {
    let workers = workers { block($0, 1) }
    _ = await run(plan(["a", "b"], counters: []), workers) { _ in [.of("a"): 20, .of("b"): 20] }
    let (old, new) = (workers.baseline.requests, workers.candidate.requests)
    #expect(old.map(\.cell) == new.map(\.cell))
    #expect(old.count == 40)
    for (old, new) in zip(old, new) {
      #expect(old.turns?.own == new.turns?.other && new.turns?.own == old.turns?.other)
      #expect(old.turns?.begins != new.turns?.begins && old.folder != new.folder)
    }
    #expect((9...31).contains(old.count { $0.turns?.begins == true }))
    let rounds = stride(from: 0, to: 40, by: 2).map {
      old[$0].cell.backend + old[$0 + 1].cell.backend
    }
    #expect(Set(rounds) == ["ab", "ba"])
  }

  @Test("starts each process with an environment of a length that it drew for the block")
  func padding() async throws {
    let workers = workers { block($0, 1) }
    _ = await run(plan(["a"], counters: []), workers) { _ in [.of("a"): 20] }
    let lengths = (workers.baseline.requests + workers.candidate.requests).map {
      $0.turns?.padding ?? -1
    }
    #expect(lengths.count == 40 && lengths.allSatisfy { (0..<4_096).contains($0) })
    // Few of 40 draws from 4,096 are equal.
    #expect(Set(lengths).count >= 36)
    let shell = SubprocessWorker(
      executable: "/bin/sh",
      arguments: ["-c", "cat > /dev/null; echo ${#MENUBENCH_PADDING} >&2; exit 9"])
    for request in workers.candidate.requests.prefix(2) {
      guard case .failed(_, let reason) = try await shell.measure(request) else {
        Issue.record("a shell measured")
        return
      }
      #expect(
        reason
          == "its worker exited with status 9, and it printed: \(request.turns?.padding ?? -1)")
    }
  }

  @Test("ends a half if the other one failed")
  func ends() async {
    let plan = plan(["a"], counters: [])
    defer { rmdir(plan.storage) }
    let records = await Runner.measure(
      plan, records: Sides(baseline: .empty, candidate: .empty),
      workers: Sides<any Worker>(
        baseline: WaitingWorker(),
        candidate: ManualWorker(clock: clock) { _ in .failed(stage: "timing", reason: "it broke") }),
      clock: clock, nextPairs: { _ in [.of("a"): 3] }, observer: observer)
    #expect(records.candidate.failures.map(\.reason) == ["it broke"])
    #expect(records.baseline.failures.map(\.reason) == ["the candidate could not be measured"])
  }

  @Test("asks for the next step after each step, and stops if there is none")
  func steps() async {
    let workers = workers { block($0, 1) }
    let records = await run(plan(["a", "b"], counters: []), workers) { records in
      let pairs = records.candidate.outcomes.map(\.timedBlocks)
      return switch pairs[0] {
      case 0: [.of("a"): 2, .of("b"): 2]
      case 2: [.of("a"): 5]
      default: [:]
      }
    }
    #expect(records.baseline.outcomes.map(\.timedBlocks) == [5, 2])
    #expect(observer.progress.compactMap(\.stage?.look) == [1, 1, 1, 1, 2, 2, 2])
  }

  @Test("confirms present suspicions even if there is no time for another analysis")
  func confirmsLate() async {
    let workers = workers(seconds: 2) { block($0, 1) }
    let plan = plan(["a"], counters: [], budget: 10)
    let records = await run(plan, workers, records: paired) { records in
      let pairs = records.candidate.outcomes[0].timedBlocks
      // The next analysis would take too long. Two fresh pairs are requested when it is given up.
      guard let ended = records.candidate.pairing?.looks.ended else { return [.of("a"): pairs + 4] }
      return [.of("a"): ended + 2]
    }
    #expect(
      records.candidate.outcomes.untimed == [Outcome(cell: .of("a"), timedBlocks: 6, stop: .budget)]
    )
    #expect(records.baseline.pairing?.looks.ended == 4)
  }

  @Test("keeps no half of a pair: a cell that fails on one side has no figures on either")
  func halfPair() async {
    let workers = Sides(
      baseline: ManualWorker(clock: clock) { block($0, 1) },
      candidate: ManualWorker(clock: clock) { request in
        request.kind == .timed && request.cell.backend == "a"
          ? .failed(stage: "phase read", reason: "it broke") : block(request, 1)
      })
    let records = await run(plan(["a", "b"]), workers) { _ in [.of("a"): 3, .of("b"): 3] }
    #expect(
      records.candidate.failures
        == [Failure(cell: .of("a"), stage: "phase read", reason: "it broke")])
    #expect(
      records.baseline.failures
        == [Failure(cell: .of("a"), stage: nil, reason: "the candidate could not be measured")])
    for side in Pairing.Side.allCases {
      #expect(records[side].cells.allSatisfy { $0.cell == .of("b") })
      #expect(wall(records[side], "b")?.count == 3)
    }
  }

  @Test("explains in the system's words why a pair has no place for its pipes")
  func noPlace() async {
    var plan = plan(["a"], counters: [])
    plan.storage = "/dev/null"
    let records = await run(plan, workers { block($0, 1) }) { _ in [.of("a"): 1] }
    #expect(
      records.baseline.failures == [
        Failure(
          cell: .of("a"), stage: nil, reason: "create a folder at /dev/null: Not a directory")
      ])
    #expect(
      records.candidate.failures
        == [Failure(cell: .of("a"), stage: nil, reason: "the baseline could not be measured")])
  }

  @Test("counts the cells that one side alone has, and times none of them")
  func unpaired() async {
    let workers = workers { block($0, 1) }
    let plan = plan(["a"], unpaired: [.candidate: [Self.planned("new")]])
    let records = await run(plan, workers) { _ in [.of("a"): 1, .of("new"): 1] }
    #expect(
      records.candidate.cells.filter { $0.cell == .of("new") }.map(\.metric) == [.allocations])
    #expect(records.baseline.outcomes.map(\.cell) == [.of("a")])
    #expect(records.candidate.outcomes.map(\.timedBlocks) == [1, 0])
  }

  @Test("injects into the candidate alone, and a slowdown only into timed blocks")
  func injects() async {
    let slow = Injection(phase: "encode", cost: .slowdown(0.05))
    let workers = workers { block($0, 1) }
    _ = await run(plan(["a"], injection: slow), workers) { _ in [.of("a"): 1] }
    #expect(
      workers.candidate.requests.map { $0.injection?.description }
        == [nil, nil, "a/encode:slowdown=5.0%"])
    // A text of the same length that names no backend.
    #expect(
      workers.baseline.requests.map { $0.injection?.description }
        == [nil, nil, "-/encode:slowdown=5.0%"])
    let one = Injection(phase: "encode", cost: .allocations(1))
    let others = self.workers { block($0, 1) }
    _ = await run(plan(["a"], injection: one), others) { _ in [.of("a"): 1] }
    #expect(
      others.candidate.requests.map { $0.injection?.description }
        == Array(repeating: "a/encode:allocations=1", count: 3))
    // The cells without an injection have the same requests.
    let elsewhere = Injection(backend: "b", phase: "encode", cost: .allocations(1))
    let both = self.workers { block($0, 1) }
    _ = await run(plan(["a", "b"], injection: elsewhere), both) { _ in [.of("a"): 1, .of("b"): 1] }
    for request in both.candidate.requests {
      #expect(request.injection == (request.cell.backend == "b" ? elsewhere : nil))
    }
  }

  @Test("measures untimed blocks in parallel, each in a folder of its own")
  func width() async {
    let workers = workers { block($0, 1) }
    _ = await run(plan(["a", "b"], traces: true, width: 3), workers)
    let folders = (workers.baseline.requests + workers.candidate.requests).map(\.folder)
    #expect(Set(folders).count == 3)
    #expect(folders.count == 12)
    #expect(workers.candidate.requests.count { $0.kind == .instructions } == 2)
  }

  @Test("asks a block only for the metrics of its kind, and for no floors")
  func asks() async {
    let workers = workers { block($0, 1) }
    _ = await run(plan(["a"], traces: true), workers) { _ in [.of("a"): 1] }
    let asked = workers.baseline.requests
    #expect(asked.allSatisfy { !$0.floors })
    #expect(asked.map(\.metrics) == [["allocations"], ["allocations"], ["instructions"], ["wall"]])
  }

  @Test("counts instructions with a smaller menu, and does not time that menu")
  func sample() async {
    let workers = workers { block($0, 1) }
    var small = Self.planned("a")
    small.cell.menu = "tiny"
    var plan = plan(["a"], traces: true)
    plan.traced = [small]
    let records = await run(plan, workers) { [cell = small.cell] records in
      #expect(records.candidate.outcomes.last?.stop == .blocks)
      return [.of("a"): 2, cell: 2]
    }
    #expect(
      workers.baseline.requests.filter { $0.cell == small.cell }.map(\.kind) == [.instructions])
    #expect(records.candidate.outcomes.map(\.timedBlocks) == [2, 0])
    #expect(records.candidate.outcomes.map(\.stop) == [.blocks, .blocks])
  }

  @Test("returns its results if it is cancelled")
  func cancelled() async {
    let workers = workers { block($0, 1) }
    let records = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await run(plan(["a"]), workers) { _ in [.of("a"): 3] }
    }.value
    #expect(records.candidate.outcomes.map(\.stop) == [.interrupted])
    #expect(records.candidate.cells.isEmpty)
  }
}

/// A worker that waits for its turn until it is ended.
private struct WaitingWorker: Worker {
  func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    try await Task.sleep(for: .seconds(3_600))
    return block(request, 1)
  }
}

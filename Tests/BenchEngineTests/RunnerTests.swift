import BenchProbes
import BenchResults
import Foundation
import MenuWorkloads
import TestSupport
import Testing

@testable import BenchEngine

@Suite("The runner")
struct RunnerTests {
  private let clock = ManualClock()
  private let observer = ManualObserver()

  private func plan(
    _ backends: [String], blocks: Int? = nil, budget: Double? = 1_000,
    metrics: Set<String>? = ["wall", "allocations"]
  ) -> RunPlan {
    RunPlan(
      cells: backends.map {
        PlannedCell(cell: .of($0), documentName: "small", fingerprint: "00")
      }, blocks: blocks, budgetSeconds: budget, metrics: metrics,
      storage: NSTemporaryDirectory() + "runner-\(UUID())", seed: 7)
  }

  private func run(
    _ plan: RunPlan, record: RunRecord = .empty,
    settled: @escaping @Sendable ([Series]) -> Bool = { _ in false },
    worker: ManualWorker
  ) async -> RunRecord {
    // The runner leaves the folder that it made for stores.
    defer { rmdir(plan.storage) }
    return await Runner.measure(
      plan, record: record, worker: worker, clock: clock, isSettled: settled, observer: observer)
  }

  @Test("gives every cell the chosen blocks, two of them counted, with values in run order")
  func blocksAsked() async {
    let worker = ManualWorker(clock: clock) { block($0, $0.kind == .timed ? 5 : 9) }
    let record = await run(plan(["a", "b"], blocks: 3), worker: worker)
    #expect(worker.requests.count == 10)
    #expect(worker.requests.prefix(4).allSatisfy { $0.kind == .counted })
    #expect(
      record.outcomes
        == ["a", "b"].map {
          Outcome(cell: .of($0), timedBlocks: 3, stop: .blocks).with(\.seconds, 5)
        })
    let blocks = Dictionary(uniqueKeysWithValues: record.cells.map { ($0.key, $0.blocks) })
    #expect(blocks.count == 4)
    #expect(blocks[.init(cell: .of("a"), phase: "encode", metric: "wall")] == [[5], [5], [5]])
    #expect(blocks[.init(cell: .of("b"), phase: "encode", metric: "allocations")] == [[9], [9]])
  }

  @Test("measures no cell that makes no sense, and says why")
  func refusal() async {
    let worker = ManualWorker(clock: clock) { block($0, 1) }
    var plan = plan(["a", "b"], blocks: 1)
    plan.cells[0].refusal = "a keeps nothing"
    let record = await run(plan, worker: worker)
    #expect(Set(worker.requests.map(\.cell.backend)) == ["b"])
    #expect(
      record.outcomes.untimed == [
        Outcome(cell: .of("a"), timedBlocks: 0, stop: .notApplicable)
          .with(\.reason, "a keeps nothing"),
        Outcome(cell: .of("b"), timedBlocks: 1, stop: .blocks),
      ])
    #expect(record.failures.isEmpty)
  }

  @Test("interleaves: every round has each cell once, in an order that changes")
  func interleaves() async {
    let worker = ManualWorker(clock: clock) { block($0, 1) }
    _ = await run(plan(["a", "b", "c", "d"], blocks: 10), worker: worker)
    let order = worker.requests.map(\.cell.backend)
    let rounds = stride(from: 0, to: order.count, by: 4).map { Array(order[$0..<$0 + 4]) }
    #expect(rounds.count == 12)
    #expect(rounds.allSatisfy { Set($0) == ["a", "b", "c", "d"] })
    #expect(Set(rounds).count > 3)
  }

  @Test("draws the same order from the same seed")
  func sameOrder() async {
    var orders: [[String]] = []
    for _ in 0..<2 {
      let worker = ManualWorker(clock: clock) { block($0, 1) }
      _ = await run(plan(["a", "b", "c"], blocks: 5), worker: worker)
      orders.append(worker.requests.map(\.cell.backend))
    }
    #expect(orders[0] == orders[1])
  }

  @Test("stops a cell when it is settled, and continues with the others")
  func settles() async {
    let worker = ManualWorker(clock: clock) { block($0, 1) }
    let record = await run(
      plan(["a", "b"], budget: 20),
      settled: { series in
        series.contains { $0.cell.backend == "a" && $0.metric == .wall && $0.blocks.count == 4 }
      }, worker: worker)
    #expect(record.outcomes.untimed[0] == Outcome(cell: .of("a"), timedBlocks: 4, stop: .narrow))
    #expect(record.outcomes[1].stop == .budget)
    #expect(record.outcomes[1].timedBlocks == 12)
  }

  @Test("starts no round that would not end within the budget")
  func budget() async {
    let worker = ManualWorker(clock: clock, seconds: 2) { block($0, 1) }
    let record = await run(plan(["a", "b"], budget: 21), worker: worker)
    // Two counted blocks and four rounds of two take 20 s. A fifth round would end at 24 s.
    #expect(record.outcomes.map(\.timedBlocks) == [4, 4])
    #expect(record.outcomes.map(\.stop) == [.budget, .budget])
  }

  @Test("counts a second time only if the timed blocks for an interval, or those planned, remain")
  func countedBudget() async {
    let cases: [(Double, blocks: Int?, metrics: Set<String>?, counted: Int, timed: Int)] = [
      (23, nil, ["wall", "allocations"], 1, 6), (24, nil, ["wall", "allocations"], 2, 6),
      (15, 2, nil, 2, 2), (12, nil, ["allocations"], 2, 0),
    ]
    for (budget, blocks, metrics, counted, timed) in cases {
      let worker = ManualWorker(clock: clock, seconds: 3) { block($0, 1) }
      let plan = plan(["a"], blocks: blocks, budget: budget, metrics: metrics)
      let record = await run(plan, worker: worker)
      #expect(worker.requests.count { $0.kind == .counted } == counted)
      #expect(record.outcomes.map(\.timedBlocks) == [timed])
    }
  }

  @Test("gives every cell one block of each kind, however small the budget")
  func tinyBudget() async {
    let worker = ManualWorker(clock: clock, seconds: 50) { block($0, 1) }
    let record = await run(plan(["a", "b"], budget: 0.1), worker: worker)
    #expect(record.outcomes.map(\.timedBlocks) == [1, 1])
    #expect(record.outcomes.map(\.stop) == [.budget, .budget])
  }

  @Test("drops the figures of a cell that fails, records why, and finishes the others")
  func failure() async {
    let worker = ManualWorker(clock: clock) { request in
      request.cell.backend == "b" && request.kind == .timed
        ? .failed(stage: "phase decode", reason: "it crashed") : block(request, 1)
    }
    let record = await run(plan(["a", "b"], blocks: 2), worker: worker)
    #expect(
      record.failures == [Failure(cell: .of("b"), stage: "phase decode", reason: "it crashed")])
    #expect(Set(record.cells.map(\.cell)) == [Cell.of("a")])
    #expect(record.outcomes.map(\.stop) == [.blocks, .failed])
    #expect(worker.requests.count { $0.cell.backend == "b" } == 3)
  }

  @Test("times nothing once every cell has failed")
  func allFail() async {
    let worker = ManualWorker(clock: clock) { _ in .failed(stage: nil, reason: "no") }
    let record = await run(plan(["a", "b"]), worker: worker)
    #expect(worker.requests.count == 2)
    #expect(record.failures.count == 2)
    #expect(record.cells.isEmpty)
  }

  @Test("turns a worker's own error into the cell's failure")
  func workerThrows() async {
    struct Oops: Error {}
    let worker = ManualWorker(clock: clock) { _ in throw Oops() }
    let record = await run(plan(["a"]), worker: worker)
    #expect(record.failures.map(\.reason) == ["Oops()"])
    // Foundation's own text does not help.
    let full = ManualWorker(clock: clock) { _ in throw CocoaError(.fileWriteOutOfSpace) }
    let other = await run(plan(["a"]), worker: full)
    #expect(other.failures.map(\.reason) == ["No space left on device"])
  }

  @Test("drops a cell with an impossible value, because its run could not be read again")
  func impossibleValues() async {
    let values: [(Double, String)] = [
      (-5, "-5.0"), (.nan, "nan"), (.infinity, "inf"), (1.8e19, "1.8e+19"),
    ]
    for (value, text) in values {
      let worker = ManualWorker(clock: clock) { block($0, $0.cell.backend == "b" ? value : 1) }
      let record = await run(plan(["a", "b"], blocks: 1), worker: worker)
      #expect(
        record.failures == [
          Failure(
            cell: .of("b"), stage: nil,
            reason: "encode allocations holds \(text): a value is from 0 to 1e+18")
        ])
      #expect(Set(record.cells.map(\.cell)) == [.of("a")])
    }
  }

  @Test("keeps the results if it is cancelled")
  func cancelled() async {
    let worker = ManualWorker(clock: clock) { request in
      if request.kind == .timed { throw CancellationError() }
      return block(request, 9)
    }
    let record = await run(plan(["a", "b"]), worker: worker)
    #expect(record.outcomes.map(\.stop) == [.interrupted, .interrupted])
    #expect(record.cells.map(\.blocks) == [[[9], [9]], [[9], [9]]])
  }

  @Test("uses blocks of the kinds that measure the chosen metrics, and asks each for its own")
  func metrics() async {
    typealias Block = (BlockRequest.Kind, Set<String>?)
    let memory: Set = ["page_faults", "peak_rss_bytes"]
    let (counted, timed): (Block, Block) = ((.counted, ["allocations"]), (.timed, ["wall"]))
    let traced: Block = (.instructions, ["instructions"])
    let cases: [(Set<String>?, counter: String?, [Block])] = [
      (["allocations"], nil, [counted, counted]),
      (["wall"], nil, [timed]),
      // If the processor has no counter, instructions have their own block.
      (["instructions", "allocations", "wall"], nil, [counted, counted, traced, timed]),
      (["instructions"], nil, [traced]),
      (["instructions"], "perf_event", [(.resident, ["instructions"])]),
      // Memory has one, too, with the system's malloc.
      (
        memory.union(["allocations", "wall"]), nil, [counted, (.resident, memory), counted, timed]
      ),
      (nil, nil, [(.counted, nil), (.resident, nil), (.counted, nil), (.timed, nil)]),
    ]
    for (metrics, counter, blocks) in cases {
      var record = RunRecord.empty
      record.machine.instructionCounter = counter
      let worker = ManualWorker(clock: clock) { block($0, 1) }
      _ = await run(plan(["a"], blocks: 1, metrics: metrics), record: record, worker: worker)
      #expect(worker.requests.map(\.kind) == blocks.map(\.0))
      #expect(worker.requests.map(\.metrics) == blocks.map(\.1))
      for request in worker.requests where request.kind == .instructions {
        #expect(request.sampling == .instructions)
      }
    }
  }

  @Test("measures a cell's memory while it counts, and tells timed blocks the payload's size")
  func together() async {
    for size in [[[7.0]], []] {
      let worker = ManualWorker(clock: clock) { request in
        guard request.kind == .counted else { return block(request, 1) }
        return .measured([
          Series(
            cell: request.cell, phase: "encode", metric: .payloadBytes, blocks: size,
            unsupported: size.isEmpty ? "it has rows" : nil)
        ])
      }
      var plan = plan(["a"], blocks: 1, metrics: nil)
      plan.width = 2
      _ = await run(plan, worker: worker)
      let first = worker.requests.prefix(2)
      #expect(
        Set(first.map(\.kind)) == [.counted, .resident] && first[0].folder != first[1].folder)
      #expect(worker.requests.map(\.payloadBytes) == [nil, nil, nil, size.isEmpty ? nil : 7])
      #expect(worker.requests.map(\.floors) == [true, true, true, !size.isEmpty])
    }
  }

  @Test("has no values that one block refused, whether the first or a later one")
  func refused() async {
    for refusing in [1, 2] {
      let counted = Guarded(0)
      let worker = ManualWorker(clock: clock) { request in
        guard request.kind == .counted else { return block(request, 1) }
        let number = counted.withLock {
          $0 += 1
          return $0
        }
        return .measured([
          Series(
            cell: request.cell, phase: "encode", metric: .peakHeapBytes,
            blocks: number == refusing ? [] : [[9]],
            unsupported: number == refusing ? "another thread allocates" : nil)
        ])
      }
      let record = await run(plan(["a"], blocks: 1), worker: worker)
      let peak = record.cells.first { $0.metric == .peakHeapBytes }
      #expect(peak?.blocks == [] && peak?.unsupported == "another thread allocates")
    }
  }

  @Test("tells its observer about every block, with the record so far")
  func observed() async {
    let worker = ManualWorker(clock: clock) { block($0, 1) }
    _ = await run(plan(["a"], blocks: 2), worker: worker)
    #expect(observer.progress.map(\.timedBlocks) == [0, 0, 1, 2])
    #expect(observer.progress.map(\.cellsDone) == [0, 0, 0, 1])
    #expect(observer.records.map { $0.cells.flatMap(\.blocks).count } == [1, 2, 3, 4])
  }
}

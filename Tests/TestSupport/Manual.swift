import BenchEngine
import BenchProbes
import BenchResults
import Foundation

extension [Outcome] {
  /// The outcomes of the cells, without their times.
  package var untimed: [Outcome] {
    map { $0.with(\.seconds, nil) }
  }
}

/// A value behind a lock. Not a Mutex: on Linux the thread sanitizer does not see it lock.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}

/// A worker of a test: answers by script, and lets its clock run for as long as a block takes.
package final class ManualWorker: Worker {
  private let clock: ManualClock
  private let answer: @Sendable (BlockRequest) throws -> BlockOutcome
  private let log = Guarded<[BlockRequest]>([])
  package let seconds: UInt64

  package init(
    clock: ManualClock, seconds: UInt64 = 1,
    answer: @escaping @Sendable (BlockRequest) throws -> BlockOutcome
  ) {
    self.clock = clock
    self.seconds = seconds
    self.answer = answer
  }

  package var requests: [BlockRequest] { log.withLock { $0 } }

  package func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    log.withLock { $0.append(request) }
    clock.advance(by: seconds * 1_000_000_000)
    return try answer(request)
  }
}

/// Remembers what a run tells its observer.
package final class ManualObserver: RunObserver {
  private let log = Guarded<[(RunProgress, RunRecord)]>([])

  package init() {}

  package var progress: [RunProgress] { log.withLock { $0.map(\.0) } }
  package var records: [RunRecord] { log.withLock { $0.map(\.1) } }

  package func blockEnded(_ progress: RunProgress, record: RunRecord) {
    log.withLock { $0.append((progress, record)) }
  }
}

extension Cell {
  /// A cell of a backend. Its other parts are the same in every test.
  package static func of(_ backend: String) -> Cell {
    Cell(backend: backend, menu: "small", workload: "roundtrip", durability: "atomic")
  }
}

extension RunRecord {
  /// A record before anything is measured.
  package static var empty: RunRecord {
    RunRecord(
      tool: Tool(name: "test", version: "0", revision: nil), machine: Machine(build: "debug"),
      settings: Settings(
        started: "2026-01-01T00:00:00Z", targetPrecision: 0, scheduleSeed: 0, storage: "/tmp"
      ).with(\.budgetSeconds, 0))
  }
}

/// One block of a cell: wall time of its encoding, or its allocations.
package func block(_ request: BlockRequest, _ value: Double) -> BlockOutcome {
  .measured([
    Series(
      cell: request.cell, phase: "encode",
      metric: request.kind == .timed ? .wall : .allocations, blocks: [[value]])
  ])
}

import BackendKit
import Basics
import BenchResults
import Foundation

/// The state of one program during a run. The shared cells come first, then cells for counting
/// instructions only, then cells that the other program lacks.
struct Program: Sendable {
  let side: Pairing.Side
  let worker: any Worker
  var record: RunRecord
  var cells: [CellState]
  private let counted: [Int]
  private let traced: [Int]
  private let tracedOnly: Range<Int>

  init(_ side: Pairing.Side, _ worker: any Worker, _ record: RunRecord, _ plan: RunPlan) {
    self.side = side
    self.worker = worker
    self.record = record
    let further = (plan.traced ?? []).filter { !plan.cells.contains($0) }
    let planned = plan.cells + further + (plan.unpaired[side] ?? [])
    cells = planned.map { CellState($0) }
    let tracedOnly = plan.cells.count..<plan.cells.count + further.count
    self.tracedOnly = tracedOnly
    counted = planned.indices.filter { !tracedOnly.contains($0) }
    traced = plan.traced?.compactMap { planned.firstIndex(of: $0) } ?? counted
  }

  /// Returns the active cells that need untimed blocks of a kind.
  func cells(of kind: BlockRequest.Kind) -> [Int] {
    (kind == .instructions ? traced : counted).filter { cells[$0].isActive }
  }

  /// Ends the cells that are only there for counting instructions.
  mutating func finishTracing() {
    for index in tracedOnly where cells[index].isActive { cells[index].stop = .blocks }
  }

  mutating func finish(_ stop: Outcome.Stop) {
    for index in cells.indices where cells[index].isActive { cells[index].stop = stop }
  }

  /// Fails a cell because of a failure in another program.
  mutating func drop(_ cell: Cell, because reason: String) {
    guard let index = cells.firstIndex(where: { $0.plan.cell == cell && $0.isActive }) else {
      return
    }
    cells[index].fail(stage: nil, reason: reason)
  }

  var filledRecord: RunRecord {
    var record = record
    record.cells = cells.flatMap(\.series)
    record.outcomes = cells.map(\.outcome)
    record.failures = cells.compactMap(\.failure)
    return record
  }
}

/// The state of one cell during a run.
struct CellState: Sendable {
  let plan: PlannedCell
  private(set) var series: [Series] = []
  private var blocks: [BlockRequest.Kind: Int] = [:]
  private(set) var failure: Failure?
  var stop: Outcome.Stop
  private(set) var lastBlockSeconds = 0.0
  private var seconds: Double?

  init(_ plan: PlannedCell) {
    self.plan = plan
    stop = plan.refusal == nil ? .running : .notApplicable
  }

  var isActive: Bool { stop == .running }
  var timedBlocks: Int { blocks(of: .timed) }
  var outcome: Outcome {
    Outcome(cell: plan.cell, timedBlocks: timedBlocks, stop: stop)
      .with(\.reason, plan.refusal).with(\.seconds, seconds)
  }

  func blocks(of kind: BlockRequest.Kind) -> Int { blocks[kind, default: 0] }

  /// Adds the duration of a block, even if it failed.
  mutating func took(_ seconds: Double) {
    lastBlockSeconds = seconds
    self.seconds = (self.seconds ?? 0) + seconds
  }

  /// Appends the values of a block. A metric that one block cannot measure is dropped for all blocks.
  mutating func add(_ block: [Series], _ kind: BlockRequest.Kind) {
    for one in block {
      if let index = series.firstIndex(where: { $0.key == one.key }) {
        series[index].unsupported = series[index].unsupported ?? one.unsupported
        series[index].blocks += one.blocks
        if series[index].unsupported != nil { series[index].blocks = [] }
        // The shortest batch limits the resolution, so it is the one to report.
        series[index].batch = series[index].batch.flatMap { batch in
          one.batch.map { min(batch, $0) }
        }
      } else {
        series.append(one)
      }
    }
    blocks[kind, default: 0] += 1
  }

  /// Ends the cell as failed. A failed cell has no figures.
  mutating func fail(stage: String?, reason: String) {
    failure = Failure(cell: plan.cell, stage: stage, reason: reason)
    stop = .failed
    series = []
  }
}

extension BlockOutcome {
  /// Returns a failure if a value is impossible, because the record could not be read again.
  fileprivate var checked: Self {
    guard case .measured(let series) = self else { return self }
    for one in series {
      guard let value = one.impossibleValue else { continue }
      return .failed(
        stage: nil,
        reason: "\(one.phase) \(one.metric.id) holds \(value): a value is from 0 to \(Series.most)")
    }
    return self
  }
}

/// A block that is ready to be measured, in its own empty folder.
package struct PreparedBlock: Sendable {
  package var request: BlockRequest
  let storage: String
  let worker: any Worker

  /// Prepares a block for a worker. Its folder will be made in `storage`.
  package init(request: BlockRequest, storage: String, worker: any Worker) {
    self.request = request
    self.storage = storage
    self.worker = worker
  }

  /// Measures the block. An error of the worker becomes a failed outcome.
  ///
  /// - Parameter slot: distinguishes blocks that run at the same time.
  /// - Throws: `CancellationError` if the run was stopped meanwhile.
  package func measure(slot: Int) async throws -> BlockOutcome {
    let outcome: BlockOutcome
    do {
      var request = request
      request.folder = storage + "/store-\(slot)"
      try? FileManager.default.removeItem(atPath: request.folder)
      try Self.make(request.folder)
      defer { try? FileManager.default.removeItem(atPath: request.folder) }
      outcome = try await worker.measure(request).checked
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      outcome = .failed(stage: nil, reason: failureReason(error))
    }
    try Task.checkCancellation()
    return outcome
  }

  /// Makes a folder unless it exists.
  ///
  /// - Throws: `StoreError` with the system's reason if the folder cannot be made.
  static func make(_ folder: String) throws {
    do {
      try makeFolder(folder)
    } catch {
      throw StoreError(
        operation: "create a folder at", path: folder, reason: systemReason(error))
    }
  }
}

import BackendKit
import Basics
import BenchResults
import Foundation

/// What a run knows of one of its programs: the shared cells come first, then those of which only
/// instructions are counted, then those that no other program has.
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
    let planned = plan.cells + further + (plan.lonely[side] ?? [])
    cells = planned.map { CellState($0) }
    let tracedOnly = plan.cells.count..<plan.cells.count + further.count
    self.tracedOnly = tracedOnly
    counted = planned.indices.filter { !tracedOnly.contains($0) && !planned[$0].isTimedOnly }
    traced = plan.traced?.compactMap { planned.firstIndex(of: $0) } ?? counted
  }

  /// The cells under way of which blocks of a kind that nobody times are to be taken.
  func cells(of kind: BlockRequest.Kind) -> [Int] {
    (kind == .instructions ? traced : counted).filter { cells[$0].isActive }
  }

  /// Ends the cells of which nothing but instructions was wanted.
  mutating func finishTracing() {
    for index in tracedOnly where cells[index].isActive { cells[index].stop = .blocks }
  }

  mutating func finish(_ stop: Outcome.Stop) {
    for index in cells.indices where cells[index].isActive { cells[index].stop = stop }
  }

  /// Gives a cell up for what happened elsewhere.
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

/// What a run knows of one cell while it measures.
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

  /// Notes how long a block took, whatever came of it.
  mutating func took(_ seconds: Double) {
    lastBlockSeconds = seconds
    self.seconds = (self.seconds ?? 0) + seconds
  }

  /// Adds a block's values behind those of earlier blocks. What one block refuses is refused of all.
  mutating func add(_ block: [Series], _ kind: BlockRequest.Kind) {
    for one in block {
      if let index = series.firstIndex(where: { $0.key == one.key }) {
        series[index].unsupported = series[index].unsupported ?? one.unsupported
        series[index].blocks += one.blocks
        if series[index].unsupported != nil { series[index].blocks = [] }
        // What the shortest batch could not tell is not told.
        series[index].batch = series[index].batch.flatMap { batch in
          one.batch.map { min(batch, $0) }
        }
      } else {
        series.append(one)
      }
    }
    blocks[kind, default: 0] += 1
  }

  /// A cell that fails has no figures.
  mutating func fail(stage: String?, reason: String) {
    failure = Failure(cell: plan.cell, stage: stage, reason: reason)
    stop = .failed
    series = []
  }
}

extension BlockOutcome {
  /// The same, or a failure where a value is none: with it nobody could read the run again.
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

/// A block that is ready to be measured, in an empty folder of its own.
package struct PreparedBlock: Sendable {
  package var request: BlockRequest
  let storage: String
  let worker: any Worker

  /// Prepares a block of a worker, whose folder is to be made in the one for stores.
  package init(request: BlockRequest, storage: String, worker: any Worker) {
    self.request = request
    self.storage = storage
    self.worker = worker
  }

  /// - Parameter slot: tells blocks apart that run at once.
  /// - Throws: `CancellationError` when the run was stopped meanwhile.
  package func measure(slot: Int) async throws -> BlockOutcome {
    let outcome: BlockOutcome
    do {
      var request = request
      request.folder = storage + "/store-\(slot)"
      try Self.makeEmpty(request.folder)
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

  private static func makeEmpty(_ folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try make(folder)
  }

  /// Makes a folder, where it is not there.
  ///
  /// - Throws: `StoreError` with the system's reason where it cannot be.
  static func make(_ folder: String) throws {
    do {
      try makeFolder(folder)
    } catch {
      throw StoreError(
        operation: "create a folder at", path: folder, reason: systemReason(error))
    }
  }
}

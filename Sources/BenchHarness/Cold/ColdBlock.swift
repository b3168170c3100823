import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// The fresh processes of one block, which are started once the worker's own store is closed: as
/// little of it is left in memory as of an app that was ended.
struct ColdBlock<W: ColdWorkload> {
  let request: BlockRequest
  let workload: W
  let plan: W.Plan
  let surroundings: Surroundings<W.Document>
  let starter: any ColdStarter
  /// Tells when they have taken long enough.
  let clock: any WallClock

  /// The fewest of a block, where it starts any: three that do the first work, so that it has a
  /// middle, and one that may do another.
  private static var fewest: Int { 4 }
  /// Nanoseconds after which no other is started, once there are enough: sixteen times as long as a
  /// block samples, four seconds unless told. Of a menu that takes a second to read, a block would else
  /// last half a minute; thirty fit, of the slowest of storages with a medium menu.
  private var longest: UInt64 { UInt64(max(0, request.sampling.seconds) * 16e9) }

  /// Starts them one after another, and gives what they measured.
  func measure() throws -> [Series] {
    guard count > 0 else { return [] }
    guard surroundings.entry.survivesRestart else { return missing }
    let phases = workload.phases
    let recorder = PhaseRecorder(Sampler(phases: phases.count, clock: MonotonicClock()))
    let deadline = clock.now() + longest
    for number in 0..<count {
      if number >= Self.fewest, clock.now() >= deadline { break }
      try start(number, recorder)
    }
    return recorder.noted(of: request.cell, phases) { $0.isTime == (request.kind == .timed) }
      .filter { request.metrics?.contains($0.metric.id) ?? true }
  }

  /// None where two programs take turns, since one of them would start its own in the other's turn;
  /// and none to count instructions.
  private var count: Int {
    switch request.kind {
    case .timed: request.turns == nil ? workload.coldStarts : 0
    case .counted: workload.countedStarts
    case .instructions: 0
    }
  }

  private func start(_ number: Int, _ recorder: PhaseRecorder<MonotonicClock>) throws {
    surroundings.beat()
    let order = workload.order(number, by: plan)
    if workload.meetsNoCachedPages(order) {
      try CachedPages.drop(in: surroundings.store.folder)
    }
    let (spawned, reply) = try starter.start(
      ColdRequest(
        workload: request.cell.workload, backend: request.cell.backend,
        durability: request.cell.durability, order: order),
      limit: request.timeout, surroundings.beat)
    let finding = try finding(in: reply)
    try workload.take(finding, of: order, by: plan, into: recorder)
    if let phase = workload.phases.firstIndex(of: .start) {
      recorder.note(Double(reply.began) - Double(spawned), of: .wall, phase: phase)
    }
  }

  private func finding(in reply: ColdReply) throws -> W.Finding {
    do {
      return try JSONDecoder().decode(W.Finding.self, from: reply.finding)
    } catch {
      throw WorkloadFailure("a fresh process found what \(workload.name) does not understand")
    }
  }

  /// What is unknown of a backend that a fresh process finds empty.
  private var missing: [Series] {
    workload.coldPhases.map { phase in
      Series(
        cell: request.cell, phase: phase.id, metric: .wall,
        unsupported: "\(request.cell.backend) keeps nothing for a fresh process")
    }
  }
}

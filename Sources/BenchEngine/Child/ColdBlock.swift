import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// The fresh processes of one block, which are started once the worker's own store is closed: as
/// little of it is left in memory as of an app that was ended.
package struct ColdBlock<W: ColdWorkload> {
  let request: BlockRequest
  let workload: W
  let plan: W.Plan
  let surroundings: Surroundings<W.Document>
  let starter: any ColdStarter
  /// The line to the other program's worker, which starts one in its turn; nil where there is none.
  let turns: TurnLine?
  /// Tells when they have taken long enough.
  let clock: any WallClock
  /// Takes a folder's files out of the page cache, and says what share stayed there, in percent.
  let dropPages: (String) throws -> Double

  package init(
    request: BlockRequest, workload: W, plan: W.Plan, surroundings: Surroundings<W.Document>,
    starter: any ColdStarter, turns: Turns? = nil, clock: any WallClock,
    dropPages: @escaping (String) throws -> Double = {
      try PageCache.drop(in: $0)
      return try PageCache.residentShare(in: $0)
    }
  ) throws {
    self.request = request
    self.workload = workload
    self.plan = plan
    self.surroundings = surroundings
    self.starter = starter
    self.turns = try turns.map { try TurnLine($0) }
    self.clock = clock
    self.dropPages = dropPages
  }

  /// The fewest of a block, where it starts any: three that do the first work, so that it has a
  /// middle, and three that may do others.
  private static var fewest: Int { 6 }
  /// Nanoseconds after which no other is started, once there are enough: sixteen times as long as a
  /// block samples, four seconds unless told. Of a menu that takes a second to read, a block would else
  /// last half a minute; thirty fit, of the slowest of backends with a medium menu. In turns it is half as
  /// long for both programs together: what counts there is how many pairs of blocks there are.
  private var longest: UInt64 {
    UInt64(max(0, request.sampling.seconds) * (turns == nil ? 16e9 : 8e9))
  }

  /// The most that may stay in the page cache of what a cold phase reads, in percent.
  private static var mostResident: Double { 3 }

  /// Starts them one after another, and gives what they measured. One whose store's files could not be
  /// taken out of the page cache is not started: what it found would be no figure of a cold phase.
  package func measure() throws -> [Series] {
    // However it ends: nobody waits for one that is gone.
    defer { turns?.leave() }
    guard count > 0 else { return [] }
    guard surroundings.entry.survivesRestart else {
      return request.missing(
        workload.coldPhases, "\(request.cell.backend) keeps nothing for a fresh process")
    }
    var notes: [PhaseNote] = []
    var warmest = 0.0
    turns?.meet(pins: false, surroundings.beat)
    let deadline = clock.now() + longest
    for number in 0..<count {
      turns?.take(surroundings.beat)
      if number >= Self.fewest, turns?.isAlone == true || clock.now() >= deadline { break }
      surroundings.beat()
      let order = workload.order(number, by: plan)
      let resident =
        workload.meetsNoCachedPages(order) ? try dropPages(surroundings.store.folder) : nil
      warmest = max(warmest, resident ?? 0)
      if resident ?? 0 <= Self.mostResident { notes += try start(order, resident) }
      turns?.pass()
    }
    let measured = Set(notes.map(\.phase))
    let found = notes.series(of: request.cell, workload.phases) {
      $0.isTime == (request.kind == .timed)
    }
    return found.filter { isWanted($0.metric) }
      + (warmest <= Self.mostResident
        ? []
        : request.missing(
          workload.coldPhases.filter { !measured.contains($0) },
          "\(Int(warmest.rounded(.up)))% of the store's files stayed in the page cache when they were dropped "
            + "from it, and no more than \(Int(Self.mostResident))% may: measure on a drive"))
  }

  /// How cold it was is kept beside any time: it is what that is judged by.
  private func isWanted(_ metric: Metric) -> Bool {
    request.metrics.map { $0.contains(metric.id) || metric == .residentShare } ?? true
  }

  /// None to count: what fresh processes see is the memory that the system's malloc holds.
  private var count: Int {
    switch request.kind {
    case .timed: workload.coldStarts
    case .resident: workload.residentStarts
    case .counted, .instructions, .profiled: 0
    }
  }

  /// - Parameter resident: what share of the store's files is cached, where that is to be little.
  private func start(_ order: [Int], _ resident: Double?) throws -> [PhaseNote] {
    let (spawned, reply) = try starter.start(
      ColdRequest(
        workload: request.cell.workload, backend: request.cell.backend,
        durability: request.cell.durability, order: order,
        dies: workload.dies(after: order)),
      limit: request.timeout, surroundings.beat)
    let notes = try workload.notes(of: finding(in: reply), order, by: plan)
    let states = notes.map(\.phase).distinct.compactMap { phase in
      resident.map { PhaseNote(phase, $0, .residentShare) }
    }
    return notes + states + [PhaseNote(.start, Double(reply.began) - Double(spawned))]
  }

  private func finding(in reply: ColdReply) throws -> W.Finding {
    do {
      return try JSONDecoder().decode(W.Finding.self, from: reply.finding)
    } catch {
      throw WorkloadFailure("a fresh process found what \(workload.name) does not understand")
    }
  }
}

import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// The fresh processes of one block. They start after the worker has closed its own store, so that
/// as little of it is in memory as after an app has ended.
package struct ColdBlock<W: ColdWorkload> {
  let request: BlockRequest
  let workload: W
  let plan: W.Plan
  let surroundings: WorkContext<W.Document>
  let starter: any ColdStarter
  /// The line to the other program's worker, which starts processes in its own turns, or nil if there is none.
  let turns: TurnChannel?
  /// Shows when the processes have taken long enough.
  let clock: any WallClock
  /// Drops a folder's files from the page cache and returns the share that stayed there, in percent.
  let dropPages: (String) throws -> Double

  package init(
    request: BlockRequest, workload: W, plan: W.Plan, surroundings: WorkContext<W.Document>,
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
    self.turns = try turns.map { try TurnChannel($0) }
    self.clock = clock
    self.dropPages = dropPages
  }

  /// The fewest processes of a block that starts any. Three have the first order, so that it has a
  /// median, and three may have other orders.
  private static var fewest: Int { 6 }
  /// Nanoseconds after which no further process starts, if there are enough: sixteen times a block's
  /// sampling time, or four seconds by default. Without this limit, a menu that takes a second to read
  /// would make a block last half a minute. The slowest backend fits thirty starts with a medium menu. In
  /// turns, both programs together get half of it, because the number of pairs matters more.
  private var longest: UInt64 {
    UInt64(max(0, request.sampling.seconds) * (turns == nil ? 16e9 : 8e9))
  }

  /// The largest share of a store that may stay in the page cache for a cold phase, in percent.
  private static var mostResident: Double { 3 }

  /// Starts the processes one after another and returns what they measured. If the store's files
  /// stay in the page cache, the process is not started, because its figures would not be cold.
  package func measure() throws -> [Series] {
    // Leaves even after an error, so that the other worker does not wait.
    defer { turns?.leave() }
    guard count > 0 else { return [] }
    guard surroundings.entry.survivesRestart else {
      return request.missing(
        workload.coldPhases, "\(request.cell.backend) keeps nothing for a fresh process")
    }
    var notes: [PhaseNote] = []
    var warmest = 0.0
    turns?.meet(pins: false, surroundings.heartbeat)
    let deadline = clock.now() + longest
    for number in 0..<count {
      turns?.take(surroundings.heartbeat)
      if number >= Self.fewest, turns?.isAlone == true || clock.now() >= deadline { break }
      surroundings.heartbeat()
      let order = workload.order(number, by: plan)
      let resident =
        workload.dropsPageCache(order) ? try dropPages(surroundings.store.folder) : nil
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
          "\(Int(warmest.rounded(.up)))% of the store's files stayed in the page cache when "
            + "dropped, but at most \(Int(Self.mostResident))% may: measure on a drive"))
  }

  /// Keeps the share of cached pages with all times, because times are judged by it.
  private func isWanted(_ metric: Metric) -> Bool {
    request.metrics.map { $0.contains(metric.id) || metric == .residentShare } ?? true
  }

  /// The number of processes. Counted blocks start none, because fresh processes use the system's malloc.
  private var count: Int {
    switch request.kind {
    case .timed: workload.coldStarts
    case .resident: workload.residentStarts
    case .counted, .instructions, .profiled: 0
    }
  }

  /// - Parameter resident: the cached share of the store's files in percent, or nil if it does not matter.
  private func start(_ order: [Int], _ resident: Double?) throws -> [PhaseNote] {
    let (spawned, reply) = try starter.start(
      ColdRequest(
        workload: request.cell.workload, backend: request.cell.backend,
        durability: request.cell.durability, order: order,
        isKilled: workload.isKilled(after: order)),
      limit: request.timeout, surroundings.heartbeat)
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
      throw WorkloadFailure("a fresh process sent what \(workload.name) does not understand")
    }
  }
}

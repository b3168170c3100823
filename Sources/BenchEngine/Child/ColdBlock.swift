import BackendKit
import Basics
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The fresh processes of one block, which are started once the worker's own store is closed: as
/// little of it is left in memory as of an app that was ended.
package struct ColdBlock<W: ColdWorkload> {
  let request: BlockRequest
  let workload: W
  let plan: W.Plan
  let surroundings: Surroundings<W.Document>
  let starter: any ColdStarter
  /// Tells when they have taken long enough.
  let clock: any WallClock

  package init(
    request: BlockRequest, workload: W, plan: W.Plan, surroundings: Surroundings<W.Document>,
    starter: any ColdStarter, clock: any WallClock
  ) {
    self.request = request
    self.workload = workload
    self.plan = plan
    self.surroundings = surroundings
    self.starter = starter
    self.clock = clock
  }

  /// The fewest of a block, where it starts any: three that do the first work, so that it has a
  /// middle, and one that may do another.
  private static var fewest: Int { 4 }
  /// Nanoseconds after which no other is started, once there are enough: sixteen times as long as a
  /// block samples, four seconds unless told. Of a menu that takes a second to read, a block would else
  /// last half a minute; thirty fit, of the slowest of backends with a medium menu.
  private var longest: UInt64 { UInt64(max(0, request.sampling.seconds) * 16e9) }

  /// Starts them one after another, and gives what they measured.
  package func measure() throws -> [Series] {
    guard count > 0 else { return [] }
    guard surroundings.entry.survivesRestart else { return missing }
    var notes: [PhaseNote] = []
    let deadline = clock.now() + longest
    for number in 0..<count {
      if number >= Self.fewest, clock.now() >= deadline { break }
      notes += try start(number)
    }
    return notes.series(of: request.cell, workload.phases) { $0.isTime == (request.kind == .timed) }
      .filter { request.metrics?.contains($0.metric.id) ?? true }
  }

  /// None where two programs take turns, since one of them would start its own in the other's turn;
  /// and none to count: what fresh processes see is the memory that the system's malloc holds.
  private var count: Int {
    switch request.kind {
    case .timed: request.turns == nil ? workload.coldStarts : 0
    case .resident: workload.residentStarts
    case .counted, .instructions: 0
    }
  }

  private func start(_ number: Int) throws -> [PhaseNote] {
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
    let notes = try workload.notes(of: finding(in: reply), order, by: plan)
    return notes + [PhaseNote(.start, Double(reply.began) - Double(spawned))]
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

/// Starts a fresh process for a request, somewhere else or in a test's script.
package protocol ColdStarter: Sendable {
  /// Starts it, waits for its end, and gives what it said with the moment before it was spawned, on
  /// the system's steady clock. Blocks the calling thread, which must be none that tasks run on.
  ///
  /// - Parameters:
  ///   - limit: seconds that it may take.
  ///   - beat: called now and then meanwhile.
  /// - Throws: ``WorkloadFailure`` where it crashed, hung, failed or said something else.
  func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply)
}

/// Starts an executable that serves ``ColdProcess``, in the folder where this process works.
package struct SubprocessColdStarter: ColdStarter {
  private let executable: String
  private let arguments: [String]

  /// Will start this executable with these arguments and those of the request.
  package init(executable: String, arguments: [String]) {
    self.executable = executable
    self.arguments = arguments
  }

  /// Spawns the process; its environment is a worker's.
  package func start(
    _ request: ColdRequest, limit: Int, _ beat: () -> Void
  ) throws -> (spawned: UInt64, reply: ColdReply) {
    let launch = Launch(
      executable: .path(FilePath(executable)), arguments: arguments + request.arguments)
    return try Self.waiting(beat) {
      let transcript = Transcript(of: "a fresh process")
      let spawned = MonotonicClock().now()
      let end = try await withWatchdog(seconds: limit, idle: { .since(spawned) }) {
        try await launch.converse(Data(), into: transcript)
      }
      guard let end else {
        throw WorkloadFailure("a fresh process hung: no answer within \(limit) s, so it was ended")
      }
      return (spawned, try await transcript.reply(at: end))
    }
  }

  /// Runs an operation to its end while the calling thread waits for it.
  private static func waiting<Value: Sendable>(
    _ beat: () -> Void, _ operation: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let promise = Promise<Value>()
    Task {
      do {
        promise.set(.success(try await operation()))
      } catch {
        promise.set(.failure(error))
      }
    }
    while true {
      if let result = promise.get(within: 0.5) { return try result.get() }
      beat()
    }
  }
}

/// What comes of an operation, handed from its thread to the one that waits for it.
private final class Promise<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var result: Result<Value, any Error>?

  func set(_ result: Result<Value, any Error>) {
    condition.withLock {
      self.result = result
      condition.signal()
    }
  }

  /// The result; nil where there is none after so many seconds.
  func get(within seconds: Double) -> Result<Value, any Error>? {
    condition.withLock {
      if result == nil { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
      return result
    }
  }
}

extension Duration {
  /// How long ago a moment of the system's steady clock was.
  fileprivate static func since(_ moment: UInt64) -> Duration {
    .nanoseconds(Int64(MonotonicClock().now() - moment))
  }
}

extension Transcript {
  /// What a fresh process replied that ended so.
  fileprivate func reply(at end: TerminationStatus) throws -> ColdReply {
    if let reply, end.isSuccess { return reply }
    guard case .failed(_, let reason) = outcome(of: end, memoryLimit: nil) else {
      throw WorkloadFailure("a fresh process said something else than what it found")
    }
    throw WorkloadFailure(reason)
  }
}

/// The pages of files that the system keeps in memory, which make the next reading of them cheap.
///
/// Linux drops them where it is asked to (posix_fadvise(2), POSIX_FADV_DONTNEED), once they are on the
/// drive and nobody has them mapped; a file system in memory keeps them. The drive may have a cache of
/// its own. On Apple's systems there is no such call: a fresh process finds them there.
package enum CachedPages {
  /// Writes out every file of a folder, however deep, and drops its pages.
  ///
  /// - Throws: `StoreError` with the system's reason.
  package static func drop(in folder: String) throws {
    #if !canImport(Darwin)
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        try drop(file: "\(folder)/\(name)")
      }
    #endif
  }

  #if !canImport(Darwin)
    private static func drop(file path: String) throws {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw failure("open", path, errno) }
      defer { close(descriptor) }
      guard fsync(descriptor) == 0 else { throw failure("flush", path, errno) }
      let code = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard code == 0 else { throw failure("drop the cached pages of", path, code) }
    }

    private static func failure(
      _ operation: String, _ path: String, _ code: Int32
    ) -> StoreError {
      StoreError(operation: operation, path: path, reason: errnoMessage(code))
    }
  #endif
}

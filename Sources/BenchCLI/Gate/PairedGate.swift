import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// One gate between two programs under way.
struct PairedGate: Sendable {
  var plan: PairPlan
  var sides: Sides<GateSide>
  var records: Sides<RunRecord>
  /// Decides from all that was measured how many pairs each cell is to have next.
  var nextPairs: PairRunner.NextPairs
  var display: GateDisplay

  /// Measures to the end, or until the task is cancelled.
  ///
  /// - Throws: a ``CLIError`` where an executable changed meanwhile: its figures would be of two.
  func measure() async throws -> Sides<RunRecord> {
    let runner = PairRunner(
      plan, records: records, workers: sides.map { $0.worker as any Worker },
      clock: MonotonicClock(), nextPairs: nextPairs, observer: display)
    let measured = await runner.run()
    display.finish()
    for side in Pairing.Side.allCases { try sides[side].checkUnchanged() }
    return measured
  }
}

/// One of the two programs.
struct GateSide: Sendable {
  /// The program.
  let program: Program
  /// What starts it.
  let worker: SubprocessWorker
  private let link: String
  private let identity: FileIdentity?

  /// Prepares a program; it is started through a link of one letter, since the length of its path
  /// would move its stack and with it its times.
  init(_ side: Pairing.Side, _ program: Program, in storage: Storage) throws {
    self.program = program
    let link = storage.path + (side == .baseline ? "/b" : "/c")
    guard symlink(program.path, link) == 0 else {
      throw CLIError(
        "\(link) cannot be made: \(String(cString: strerror(errno)))", status: .failed)
    }
    let scratch = storage.path + (side == .baseline ? "/callgrind-b" : "/callgrind-c")
    worker = SubprocessWorker(executable: link, arguments: ["worker"], scratch: scratch)
    self.link = link
    identity = FileIdentity(link)
  }

  /// Asks the program what it is.
  ///
  /// - Throws: ``WorkerHelloError`` that names the program and not the link to it.
  func hello(_ documents: [String]) async throws -> WorkerHello {
    do {
      return try await worker.hello(documents: documents)
    } catch let error as WorkerHelloError {
      throw error.naming(program.file)
    }
  }

  /// Sees that the program is still the one that was measured first.
  func checkUnchanged() throws {
    guard FileIdentity(link) == identity else {
      throw CLIError(
        "\(program.file) changed while it was measured", help: "run the gate again", status: .failed
      )
    }
  }
}

extension WorkerHelloError {
  /// The same of an executable by another path.
  fileprivate func naming(_ executable: String) -> WorkerHelloError {
    switch self {
    case .notStarted(_, let reason): .notStarted(executable: executable, reason: reason)
    case .noWorker(_, let said): .noWorker(executable: executable, said: said)
    case .otherVersion(_, let found, let ours):
      .otherVersion(executable: executable, found: found, ours: ours)
    }
  }
}

/// What tells one content of a file from another without reading it.
private struct FileIdentity: Hashable, Sendable {
  var device: UInt64
  var node: UInt64
  var size: Int64
  var modified: Int64
  var fraction: Int64

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    node = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec)
    fraction = Int64(time.tv_nsec)
  }
}

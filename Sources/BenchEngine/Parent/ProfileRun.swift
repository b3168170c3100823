import Basics
import BenchProfiles
import BenchResults
import Foundation

/// Profiles the phases of one cell, in worker processes of its own: what they take is in no table.
package struct ProfileRun: Sendable {
  package var cell: PlannedCell
  package var what: Profile.What
  /// How many processes are profiled, one after the other.
  package var blocks: Int
  /// Samples of all of them together.
  package var samples: Int
  /// Seconds that profiling may take in all of them together, beyond starting them.
  package var seconds: Double
  package var worker: any Worker
  package var limits: Limits
  /// Where the executable can be read.
  package var executable: String

  /// What a worker may take.
  package struct Limits: Sendable {
    package var memoryLimit: Int?
    package var timeout: Int
    /// The folder in which stores are made and removed.
    package var storage: String

    package init(memoryLimit: Int?, timeout: Int, storage: String) {
      self.memoryLimit = memoryLimit
      self.timeout = timeout
      self.storage = storage
    }
  }

  package init(
    cell: PlannedCell, what: Profile.What, blocks: Int, samples: Int,
    seconds: Double, worker: any Worker, limits: Limits, executable: String
  ) {
    self.cell = cell
    self.what = what
    self.blocks = blocks
    self.samples = samples
    self.seconds = seconds
    self.worker = worker
    self.limits = limits
    self.executable = executable
  }

  /// Profiles the phases.
  ///
  /// - Parameter progress: told of every block before it begins.
  /// - Returns: a profile a phase, in the order in which they ran.
  /// - Throws: ``WorkloadFailure`` where a worker fails, with its stage and reason; `CancellationError`.
  package func profiles(progress: (_ block: Int) -> Void = { _ in }) async throws -> [Profile] {
    var raws: [RawProfile] = []
    for block in 0..<blocks {
      progress(block)
      raws += try await take(block)
    }
    return try raws.grouped { $0.phase }.map { phase, raws in
      what == .instructions
        ? try instructions(raws, phase)
        : Profile(raws, cell: cell.cell, phase: phase, readable: executable)
    }
  }

  private func instructions(_ raws: [RawProfile], _ phase: String) throws -> Profile {
    let dumps = raws.flatMap(\.dumps)
    defer { for dump in dumps { try? FileManager.default.removeItem(atPath: dump) } }
    let texts = try dumps.map { try String(contentsOfFile: $0, encoding: .utf8) }
    guard let file = CallgrindFile(texts), let first = raws.first else {
      throw WorkloadFailure("Callgrind wrote no counts of \(phase)")
    }
    var facts = Profile.Facts()
    for raw in raws { facts.add(raw.facts) }
    return file.profile(
      cell: cell.cell, phase: phase, executable: "worker", root: first.root, facts: facts)
  }

  private func take(_ number: Int) async throws -> [RawProfile] {
    let output = limits.storage + "/profile-\(number).json"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let request = BlockRequest(
      cell: cell.cell, documentName: cell.documentName, fingerprint: cell.fingerprint, folder: "",
      kind: .profiled, sampling: .short, floors: false,
      profile: ProfileOrder(
        what: what, output: output, samples: (samples + blocks - 1) / blocks,
        seconds: seconds / Double(blocks)),
      memoryLimit: limits.memoryLimit, timeout: limits.timeout)
    switch try await PreparedBlock(request: request, storage: limits.storage, worker: worker)
      .measure(slot: 0)
    {
    case .failed(let stage, let reason):
      throw WorkloadFailure((stage.map { "\($0): " } ?? "") + reason)
    case .measured:
      return try JSONDecoder().decode(
        [RawProfile].self, from: Data(contentsOf: URL(filePath: output)))
    }
  }
}

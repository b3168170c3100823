import Basics
import BenchEngine
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
  /// What is added to a phase on purpose.
  package var injection: Injection?
  /// The phase that is asked for, of which the samples are to be; nil for all together.
  package var phase: String?

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
    cell: PlannedCell, what: Profile.What, phase: String?, blocks: Int, samples: Int,
    seconds: Double, worker: any Worker, limits: Limits, executable: String,
    injection: Injection? = nil
  ) {
    self.cell = cell
    self.what = what
    self.phase = phase
    self.blocks = blocks
    self.samples = samples
    self.seconds = seconds
    self.worker = worker
    self.limits = limits
    self.executable = executable
    self.injection = injection
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
      raws += try await take()
    }
    return try profiles(of: raws)
  }

  /// A profile a phase, of what blocks took.
  fileprivate func profiles(of raws: [RawProfile]) throws -> [Profile] {
    try raws.grouped { $0.phase }.map { phase, raws in
      let profile =
        what == .instructions
        ? try instructions(raws, phase)
        : Profile(raws, cell: cell.cell, phase: phase, readable: executable)
      // Another revision's worker may say anything.
      if let defect = profile.defect {
        throw WorkloadFailure("what was taken of \(phase) contradicts itself: \(defect)")
      }
      return profile
    }
  }

  private func instructions(_ raws: [RawProfile], _ phase: String) throws -> Profile {
    let dumps = raws.flatMap(\.dumps)
    defer { for dump in dumps { try? FileManager.default.removeItem(atPath: dump) } }
    let texts = try dumps.map { String(decoding: try left(in: $0), as: UTF8.self) }
    guard let file = CallgrindFile(texts), let first = raws.first else {
      throw WorkloadFailure("Callgrind wrote no counts of \(phase)")
    }
    var facts = Profile.Facts()
    for raw in raws { facts.add(raw.facts) }
    return file.profile(
      cell: cell.cell, phase: phase, executable: "worker", root: first.root, facts: facts)
  }

  fileprivate func take() async throws -> [RawProfile] {
    // Two programs are profiled in turn, and Callgrind's files are read at the end. Of one length, since a
    // path's moves the stack of what is counted.
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    let output = limits.storage + "/profile-\(name).json"
    defer { try? FileManager.default.removeItem(atPath: output) }
    let request = BlockRequest(
      cell: cell.cell, documentName: cell.documentName, fingerprint: cell.fingerprint, folder: "",
      kind: .profiled, sampling: .short, floors: false, injection: injection,
      profile: ProfileOrder(
        what: what, output: output, samples: (samples + blocks - 1) / blocks,
        seconds: seconds / Double(blocks), phase: phase),
      memoryLimit: limits.memoryLimit, timeout: limits.timeout)
    switch try await PreparedBlock(request: request, storage: limits.storage, worker: worker)
      .measure(slot: 0)
    {
    case .failed(let stage, let reason):
      throw WorkloadFailure((stage.map { "\($0): " } ?? "") + reason)
    case .measured:
      let left = try left(in: output)
      if let fault = RunFile.fault(of: [UInt8](left)) {
        throw WorkloadFailure("\(output) holds no profile: \(fault)")
      }
      return try JSONDecoder().decode([RawProfile].self, from: left)
    }
  }

  private func left(in path: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw WorkloadFailure("\(path) cannot be read: \(systemReason(error))")
    }
  }
}

extension Sides<ProfileRun> {
  /// Profiles the phases of two programs, or of two storages, block by block in turn, so that what the
  /// machine does meanwhile falls on both.
  ///
  /// - Parameter progress: told of every pair of blocks before it begins.
  /// - Throws: ``WorkloadFailure`` where a worker fails, with its stage and reason; `CancellationError`.
  package func profiles(
    progress: (_ pair: Int) -> Void = { _ in }
  ) async throws -> Sides<[Profile]> {
    var raws = Sides<[RawProfile]>(baseline: [], candidate: [])
    for block in 0..<Swift.min(baseline.blocks, candidate.blocks) {
      progress(block)
      let order: [Pairing.Side] =
        block.isMultiple(of: 2) ? [.baseline, .candidate] : [.candidate, .baseline]
      for side in order { raws[side] += try await self[side].take() }
    }
    return Sides<[Profile]>(
      baseline: try baseline.profiles(of: raws.baseline),
      candidate: try candidate.profiles(of: raws.candidate))
  }
}

import Basics
import BenchEngine
import BenchProfiles
import BenchResults
import Foundation

/// Profiles the phases of one cell, in worker processes of its own: what they take is in no table.
package struct ProfileRun: Sendable {
  package var cell: PlannedCell
  /// What is profiled, with the samples and seconds of all blocks together, beyond starting them.
  package var order: ProfileOrder
  /// How many processes are profiled, one after the other.
  package var blocks: Int
  package var worker: any Worker
  package var limits: Limits
  /// Where the executable can be read.
  package var executable: String
  /// What is added to a phase on purpose.
  package var injection: Injection?

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
    cell: PlannedCell, order: ProfileOrder, blocks: Int, worker: any Worker, limits: Limits,
    executable: String, injection: Injection? = nil
  ) {
    self.cell = cell
    self.order = order
    self.blocks = blocks
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
    try await Self.profiles(of: [self], progress: progress)[0]
  }

  /// The same of two programs, or of two storages, block by block in turn, so that what the machine does
  /// meanwhile falls on both.
  package static func profiles(
    of runs: [ProfileRun], progress: (_ block: Int) -> Void = { _ in }
  ) async throws -> [[Profile]] {
    var raws = runs.map { _ in [RawProfile]() }
    for block in 0..<(runs.map(\.blocks).min() ?? 0) {
      progress(block)
      let order = block.isMultiple(of: 2) ? Array(runs.indices) : runs.indices.reversed()
      for index in order { raws[index] += try await runs[index].take() }
    }
    return try zip(runs, raws).map { try $0.profiles(of: $1) }
  }

  /// A profile a phase, of what blocks took.
  private func profiles(of raws: [RawProfile]) throws -> [Profile] {
    try raws.grouped { $0.phase }.map { phase, raws in
      let profile =
        order.what == .instructions
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
    guard let file = CallgrindFile(texts, executable: "worker") else {
      throw WorkloadFailure("Callgrind wrote no counts of \(phase)")
    }
    return file.profile(raws, cell: cell.cell, phase: phase)
  }

  private func take() async throws -> [RawProfile] {
    // Two programs are profiled in turn, and Callgrind's files are read at the end. Of one length, since a
    // path's moves the stack of what is counted.
    let name = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    let output = limits.storage + "/profile-\(name).json"
    defer { try? FileManager.default.removeItem(atPath: output) }
    var request = BlockRequest(cell, .profiled, timeout: limits.timeout)
    request.sampling = .short
    request.floors = false
    request.injection = injection
    var order = order
    order.output = output
    order.samples = (order.samples + blocks - 1) / blocks
    order.seconds /= Double(blocks)
    request.profile = order
    request.memoryLimit = limits.memoryLimit
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

import Basics
import BenchEngine
import BenchProfiles
import BenchResults
import Foundation

/// Profiles the phases of one cell in separate worker processes. Their times are in no table.
package struct ProfileRun: Sendable {
  package var cell: PlannedCell
  /// The profile to take. Samples and seconds are those of all blocks together, without starting them.
  package var order: ProfileOrder
  /// How many processes are profiled, one after another.
  package var blocks: Int
  package var worker: any Worker
  package var limits: Limits
  /// The path at which the executable can be read.
  package var executable: String
  /// Work to add to a phase, to test a gate.
  package var injection: Injection?

  /// The limits of a worker.
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
  /// - Parameter progress: called before each block.
  /// - Returns: one profile per phase, in the order in which the phases ran.
  /// - Throws: ``WorkloadFailure`` with the stage and reason if a worker fails; `CancellationError`.
  package func profiles(progress: (_ block: Int) -> Void = { _ in }) async throws -> [Profile] {
    try await Self.profiles(of: [self], progress: progress)[0]
  }

  /// Profiles two programs or two backends, alternating block by block, so that changes of the
  /// machine affect both.
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

  /// Merges the profiles of all blocks into one per phase.
  private func profiles(of raws: [RawProfile]) throws -> [Profile] {
    try raws.grouped { $0.phase }.map { phase, raws in
      let profile =
        order.what == .instructions
        ? try instructions(raws, phase)
        : Profile(raws, cell: cell.cell, phase: phase, readable: executable)
      // A worker of another revision may send anything.
      if let defect = profile.defect {
        throw WorkloadFailure("the profile of \(phase) contradicts itself: \(defect)")
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
    // Names are unique, because two programs alternate and Callgrind's files are read at the end.
    // They have equal lengths, because the length of a path moves the stack of the counted code.
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

import BackendKit
import Basics
import BenchResults
import Foundation

/// A request to a worker process: measure one block of one cell.
package struct BlockRequest: Hashable, Codable, Sendable {
  /// The version of the protocol between parent and worker that this program speaks.
  package static let currentVersion = 6

  package var version = Self.currentVersion
  package var cell: Cell
  /// The document's name in the suite's source.
  package var documentName: String
  /// The expected fingerprint of the document, as sixteen hexadecimal digits.
  package var fingerprint: String
  /// An existing, empty folder for the store.
  package var folder = ""
  package var kind: Kind
  /// The metrics to measure; nil means all.
  package var metrics: Set<String>?
  package var sampling = Sampling()
  /// Whether a timed block also measures floors. A gate compares two programs and does not need them.
  package var floors = true
  /// The size of the payload for the floors, or nil if the worker must find it.
  package var payloadBytes: Int?
  /// The partner for interleaved timing, or nil when the block runs alone.
  package var turns: Turns?
  /// Work to add to a phase, to test a gate, or nil for none.
  package var injection: Injection?
  /// The profile to take, or nil unless ``kind`` is `profiled`.
  package var profile: ProfileOrder?
  /// The most memory the worker may take, in bytes, or nil for no limit.
  package var memoryLimit: Int?
  /// Seconds of silence after which a worker counts as hung. A worker whose parent is gone then ends itself.
  package var timeout: Int

  /// Returns series without values for phases that could not be measured, with the reason.
  func missing(_ phases: [Phase], _ reason: String, of metric: Metric = .wall) -> [Series] {
    phases.map { Series(cell: cell, phase: $0.id, metric: metric, unsupported: reason) }
  }

  /// The kind of figures that a block measures. Costly probes have their own blocks, so they never disturb times.
  package enum Kind: String, Codable, Sendable {
    /// Wall and CPU time. If the block runs alone, also floors and the control.
    case timed
    /// Allocations, I/O and sizes; with jemalloc instead of the system's malloc if it is installed.
    case counted
    /// Page faults, resident memory, and instructions if the processor counts them.
    case resident
    /// Only instructions, under Callgrind, if the machine has no counter for them. The store is not
    /// reopened. Use it with ``Sampling/instructions``.
    case instructions
    /// Profiles of phases, written to a file. Nothing of this is in a table.
    case profiled
  }
}

extension BlockRequest {
  /// Requests everything that a kind of block measures.
  package init(_ planned: PlannedCell, _ kind: Kind, timeout: Int) {
    self.init(
      cell: planned.cell, documentName: planned.documentName, fingerprint: planned.fingerprint,
      kind: kind, timeout: timeout)
  }
}

package struct ProfileOrder: Hashable, Codable, Sendable {
  package var what: Profile.What
  /// The absolute path of the file for the block's profiles.
  package var output = ""
  /// The sampling period in nanoseconds.
  package var period: Int64 = 1_000_000
  /// Profiling ends when there are this many samples.
  package var samples: Int
  /// Profiling ends after this many seconds in any case.
  package var seconds: Double
  /// The requested phase, which must get ``samples`` samples. Nil counts the samples of all phases together.
  package var phase: String?
  /// Always false. Workers of earlier revisions with the same protocol version require this key.
  private var usesPerf = false

  package init(what: Profile.What, samples: Int, seconds: Double, phase: String?) {
    self.what = what
    self.samples = samples
    self.seconds = seconds
    self.phase = phase
  }
}

/// How many samples a block takes. The defaults suit a round trip.
package struct Sampling: Hashable, Codable, Sendable {
  /// Iterations before the store is reopened, and again afterwards if that is needed. At least one
  /// is done, because it checks results.
  package var warmUps = 1
  package var minimum = 3
  package var maximum = 200
  /// Seconds after which no new sample begins, if the minimum is reached.
  package var seconds = 0.25
  /// Samples of each counter. Compared runs must take equally many, because even exact counts may alternate.
  package var counted = 2

  /// Settings for Callgrind: one warm-up and one counted iteration. Another one would give the same
  /// count and take as long again.
  package static let instructions = Sampling(warmUps: 1, counted: 1)

  /// Settings for one program measured alone. More blocks reveal more about processes than longer
  /// blocks, but with fewer than four samples a block is mostly preparation.
  package static let short = Sampling(minimum: 4, seconds: 0.1)

  /// Settings for pairs of blocks. Most noise of a pair comes from its turns, so 7 to 16 of them are
  /// best: Kalibera and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013.
  package static let pairs = Sampling(minimum: 8, seconds: 0.5)
}

/// A message from a worker to its parent: one JSON object per line.
package enum WorkerMessage: Hashable, Codable, Sendable {
  /// The answer to a ``HelloRequest``.
  case hello(WorkerHello)
  /// The worker's next step. The parent therefore knows the stage even if the worker dies.
  case stage(String)
  /// The series of the block, each with one block of values.
  case result([Series])
  /// The answer to a ``ColdRequest``.
  case found(ColdReply)
  case failure(reason: String)
}

/// A worker's description of itself, from which the parent sees whether it can be measured and compared.
package struct WorkerHello: Hashable, Codable, Sendable {
  /// The newest protocol version that the worker understands.
  package var version: Int
  /// The program's name and version. The worker does not know its revision.
  package var tool: Tool
  /// The machine as the worker's build sees it, with its own compiler, allocator and build mode.
  package var machine: Machine
  /// The ids of the worker's backends.
  package var backends: [String]
  /// The names of the worker's workloads, without settings.
  package var workloads: [String]
  /// The fingerprints of the requested documents by name, without documents that it cannot make.
  package var documents: [String: String]
  /// The requested cells that make no sense to the worker, or nil if it does not report them.
  package var refused: [AskedCell]?
}

/// A cell in a question to another program. Both programs know the document by this name.
package struct AskedCell: Hashable, Codable, Sendable {
  package var backend: String
  package var workload: String
  /// The document's name in the program's source.
  package var document: String

  package init(_ planned: PlannedCell) {
    backend = planned.cell.backend
    workload = planned.cell.workload
    document = planned.documentName
  }
}

package struct HelloRequest: Hashable, Codable, Sendable {
  package var version = BlockRequest.currentVersion
  /// The names of the documents whose fingerprints the parent wants.
  package var hello: [String]
  /// The cells for which the parent wants to know whether they make sense, or nil if it does not ask.
  package var cells: [AskedCell]?

  package init(hello: [String], cells: [AskedCell] = []) {
    self.hello = hello
    self.cells = cells
  }
}

/// The reason why an executable cannot be measured.
package struct WorkerHelloError: UserFacingError, Hashable, CustomStringConvertible {
  package var executable: String
  /// The message after the executable's name, such as `is not a bench: …`.
  package let fault: String
  package let help: String?

  package init(
    _ executable: String, _ fault: String,
    help: String = "give the executable of a bench, or a git revision"
  ) {
    self.executable = executable
    self.fault = fault
    self.help = help
  }

  package var description: String { "\(executable) \(fault)" }
  package var kind: FailureKind { .unmeasured }
}

/// Describes an error to the user. Backends use paths relative to the store's folder, which are made
/// absolute here.
func failureReason(_ error: any Error) -> String {
  if let error = error as? DecodingError {
    return "the data read is not such a document: \(error.briefly)"
  }
  if let error = error as? EncodingError { return "it cannot be encoded: \(error.briefly)" }
  guard var error = error as? StoreError, error.path.hasPrefix("./") else {
    return systemReason(error)
  }
  error.path = FileManager.default.currentDirectoryPath + error.path.dropFirst()
  return String(describing: error)
}

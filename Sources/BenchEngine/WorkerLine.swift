import BackendKit
import Basics
import BenchResults
import Foundation

/// What a parent asks of a worker process: one block of one cell.
package struct BlockRequest: Hashable, Codable, Sendable {
  /// The version of the exchange between parent and worker that this program speaks.
  package static let currentVersion = 5

  package var version = Self.currentVersion
  package var cell: Cell
  /// The document's name as the suite's source understands it.
  package var documentName: String
  /// The fingerprint that the document must have, sixteen hexadecimal digits.
  package var fingerprint: String
  /// An existing, empty folder for the store.
  package var folder = ""
  package var kind: Kind
  /// The metrics to measure; nil means all.
  package var metrics: Set<String>?
  package var sampling = Sampling()
  /// Whether a timed block measures floors too: a gate, which compares two programs, needs none.
  package var floors = true
  /// With whom a timed block takes turns; nil for with nobody.
  package var turns: Turns?
  /// What to add to a phase on purpose, to try a gate; nil for nothing.
  package var injection: Injection?
  /// What to profile; nil unless the kind is that.
  package var profile: ProfileOrder?
  /// The most memory the worker may take, in bytes; nil for no limit.
  package var memoryLimit: Int?
  /// Seconds of silence after which a worker counts as hung, and ends itself if its parent is gone.
  package var timeout: Int

  /// What is unknown of phases, and why.
  func missing(_ phases: [Phase], _ reason: String, of metric: Metric = .wall) -> [Series] {
    phases.map { Series(cell: cell, phase: $0.id, metric: metric, unsupported: reason) }
  }

  /// What a block measures. Costly probes have blocks of their own, so that they never disturb times.
  package enum Kind: String, Codable, Sendable {
    /// Wall and CPU time, floors and the control.
    case timed
    /// Allocations, I/O and sizes, where there is one with jemalloc in the place of the system's malloc.
    case counted
    /// Page faults, resident memory, and instructions where the processor counts them.
    case resident
    /// Instructions alone, where the machine has no counters: under Callgrind. The store is not
    /// reopened; use ``Sampling/instructions``.
    case instructions
    /// Nothing that goes into a table: the stacks of phases, into a file.
    case profiled
  }
}

extension BlockRequest {
  /// Asks for all that a kind of block measures of a cell.
  package init(_ planned: PlannedCell, _ kind: Kind, timeout: Int) {
    self.init(
      cell: planned.cell, documentName: planned.documentName, fingerprint: planned.fingerprint,
      kind: kind, timeout: timeout)
  }
}

package struct ProfileOrder: Hashable, Codable, Sendable {
  /// What of its phases.
  package var what: Profile.What
  /// The file that the profiles of a block go to, by an absolute path.
  package var output = ""
  /// Nanoseconds from one sample to the next.
  package var period: Int64 = 1_000_000
  /// The phases run until there are so many samples,
  package var samples: Int
  /// or for so many seconds all in all.
  package var seconds: Double
  /// The phase that is asked for: it is of this one that there must be so many samples. Nil for all of
  /// them together.
  package var phase: String?
  /// Always false. Workers of earlier revisions, which speak this version, cannot do without it.
  private var usesPerf = false

  package init(what: Profile.What, samples: Int, seconds: Double, phase: String?) {
    self.what = what
    self.samples = samples
    self.seconds = seconds
    self.phase = phase
  }
}

/// How many samples a block takes; unless told what suits a round trip.
package struct Sampling: Hashable, Codable, Sendable {
  /// Iterations before the store is reopened, and again after it; at least one, which is the check.
  package var warmUps = 1
  package var minimum = 3
  package var maximum = 200
  /// Seconds after which no further sample is begun, once there are enough.
  package var seconds = 0.25
  /// Samples of each counter: as many wherever figures are compared, since what is exact may alternate.
  package var counted = 3

  /// One iteration to warm up and one that is counted: under Callgrind a second would give the same
  /// figure, and take as long again.
  package static let instructions = Sampling(warmUps: 1, counted: 1)

  /// What suits a program measured alone: more blocks say more of processes than longer ones, and six
  /// are to fit into ten seconds.
  package static let short = Sampling(minimum: 2, seconds: 0.1)

  /// What suits a block that takes turns: longer than others, since most of a pair's noise is that of
  /// single samples, and starting two processes takes half a second anyway.
  package static let pairs = Sampling(minimum: 5, seconds: 0.5)
}

/// What a worker tells its parent, one JSON object a line.
package enum WorkerMessage: Hashable, Codable, Sendable {
  /// What it is: the answer to a ``HelloRequest``.
  case hello(WorkerHello)
  /// What it is about to do: known even of a worker that dies doing it.
  case stage(String)
  /// The block's series, each with one block of values.
  case result([Series])
  /// What a fresh process found: the answer to a ``ColdRequest``.
  case found(ColdReply)
  case failure(reason: String)
}

/// What a worker says of itself before anything is measured: enough to know whether its figures can
/// be had and compared.
package struct WorkerHello: Hashable, Codable, Sendable {
  /// The newest version of the exchange that it understands.
  package var version: Int
  /// The program's name and version; its revision is not known to it.
  package var tool: Tool
  /// The machine as the worker's build sees it: its own compiler, allocator and build mode.
  package var machine: Machine
  /// Ids of the backends that it has.
  package var backends: [String]
  /// Names of the workloads that it has, without settings.
  package var workloads: [String]
  /// The fingerprints of the documents asked for, by name; what it cannot make is absent.
  package var documents: [String: String]
  /// Of the cells asked about, those that make no sense to it; nil of a worker that does not say.
  package var refused: [AskedCell]?
}

/// A cell as another program is asked about it: its menu by the name that both can load.
package struct AskedCell: Hashable, Codable, Sendable {
  package var backend: String
  package var workload: String
  /// The document's name as the program's source understands it.
  package var document: String

  package init(_ planned: PlannedCell) {
    backend = planned.cell.backend
    workload = planned.cell.workload
    document = planned.documentName
  }
}

package struct HelloRequest: Hashable, Codable, Sendable {
  package var version = BlockRequest.currentVersion
  /// The names of documents whose fingerprints it wants.
  package var hello: [String]
  /// Cells of which it wants to know whether they make sense; nil of a parent that does not ask.
  package var cells: [AskedCell]?

  package init(hello: [String], cells: [AskedCell] = []) {
    self.hello = hello
    self.cells = cells
  }
}

/// Why an executable cannot be measured from here.
package struct WorkerHelloError: UserFacingError, Hashable, CustomStringConvertible {
  package var executable: String
  /// The words behind its name that say so: `is no bench: …`.
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

/// What to tell of an error: backends work from within their folder, whoever reads of a failure does
/// not.
func failureReason(_ error: any Error) -> String {
  if let error = error as? DecodingError {
    return "what was read is no such document: \(error.briefly)"
  }
  if let error = error as? EncodingError { return "it cannot be encoded: \(error.briefly)" }
  guard var error = error as? StoreError, error.path.hasPrefix("./") else {
    return systemReason(error)
  }
  error.path = FileManager.default.currentDirectoryPath + error.path.dropFirst()
  return String(describing: error)
}

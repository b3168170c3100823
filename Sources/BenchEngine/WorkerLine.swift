import BackendKit
import Basics
import BenchResults
import Foundation

/// What a parent asks of a worker process: one block of one cell.
package struct BlockRequest: Hashable, Codable, Sendable {
  /// The version of the exchange between parent and worker that this program speaks.
  package static let currentVersion = 5

  package var version: Int
  package var cell: Cell
  /// The document's name as the suite's source understands it.
  package var documentName: String
  /// The fingerprint that the document must have, sixteen hexadecimal digits.
  package var fingerprint: String
  /// An existing, empty folder for the store.
  package var folder: String
  package var kind: Kind
  /// The metrics to measure; nil means all.
  package var metrics: Set<String>?
  package var sampling: Sampling
  /// Whether a timed block measures floors too: a gate, which compares two programs, needs none.
  package var floors: Bool
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

  package init(
    cell: Cell, documentName: String, fingerprint: String, folder: String, kind: Kind,
    metrics: Set<String>? = nil, sampling: Sampling, floors: Bool = true, turns: Turns? = nil,
    injection: Injection? = nil, profile: ProfileOrder? = nil, memoryLimit: Int?, timeout: Int
  ) {
    version = Self.currentVersion
    self.cell = cell
    self.documentName = documentName
    self.fingerprint = fingerprint
    self.folder = folder
    self.kind = kind
    self.metrics = metrics
    self.sampling = sampling
    self.floors = floors
    self.turns = turns
    self.injection = injection
    self.profile = profile
    self.memoryLimit = memoryLimit
    self.timeout = timeout
  }

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

package struct ProfileOrder: Hashable, Codable, Sendable {
  /// What of its phases.
  package var what: Profile.What
  /// The file that the profiles go to, by an absolute path.
  package var output: String
  /// Nanoseconds from one sample to the next.
  package var period: Int64
  /// The phases run until there are so many samples,
  package var samples: Int
  /// or for so many seconds all in all.
  package var seconds: Double
  /// The phase that is asked for: it is of this one that there must be so many samples. Nil for all of
  /// them together.
  package var phase: String?
  /// Always false. Workers of earlier revisions, which speak this version, cannot do without it.
  private var usesPerf = false

  package init(
    what: Profile.What, output: String, period: Int64 = 1_000_000,
    samples: Int, seconds: Double, phase: String? = nil
  ) {
    self.what = what
    self.output = output
    self.period = period
    self.samples = samples
    self.seconds = seconds
    self.phase = phase
  }
}

package struct Sampling: Hashable, Codable, Sendable {
  /// Iterations before the store is reopened, and again after it; at least one, which is the check.
  package var warmUps: Int
  package var minimum: Int
  package var maximum: Int
  /// Seconds after which no further sample is begun, once there are enough.
  package var seconds: Double
  /// Samples of each counter: as many wherever figures are compared, since what is exact may alternate.
  package var counted: Int

  /// Makes a rule; the defaults suit a round trip.
  package init(
    warmUps: Int = 1, minimum: Int = 3, maximum: Int = 200, seconds: Double = 0.25,
    counted: Int = 3
  ) {
    self.warmUps = warmUps
    self.minimum = minimum
    self.maximum = maximum
    self.seconds = seconds
    self.counted = counted
  }

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

package enum WorkerHelloError: Error, Hashable {
  /// No process of it could be started, for the system's reason.
  case notStarted(executable: String, reason: String)
  /// It was started and is no bench: what it said, or how it ended.
  case noWorker(executable: String, said: String)
  /// It is a bench of another time.
  case otherVersion(executable: String, found: Int, ours: Int)
}

extension WorkerHelloError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStarted(let executable, let reason): "\(executable) cannot be started: \(reason)"
    case .noWorker(let executable, let said): "\(executable) is no bench: \(said)"
    case .otherVersion(let executable, let found, let ours):
      "\(executable) speaks version \(found) of the worker protocol, this program version \(ours)"
    }
  }
}

extension WorkerHelloError: UserFacingError {
  package var help: String? {
    guard case .otherVersion(_, let found, let ours) = self else {
      return "give the executable of a bench, or a git revision"
    }
    return found < ours ? "compare with a newer revision of it" : "compare from the newer program"
  }

  package var kind: FailureKind { .unmeasured }
}

/// What to tell of an error: backends work from within their folder, whoever reads of a failure does
/// not.
func failureReason(_ error: any Error) -> String {
  if let error = error as? DecodingError {
    return "what was read is no such document: \(error.brieflyUnscanned)"
  }
  if let error = error as? EncodingError { return "it cannot be encoded: \(error.briefly)" }
  guard var error = error as? StoreError, error.path.hasPrefix("./") else {
    return systemReason(error)
  }
  error.path = FileManager.default.currentDirectoryPath + error.path.dropFirst()
  return String(describing: error)
}

import BenchProbes
import MenuModel
import PersistenceBackends

/// Work done on a store, in phases that are measured apart.
public protocol Workload<Document>: Sendable {
  /// What it stores.
  associatedtype Document: BenchDocument
  /// What is worked out from a document once, outside of what is timed: which parts to ask for, and
  /// what must come back.
  associatedtype Plan = Void
  /// The name used on the command line; with ``parameters`` that are not at their defaults it is the
  /// id in CSV and in `run.json`.
  var name: String { get }
  /// One line: what it does and what it tells.
  var summary: String { get }
  /// What can be set on the command line, as `patch:changes=100`.
  static var parameters: [WorkloadParameter<Self>] { get }
  /// The settings that `--workload all` runs, such as `changes=100`; an empty one is the defaults.
  static var variants: [String] { get }
  /// The phases, in order; ``PhaseRecorder/measure(_:_:)`` takes their indices.
  var phases: [Phase] { get }
  /// Whether the document is stored before the first iteration, and stays there: the work is then
  /// on a store that exists. Else every iteration is given another revision to store.
  var beginsStored: Bool { get }
  /// The fewest iterations that a timed block takes: one, where a single one takes long.
  var leastSamples: Int { get }
  /// The durability to measure at where the user names none.
  var ownDurability: Durability { get }
  /// Why it makes no sense on a backend; nil where it does.
  func refusal(of backend: BackendEntry<Document>) -> String?
  /// Works out the plan for a document.
  ///
  /// - Throws: ``WorkloadFailure`` where there is nothing in it to work on.
  func plan(for document: Document) throws -> Plan
  /// How a phase is done on a backend; nil where there is but one way.
  func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route? where B.Document == Document
  /// Does the work once, handing each phase to the site's recorder, and checks the outcome outside of
  /// what is measured.
  ///
  /// - Throws: ``WorkloadFailure`` when the outcome is wrong: the cell then has no figures.
  func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws where B.Document == Document
}

/// How carefully an outcome is checked.
public enum Care: Sendable {
  /// By its checksum.
  case usual
  /// Value by value too, to name the first difference.
  case thorough
}

extension Workload {
  /// There is nothing to set.
  public static var parameters: [WorkloadParameter<Self>] { [] }
  /// The defaults alone.
  public static var variants: [String] { [""] }
  /// Every iteration stores anew.
  public var beginsStored: Bool { false }
  /// Three, so that a block has a middle.
  public var leastSamples: Int { 3 }
  /// A crash of the process leaves the old or the new.
  public var ownDurability: Durability { .atomic }
  /// It makes sense on every one.
  public func refusal(of backend: BackendEntry<Document>) -> String? { nil }
  /// There is but one way.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Document { nil }
}

extension Workload {
  /// Why it makes no sense with a document: what it lacks for a plan. Nil where it does.
  public func refusal(of document: Document) -> String? {
    do {
      _ = try plan(for: document)
      return nil
    } catch {
      return failureReason(error)
    }
  }
}

extension Workload where Plan == Void {
  /// There is nothing to work out.
  public func plan(for document: Document) throws {}
}

/// A part of a workload that has figures of its own.
public struct Phase: Hashable, Sendable {
  /// The id used in CSV and in `run.json`.
  public var id: String
  /// What bounds it from below; nil where nothing is known to.
  public var floor: Floor?

  /// Makes a phase.
  public init(_ id: String, floor: Floor? = nil) {
    self.id = id
    self.floor = floor
  }

  /// The work that a phase cannot do without.
  public enum Floor: String, Sendable, CaseIterable {
    /// Copying the payload in memory.
    case copy
    /// Writing the payload to a file with the same flushes.
    case write
    /// Reading the payload's bytes from the page cache.
    case read
    /// Reading as many bytes from the page cache as the phase takes out of its mapped file.
    case part
    /// Mapping as many bytes and looking at each: shown beside ``part``, never a phase's own floor.
    case mappedPart = "mapped-part"

    /// The phase under which the floor's own figures stand.
    public var phase: String { "floor-\(rawValue)" }
  }
}

/// An outcome that is not what the workload asked for.
public struct WorkloadFailure: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public var description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}

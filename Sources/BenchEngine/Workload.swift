import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// Work on a store, in phases that are measured separately.
public protocol Workload<Document>: Sendable {
  associatedtype Document: BenchDocument
  /// Data that is computed once per document and not timed, such as which parts to request and the
  /// expected results.
  associatedtype Plan = Void
  /// The name on the command line. With the ``parameters`` that differ from their defaults, it is
  /// the id in CSV and in `run.json`.
  var name: String { get }
  /// One line that says what the workload does and what it shows.
  var summary: String { get }
  /// The settings on the command line, as in `patch:changes=100`.
  static var parameters: [WorkloadParameter<Self>] { get }
  /// The variants that `--workload all` runs, as settings such as `changes=100`, or empty for the defaults.
  static var variants: [String] { get }
  /// All phases that the workload measures or notes, in report order.
  var phases: [Phase] { get }
  /// Whether the document is stored before the first iteration, so that the work is done on an
  /// existing store. Otherwise every iteration gets another revision to store.
  var beginsStored: Bool { get }
  /// The fewest iterations in a timed block, for example one if an iteration takes long.
  var leastSamples: Int { get }
  /// The number of iterations after which the work repeats. Blocks end with a whole cycle, and
  /// a count is the mean of one cycle. The two revisions that are stored alternately differ in
  /// size, so a count must not depend on where the block stopped.
  var cycleLength: Int { get }
  /// The cycle on a backend, if it depends on how the backend does the work.
  func cycleLength(on backend: some Backend<Document>) -> Int
  /// Whether several threads work at once. A gate then lets them use every processor. Otherwise it
  /// pins both programs to one.
  var runsThreads: Bool { get }
  /// The durability at which the workload is measured by default.
  var ownDurability: Durability { get }
  /// The ids of other backends that the workload needs, as they were typed.
  var otherBackends: [String] { get }
  /// Returns why the workload makes no sense on a backend, or nil if it does.
  func refusal(of backend: BackendEntry<Document>) -> String?
  /// Whether a phase is counted on a backend. It is not if the backend lacks the feature of the phase.
  func measures(_ phase: Phase, on backend: some Backend<Document>) -> Bool
  /// Makes the plan for a document.
  ///
  /// - Throws: ``WorkloadFailure`` if the document holds nothing to work on.
  func plan(for document: Document) throws -> Plan
  /// Returns how a phase is done on a backend, or nil if there is only one way.
  func route(of phase: Phase, on backend: some Backend<Document>) -> Route?
  /// Does the work once. Measures each phase with ``WorkSite/measure(_:_:)`` and checks the results
  /// outside of the measured parts.
  ///
  /// - Throws: ``WorkloadFailure`` if a result is wrong. The cell then has no figures.
  func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws
}

extension Workload {
  /// No settings.
  public static var parameters: [WorkloadParameter<Self>] { [] }
  /// Only the defaults.
  public static var variants: [String] { [""] }
  /// Every iteration stores another revision.
  public var beginsStored: Bool { false }
  /// Eight, as many as a gate asks for.
  public var leastSamples: Int { 8 }
  /// Two for the alternating revisions, or one on an existing store.
  public var cycleLength: Int { beginsStored ? 1 : 2 }
  /// The same on every backend.
  public func cycleLength(on backend: some Backend<Document>) -> Int { cycleLength }
  /// Every phase on every backend, except those that are only timed.
  public func measures(_ phase: Phase, on backend: some Backend<Document>) -> Bool {
    phase.isCounted
  }
  /// One thread does all the work.
  public var runsThreads: Bool { false }
  /// After a crash the store holds either the whole old or the whole new document.
  public var ownDurability: Durability { .atomic }
  /// No other backends.
  public var otherBackends: [String] { [] }
  /// Nil: the workload makes sense on every backend.
  public func refusal(of backend: BackendEntry<Document>) -> String? { nil }
  /// Nil: there is only one way.
  public func route(of phase: Phase, on backend: some Backend<Document>) -> Route? { nil }

  /// Returns why the workload makes no sense with a document, or nil if it does.
  package func refusal(of document: Document) -> String? {
    do {
      _ = try plan(for: document)
      return nil
    } catch {
      return failureReason(error)
    }
  }

  /// The description of this workload in a record.
  package var info: WorkloadInfo {
    WorkloadInfo(
      id: id,
      costs: phases.compactMap(\.cost).distinct.map { name in
        let own = phases.filter { $0.cost == name }
        return WorkloadInfo.Cost(
          name: name, phases: own.map(\.id), ofSome: own.filter(\.isOfSome).map(\.id))
      }, phases: phases.map(\.id)
    ).with(\.saves, phases.filter(\.saves).map(\.id))
  }
}

extension Workload where Plan == Void {
  /// No plan.
  public func plan(for document: Document) throws {}
}

/// A value that can be released within a phase, so that the phase includes the cost of freeing it.
///
/// The optimiser frees a local variable after its last use, which may lie outside of every phase or
/// in the wrong one.
public final class Releasable<Value> {
  private var held: Value?

  /// Holds a value.
  public init(_ value: Value) { held = value }

  /// The value; traps if it was taken or freed.
  public var value: Value {
    guard let held else { preconditionFailure("the value was spent") }
    return held
  }

  /// Hands over the value, so that the caller frees it after use. Traps if it was taken or freed.
  public func take() -> Value {
    defer { held = nil }
    return value
  }

  /// Frees the value, unless it has another owner.
  public func free() { held = nil }
}

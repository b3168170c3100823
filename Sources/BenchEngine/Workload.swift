import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// Work done on a store, in phases that are measured apart.
public protocol Workload<Document>: Sendable {
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
  /// Every phase that it measures or notes something of, in the order of reports.
  var phases: [Phase] { get }
  /// Whether the document is stored before the first iteration, and stays there: the work is then
  /// on a store that exists. Else every iteration is given another revision to store.
  var beginsStored: Bool { get }
  /// The fewest iterations that a timed block takes: one, where a single one takes long.
  var leastSamples: Int { get }
  /// After how many iterations the work is the same again. Blocks end with a whole revolution, and what
  /// is counted is the mean of one: two revisions that are stored in turn are not equally large, and a
  /// count must not depend on where it stopped.
  var revolution: Int { get }
  /// The same on a backend, where it depends on how the work is done there.
  func revolution(on backend: some Backend<Document>) -> Int
  /// Whether it has threads of its own at work at once. A gate then lets them have every processor,
  /// where it else pins both programs to one.
  var runsThreads: Bool { get }
  /// The durability to measure at where the user names none.
  var ownDurability: Durability { get }
  /// The ids of backends that it needs beside the one measured, as they were typed.
  var otherBackends: [String] { get }
  /// Why it makes no sense on a backend; nil where it does.
  func refusal(of backend: BackendEntry<Document>) -> String?
  /// Whether a phase is counted on a backend: not where it is about what only some can do.
  func measures(_ phase: Phase, on backend: some Backend<Document>) -> Bool
  /// Works out the plan for a document.
  ///
  /// - Throws: ``WorkloadFailure`` where there is nothing in it to work on.
  func plan(for document: Document) throws -> Plan
  /// How a phase is done on a backend; nil where there is but one way.
  func route(of phase: Phase, on backend: some Backend<Document>) -> Route?
  /// Does the work once, measuring each phase by ``WorkSite/measure(_:_:)``, and checks the outcome
  /// outside of what is measured.
  ///
  /// - Throws: ``WorkloadFailure`` when the outcome is wrong: the cell then has no figures.
  func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws
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
  /// Two, where two revisions are stored in turn.
  public var revolution: Int { beginsStored ? 1 : 2 }
  /// The same on all.
  public func revolution(on backend: some Backend<Document>) -> Int { revolution }
  /// All on all, but those that are only timed.
  public func measures(_ phase: Phase, on backend: some Backend<Document>) -> Bool {
    phase.isCounted
  }
  /// One thread does all.
  public var runsThreads: Bool { false }
  /// After a crash the store holds the old or the new document, whole.
  public var ownDurability: Durability { .atomic }
  /// The one measured is all that it needs.
  public var otherBackends: [String] { [] }
  /// It makes sense on every one.
  public func refusal(of backend: BackendEntry<Document>) -> String? { nil }
  /// There is but one way.
  public func route(of phase: Phase, on backend: some Backend<Document>) -> Route? { nil }

  /// Why it makes no sense with a document: what it lacks for a plan. Nil where it does.
  package func refusal(of document: Document) -> String? {
    do {
      _ = try plan(for: document)
      return nil
    } catch {
      return failureReason(error)
    }
  }

  /// What a record says of it.
  package var info: WorkloadInfo {
    WorkloadInfo(
      id: id,
      costs: phases.compactMap(\.cost).distinct.map { name in
        let own = phases.filter { $0.cost == name }
        return WorkloadInfo.Cost(
          name: name, phases: own.map(\.id), ofSome: own.filter(\.isOfSome).map(\.id))
      }, phases: phases.map(\.id))
  }
}

extension Workload where Plan == Void {
  /// There is nothing to work out.
  public func plan(for document: Document) throws {}
}

/// A value that is given up within a phase, so that the phase pays for freeing it.
///
/// A variable of a workload's own is freed when the optimiser finds its last use, in no phase or in one
/// that did not cause it.
public final class Spendable<Value> {
  private var held: Value?

  /// Holds a value.
  public init(_ value: Value) { held = value }

  /// The value, still held; traps once it was taken or freed.
  public var value: Value {
    guard let held else { preconditionFailure("the value was spent") }
    return held
  }

  /// Gives the value to who frees it after its use; traps once it was taken or freed.
  public func take() -> Value {
    defer { held = nil }
    return value
  }

  /// Frees the value, unless somebody else holds it too.
  public func free() { held = nil }
}

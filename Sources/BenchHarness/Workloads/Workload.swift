import BenchProbes
import MenuModel
import PersistenceBackends

/// Work done on a store, in phases that are measured apart.
public protocol Workload<Document>: Sendable {
  /// What it stores.
  associatedtype Document: BenchDocument
  /// The id used on the command line, in CSV and in `run.json`.
  var id: String { get }
  /// One line: what it does and what it tells.
  var summary: String { get }
  /// The phases, in order; ``PhaseRecorder/measure(_:_:)`` takes their indices.
  var phases: [Phase] { get }
  /// Does the work once, handing each phase to the recorder, and checks the outcome outside of it.
  ///
  /// - Parameter thoroughly: whether to compare value by value too, to name the first difference.
  /// - Throws: ``WorkloadFailure`` when the outcome is wrong: the cell then has no figures.
  func iterate<B: Backend, Clock: WallClock>(
    _ backend: B, on fixture: Fixture<Document>, thoroughly: Bool,
    recording recorder: PhaseRecorder<Clock>
  ) throws where B.Document == Document
}

/// A part of a workload that has figures of its own.
public struct Phase: Hashable, Sendable {
  /// The id used in CSV and in `run.json`.
  public var id: String
  /// What bounds it from below.
  public var floor: Floor

  /// Makes a phase.
  public init(_ id: String, floor: Floor) {
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

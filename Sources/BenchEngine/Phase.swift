import Basics
import BenchResults

/// A part of a workload that is measured separately.
public struct Phase: Hashable, Sendable {
  /// The id used in CSV and in `run.json`.
  public var id: String
  /// The lower bound of the phase, or nil if none is known.
  public var floor: Floor?
  /// The cost that this phase contributes to when backends are compared, or nil if it does not count.
  public var cost: String?
  /// Whether the phase saves, so that its time includes a flush if the backend flushes each save.
  public var saves: Bool
  /// Whether the phase reads a part of the stored document. The pages that it touches are counted.
  public var isPart: Bool
  /// Whether only some backends have this phase. The cost of the others is complete without it.
  public var isOfSome: Bool
  /// Whether counters are measured too, not only times.
  public var isCounted: Bool

  /// Makes a phase. Backends are chosen by the phases of a workload that decide, or by all of its phases if
  /// none does. The cost has the phase's id by default. Several phases can add up to one cost. A phase with
  /// the floor ``Floor/write`` saves.
  public init(
    _ id: String, floor: Floor? = nil, decides: Bool = false, as cost: String? = nil,
    saves: Bool = false, isPart: Bool = false, ofSome isOfSome: Bool = false, isCounted: Bool = true
  ) {
    self.id = id
    self.floor = floor
    self.cost = decides ? cost ?? id : nil
    self.saves = saves || floor == .write
    self.isPart = isPart
    self.isOfSome = isOfSome
    self.isCounted = isCounted
  }

  /// The minimum work that a phase includes.
  public enum Floor: String, Sendable, CaseIterable {
    /// Copying the payload in memory.
    case copy
    /// Writing the payload to a file with the same flushes.
    case write
    /// Reading the payload's bytes from the page cache.
    case read

    /// The phase that the floor's own figures are stored under.
    package var phase: String { "floor-\(rawValue)" }
  }
}

/// A failure of a workload, such as a result that differs from what was stored.
public struct WorkloadFailure: Error, Hashable, CustomStringConvertible {
  /// A description of the problem.
  public var description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}

extension WorkloadFailure: UserFacingError {}

/// A value that a workload measured itself, without instruments.
package struct PhaseNote: Hashable, Sendable {
  package let phase: Phase
  package let value: Double
  package let metric: Metric

  /// Makes a note. By default the value is a time.
  package init(_ phase: Phase, _ value: Double, _ metric: Metric = .wall) {
    self.phase = phase
    self.value = value
    self.metric = metric
  }
}

extension [PhaseNote] {
  /// Returns the values as series of one block each, sorted by phase, then by metric id.
  package func series(
    of cell: Cell, _ phases: [Phase], where isWanted: (Metric) -> Bool
  ) -> [Series] {
    phases.flatMap { phase in
      let own = filter { $0.phase == phase && isWanted($0.metric) }
      return Dictionary(grouping: own, by: \.metric).sorted { $0.key.id < $1.key.id }.map {
        Series(cell: cell, phase: phase.id, metric: $0.key, blocks: [$0.value.map(\.value)])
      }
    }
  }
}

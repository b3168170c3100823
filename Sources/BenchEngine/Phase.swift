import Basics
import BenchResults

/// A part of a workload that has figures of its own.
public struct Phase: Hashable, Sendable {
  /// The id used in CSV and in `run.json`.
  public var id: String
  /// What bounds it from below; nil where nothing is known to.
  public var floor: Floor?
  /// The cost by which backends are chosen that it is, or is added to; nil of a phase that decides
  /// nothing.
  public var cost: String?
  /// Whether it reads a part of what is stored: how many pages it looks at for that is then counted.
  public var isPart: Bool
  /// Whether only some backends have it: the cost of others is whole without it.
  public var isOfSome: Bool
  /// Whether what it costs is counted, where it does more than take time once in a while.
  public var isCounted: Bool

  /// Makes a phase. Backends are chosen by the phases that decide, or by all of a workload's where
  /// none does; the cost is called by the phase's id unless it is one that several add up to.
  public init(
    _ id: String, floor: Floor? = nil, decides: Bool = false, as cost: String? = nil,
    isPart: Bool = false, ofSome isOfSome: Bool = false, isCounted: Bool = true
  ) {
    self.id = id
    self.floor = floor
    self.cost = decides ? cost ?? id : nil
    self.isPart = isPart
    self.isOfSome = isOfSome
    self.isCounted = isCounted
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
    package var phase: String { "floor-\(rawValue)" }
  }
}

/// An outcome that is not what the workload asked for.
public struct WorkloadFailure: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  public var description: String

  /// Makes a failure.
  public init(_ description: String) { self.description = description }
}

extension WorkloadFailure: UserFacingError {}

/// A value that a workload found by itself.
package struct PhaseNote: Hashable, Sendable {
  package let phase: Phase
  package let value: Double
  package let metric: Metric

  /// Makes a note; of a time unless told otherwise.
  package init(_ phase: Phase, _ value: Double, _ metric: Metric = .wall) {
    self.phase = phase
    self.value = value
    self.metric = metric
  }
}

extension [PhaseNote] {
  /// The values as series of one block each, in the order of the phases and of the metrics' ids.
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

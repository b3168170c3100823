import BenchResults

/// What a phase's floor says of it: how many times as long the phase takes, and whether it takes less
/// than the least possible, which is an error of the measurement. A phase below its floor leaves
/// something that it causes to be paid elsewhere, or its floor does more than it must. Such a figure
/// gets no verdict and no run with one passes, until the backend says in words why it may be so.
package struct FloorBound: Equatable, Sendable {
  /// The part of its floor below which no phase may lie: less apart, the two are the same for all
  /// that floors of other bytes and another place on the drive are worth.
  package static let least = 0.9
  /// How far a floor's median may be off, relative to itself, so that anything is divided by it.
  package static let widest = 0.25

  /// The floor's phase, such as `floor-write`.
  package let phase: String
  /// What the floor's values come to.
  package let summary: Summary
  /// The phase's median over the floor's; nil where the floor is 0, mostly the clock's own cost, or
  /// too uncertain to divide by.
  package let multiple: Double?
  /// Whether the phase's whole interval lies below ``least`` of all of the floor's. Without both
  /// intervals nobody can tell.
  package let isBelow: Bool
  /// Why the phase may be below its floor, in the backend's words; nil where it says nothing.
  package let explanation: String?
  /// Whether the floor is known too badly to divide by.
  package let isUncertain: Bool

  /// Whether the phase's figure cannot be true.
  package var isError: Bool { isBelow && explanation == nil }

  /// What the floors of a run say of its phases; nothing of what has no floor, and where either has no
  /// figure.
  static func all(_ record: RunRecord) -> [Series.Key: FloorBound] {
    let cells = record.cells.byKey
    return cells.compactMapValues { series in
      let floor = series.floor.flatMap {
        cells[Series.Key(cell: series.cell, phase: $0, metric: Metric.wall.id)]
      }
      return FloorBound(
        of: series, floor: floor,
        explanation: record.backend(series.cell.backend)?.belowFloor?[series.phase],
        machine: record.machine(of: series.cell))
    }
  }

  private init?(of series: Series, floor: Series?, explanation: String?, machine: Machine) {
    guard series.metric.id == Metric.wall.id, let floor, let bound = Summary(floor),
      let summary = Summary(series)
    else { return nil }
    let isTiny = machine.isTiny(bound.p50, floor)
    isUncertain = (bound.relativeWidth ?? 0) > Self.widest
    let divides = bound.p50 > 0 && !isTiny && !isUncertain
    phase = floor.phase
    self.summary = bound
    self.explanation = explanation
    multiple = divides ? summary.p50 / bound.p50 : nil
    isBelow =
      if let own = summary.interval, let least = bound.interval, !isTiny {
        own.high < Self.least * least.low
      } else {
        false
      }
  }
}

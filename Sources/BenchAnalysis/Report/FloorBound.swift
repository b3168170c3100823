import BenchResults

/// How a phase compares with its floor: the ratio, and whether it is less than the least possible.
///
/// A time below the floor is an error: the phase's work is paid elsewhere, or its floor does too
/// much. It gets no verdict, and no run with one passes, until the backend explains it in words.
package struct FloorBound: Equatable, Sendable {
  /// The smallest ratio of a phase to its floor that can be true. Floors write other bytes in
  /// another place on the drive, so smaller differences mean nothing.
  package static let least = 0.9
  /// The largest half-width of a floor's interval, relative to its median, that allows a division by it.
  package static let widest = 0.25

  /// The floor's phase, such as `floor-write`.
  package let phase: String
  /// The summary of the floor's values.
  package let summary: Summary
  /// The phase's median over the floor's. Nil if the floor is 0, mostly the clock's own cost, or
  /// too uncertain to divide by.
  package let multiple: Double?
  /// Whether the phase's whole interval is below ``least`` times the floor's interval. False
  /// without both intervals.
  package let isBelow: Bool
  /// The backend's reason why the phase may be below its floor, or nil if it gives none.
  package let explanation: String?
  /// Whether the floor is too uncertain to divide by.
  package let isUncertain: Bool

  /// Whether the phase's figure cannot be true.
  package var isError: Bool { isBelow && explanation == nil }

  /// Returns the bounds of a run's phases by key. Phases without a floor, or without a figure on
  /// either side, have none.
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
    let isUnresolved = machine.isUnresolved(bound.p50, floor)
    isUncertain = (bound.relativeWidth ?? 0) > Self.widest
    let divides = bound.p50 > 0 && !isUnresolved && !isUncertain
    (phase, self.summary, self.explanation) = (floor.phase, bound, explanation)
    multiple = divides ? summary.p50 / bound.p50 : nil
    isBelow =
      !isUnresolved
      && summary.interval?.high ?? .infinity < Self.least * (bound.interval?.low ?? 0)
  }
}

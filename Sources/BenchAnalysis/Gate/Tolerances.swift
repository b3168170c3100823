import BenchResults
import Foundation

/// How far a metric may move before it counts as changed: a share of the baseline's value or an
/// amount in the metric's unit, whichever is larger. A negative number or NaN tolerates nothing.
package struct Tolerance: Equatable, Sendable {
  var part = 0.0
  var amount = 0.0

  /// Tolerates a share of the baseline's value: 0.001 for 0.1 %.
  package static func relative(_ part: Double) -> Tolerance { Tolerance(part: part) }
  package static func absolute(_ amount: Double) -> Tolerance { Tolerance(amount: amount) }

  /// Returns how far an exact value may be from the baseline's, in the metric's unit; at least 0.
  ///
  /// The factor covers rounding, so that a change of exactly the tolerance is always within it.
  func allowance(from baseline: Double) -> Double {
    max(Self.proper(part) * abs(baseline), Self.proper(amount)) * (1 + 1e-12)
  }

  /// Returns the tolerance as a log ratio, for times. An amount needs a baseline above 0.
  func logFloor(from baseline: Double) -> Double {
    log1p(max(Self.proper(part), baseline > 0 ? Self.proper(amount) / baseline : 0))
  }

  private static func proper(_ value: Double) -> Double { value > 0 ? value : 0 }
}

/// Selects the rows that a tolerance or a limit applies to; nil matches everything.
package struct RowSelector: Equatable, Sendable {
  package var backend: String?
  package var menu: String?
  package var workload: String?
  package var durability: String?
  package var phase: String?
  package var metric: String
}

extension RowSelector: CustomStringConvertible {
  /// The selector as it can be typed.
  package var description: String {
    [backend, menu, workload, durability, phase, metric].map { $0 ?? "*" }.joined(separator: "/")
  }

  package init(metric: String) { self.init(backend: nil, metric: metric) }

  package func matches(_ key: Series.Key) -> Bool {
    let wanted = [backend, menu, workload, durability, phase]
    let found = [
      key.cell.backend, key.cell.menu, key.cell.workload, key.cell.durability, key.phase,
    ]
    return metric == key.metric && zip(wanted, found).allSatisfy { $0 == nil || $0 == $1 }
  }
}

/// The tolerances of a comparison. If several match a row, the last one applies.
package struct Tolerances: Equatable, Sendable {
  package struct Rule: Equatable, Sendable {
    package var rows: RowSelector
    package var tolerance: Tolerance

    package init(_ rows: RowSelector, _ tolerance: Tolerance) {
      (self.rows, self.tolerance) = (rows, tolerance)
    }
  }

  package var rules: [Rule]

  package init(_ rules: [Rule] = []) { self.rules = Self.strict + rules }

  /// The default tolerances; exact metrics without one must be equal. Instructions under Callgrind
  /// differ by 0.01 % between builds whose difference lies elsewhere. Another memory layout moves
  /// them by some dozens, a per cent of a phase that hardly does anything. Resident memory and
  /// faults depend on the free memory of the system's malloc and on what the kernel maps around a
  /// fault. Opening a database allocates its absolute path several times. The path's length changes
  /// the bytes but not the number of allocations.
  private static let strict =
    [
      Rule(RowSelector(metric: Metric.instructions.id), Tolerance(part: 0.001, amount: 1_000)),
      Rule(RowSelector(metric: Metric.peakRSSBytes.id), Tolerance(part: 0.1, amount: 2e6)),
      Rule(RowSelector(metric: Metric.pageFaults.id), Tolerance(part: 0.1, amount: 100)),
    ]
    + [Metric.allocatedBytes, .peakHeapBytes].map {
      Rule(RowSelector(phase: "open", metric: $0.id), Tolerance(part: 0.02, amount: 2_000))
    }

  /// Returns the tolerance of a row, or nil if none was set. CPU time and means are views of wall time: without a
  /// tolerance of their own, they have that of wall time.
  package func of(_ key: Series.Key) -> Tolerance? {
    let isView = [Metric.cpu, .meanWall].map(\.id).contains(key.metric)
    let keys = isView ? [key, key.of(metric: Metric.wall.id)] : [key]
    return keys.lazy.compactMap { key in rules.last { $0.rows.matches(key) }?.tolerance }.first
  }
}

/// The most that figures may be, without a baseline. If several match a row, the last one applies.
package struct Limits: Equatable, Sendable {
  package struct Rule: Equatable, Sendable {
    package var rows: RowSelector
    /// The largest allowed figure, in the metric's unit.
    package var most: Double
    /// Whether a run without any figure to check does not pass.
    package var isRequired: Bool

    package init(_ rows: RowSelector, most: Double, isRequired: Bool = false) {
      (self.rows, self.most, self.isRequired) = (rows, most, isRequired)
    }
  }

  package var rules: [Rule]

  package init(_ rules: [Rule] = []) { self.rules = rules }

  /// Returns the limit of a row, or nil if none was set.
  package func of(_ key: Series.Key) -> Double? { rules.last { $0.rows.matches(key) }?.most }
}

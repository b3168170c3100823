import BenchResults
import Foundation

/// How far a metric may move before it counts as changed: by a part of the baseline's value or by so much in the
/// metric's unit, whichever is more. A number below 0, and what is none, tolerates nothing.
package struct Tolerance: Equatable, Sendable {
  var part = 0.0
  var amount = 0.0

  /// A part of the baseline's value: 0.001 for 0.1 %.
  package static func relative(_ part: Double) -> Tolerance { Tolerance(part: part) }
  package static func absolute(_ amount: Double) -> Tolerance { Tolerance(amount: amount) }

  /// How far an exact value may be from the baseline's, in the metric's unit: never less than 0.
  ///
  /// A trillionth more than said, so that a change of just the tolerance is within it however the
  /// product was rounded.
  func allowance(from baseline: Double) -> Double {
    max(Self.proper(part) * abs(baseline), Self.proper(amount)) * (1 + 1e-12)
  }

  /// The same as a log ratio, by which times are judged; an amount counts only from above 0.
  func logFloor(from baseline: Double) -> Double {
    log1p(max(Self.proper(part), baseline > 0 ? Self.proper(amount) / baseline : 0))
  }

  private static func proper(_ value: Double) -> Double { value > 0 ? value : 0 }
}

/// Which rows a tolerance is for; what is nil matches everything.
package struct RowSelector: Equatable, Sendable {
  package var backend: String?
  package var menu: String?
  package var workload: String?
  package var durability: String?
  package var phase: String?
  package var metric: String
}

extension RowSelector {
  package init(metric: String) { self.init(backend: nil, metric: metric) }

  package func matches(_ key: Series.Key) -> Bool {
    let wanted = [backend, menu, workload, durability, phase]
    let found = [
      key.cell.backend, key.cell.menu, key.cell.workload, key.cell.durability, key.phase,
    ]
    return metric == key.metric && zip(wanted, found).allSatisfy { $0 == nil || $0 == $1 }
  }
}

/// The tolerances of a comparison; of several that match a row, the last one holds.
package struct Tolerances: Equatable, Sendable {
  package struct Rule: Equatable, Sendable {
    package var rows: RowSelector
    package var tolerance: Tolerance

    package init(_ rows: RowSelector, _ tolerance: Tolerance) {
      (self.rows, self.tolerance) = (rows, tolerance)
    }
  }

  package var rules: [Rule]

  package init(_ rules: [Rule] = []) {
    self.rules = Self.strict + rules
  }

  /// Exact metrics must be equal. Instructions under Callgrind differ by a hundredth of a per cent
  /// between builds whose difference lies elsewhere, and by some dozens where memory is laid out
  /// otherwise, which is a per cent of a phase that hardly does anything. What a process holds of
  /// memory, and its faults, depend on what the system's malloc has at hand and on what the kernel maps
  /// around a fault. A database that is opened allocates its absolute path several times over: the
  /// bytes of opening it, unlike the number of allocations, depend on how long that is.
  private static let strict =
    [
      Rule(RowSelector(metric: Metric.instructions.id), Tolerance(part: 0.001, amount: 1_000)),
      Rule(RowSelector(metric: Metric.peakRSSBytes.id), Tolerance(part: 0.1, amount: 2e6)),
      Rule(RowSelector(metric: Metric.pageFaults.id), Tolerance(part: 0.1, amount: 100)),
    ]
    + [Metric.allocatedBytes, .peakHeapBytes].map {
      Rule(RowSelector(phase: "open", metric: $0.id), Tolerance(part: 0.02, amount: 2_000))
    }

  /// The tolerance of a row; nil where none was set. What wall time may do its mean may, unless something is said of
  /// that: it is another look at the same work.
  package func of(_ key: Series.Key) -> Tolerance? {
    let own = rules.last { $0.rows.matches(key) }?.tolerance
    guard own == nil, key.metric == Metric.meanWall.id else { return own }
    return of(Series.Key(cell: key.cell, phase: key.phase, metric: Metric.wall.id))
  }
}

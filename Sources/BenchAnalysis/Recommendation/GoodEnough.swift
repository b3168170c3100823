import BenchResults
import Foundation

/// The time below which users notice no delay, so that a faster backend is hardly better.
///
/// A time `t` up to the threshold `T` counts as `T × (t / T)^0.1`, and a longer time as itself.
/// There is no step at `T`, and a shorter time never counts for more than a longer one. If both are
/// good enough, the faster backend is still ahead, by a tenth of the difference in logarithms.
///
/// Sources: A screen of 120 Hz shows a frame every 8.3 ms, and work that fits into one delays none
/// (Apple, "Explore UI animation hitches and the render loop", Tech Talks 2020). The limit on what
/// a figure can add is the one-sided desirability of Derringer & Suich, "Simultaneous Optimization
/// of Several Response Variables", Journal of Quality Technology 12 (1980). Theirs is flat beyond
/// the target, which would leave ties that the tenth decides.
package struct GoodEnough: Equatable, Sendable {
  /// The threshold in nanoseconds. At 0 every difference counts in full.
  package let nanoseconds: Double

  /// 8 ms, about a frame at 120 Hz.
  package static let usual = GoodEnough(valid: 8_000_000)
  package static let off = GoodEnough(valid: 0)
  /// The allowed thresholds in nanoseconds: up to a minute.
  package static let valid = 0.0...60_000_000_000
  /// The share of a logarithm that counts below the threshold.
  package static let remainder = 0.1

  /// Returns nil if the threshold is outside ``valid``.
  package init?(nanoseconds: Double) {
    guard Self.valid.contains(nanoseconds) else { return nil }
    self.init(valid: nanoseconds)
  }

  private init(valid nanoseconds: Double) { self.nanoseconds = nanoseconds }

  /// Whether a figure is a time that is good enough. Sizes and counts never are.
  package func covers(_ value: Double, of metric: Metric) -> Bool {
    metric.unit == .nanoseconds && metric.better == .lower && nanoseconds > 0
      && value <= nanoseconds
  }

  /// Returns what counts of a figure above 0, in the figure's own unit.
  package func counting(_ value: Double, of metric: Metric) -> Double {
    guard covers(value, of: metric) else { return value }
    return nanoseconds * pow(value / nanoseconds, Self.remainder)
  }
}

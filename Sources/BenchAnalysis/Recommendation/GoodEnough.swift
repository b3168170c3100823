import BenchResults
import Foundation

/// The time below which nobody waits, so that a faster backend is hardly a better one.
///
/// A time `t` at or below the threshold `T` counts as `T × (t / T)^0.1`, a longer one as itself: it falls
/// without a step at `T`, and a shorter time never counts for more than a longer one, so that of two that
/// are both good enough the faster is still ahead, by a tenth of what it would be in logarithms. Sources:
/// a screen of 120 Hz shows a frame every 8.3 ms, and work that fits into one delays none (Apple,
/// "Explore UI animation hitches and the render loop", Tech Talks 2020). Bounding how much a figure can
/// add once it is as good as anybody needs is the one-sided desirability of Derringer & Suich,
/// "Simultaneous Optimization of Several Response Variables", Journal of Quality Technology 12 (1980);
/// theirs is flat beyond the target, which would leave ties that a tenth decides.
package struct GoodEnough: Equatable, Sendable {
  /// The threshold in nanoseconds; 0 counts every difference in full.
  package let nanoseconds: Double

  /// 8 ms, about a frame at 120 Hz.
  package static let usual = GoodEnough(valid: 8_000_000)
  package static let off = GoodEnough(valid: 0)
  /// The thresholds that may be asked for, in nanoseconds: up to a minute.
  package static let valid = 0.0...60_000_000_000
  /// The part of a logarithm that counts below the threshold.
  package static let remainder = 0.1

  /// Nil of what is not within ``valid``.
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

  /// What counts of a figure above 0, in its own unit.
  package func counting(_ value: Double, of metric: Metric) -> Double {
    guard covers(value, of: metric) else { return value }
    return nanoseconds * pow(value / nanoseconds, Self.remainder)
  }
}

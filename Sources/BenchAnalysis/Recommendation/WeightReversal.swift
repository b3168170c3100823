import BenchResults
import Foundation

/// The change of one weight that would put another backend first.
package struct WeightReversal: Equatable, Sendable {
  package let backend: String
  package let weight: Weight
  /// The weight at which the two are level. Beyond it ``backend`` is first.
  package let threshold: Double

  /// Whether the weight must be above ``threshold``, rather than below.
  package let isMore: Bool
  /// The distance of the weight from ``threshold``.
  package var distance: Double { abs(threshold - weight.value) }

  /// Smaller differences of logarithms are rounding errors.
  private static let noise = 1e-12

  /// Returns, for each backend that is not first, the smallest change of one weight that puts it first.
  /// The smallest change of all is first. A backend has none if no valid weight puts it first.
  ///
  /// A score's logarithm is linear in each weight if it is not divided by their sum, which changes no
  /// order. So one range of a weight puts a backend ahead of all others: an intersection of half-lines.
  static func all(_ weights: [CountedWeight], _ ranked: [RankedBackend]) -> [WeightReversal] {
    let contests = ranked.map { Contest($0, weights) }
    return ranked.indices.dropFirst().compactMap { index in
      weights.indices.compactMap { flip(index, weight: $0, contests, weights) }
        .min { $0.distance < $1.distance }
    }.sorted { $0.distance < $1.distance }
  }

  /// Returns the change of one weight that puts a backend first, or nil if there is none.
  private static func flip(
    _ index: Int, weight: Int, _ contests: [Contest], _ weights: [CountedWeight]
  ) -> WeightReversal? {
    let now = weights[weight].weight
    var (low, high) = (0.0, Weight.valid.upperBound)
    for other in contests.indices where other != index {
      let lead = contests[other].total - contests[index].total
      let slope = contests[other].parts[weight] - contests[index].parts[weight]
      guard abs(slope) > noise else {
        // This weight does not change the distance between the two.
        if lead < -noise || (abs(lead) <= noise && other < index) { return nil }
        continue
      }
      let level = now.value - lead / slope
      if slope > 0 { low = max(low, level) } else { high = min(high, level) }
    }
    guard low < high else { return nil }
    let isMore = now.value - low <= high - now.value
    return WeightReversal(
      backend: contests[index].backend, weight: now,
      threshold: isMore ? max(low, now.value) : min(high, now.value), isMore: isMore)
  }

  /// The logarithms of a backend's multiples by weight. ``total`` is the score's logarithm before
  /// the division by the sum of the weights.
  private struct Contest {
    let backend: String
    /// The amount that one unit of each weight adds.
    let parts: [Double]
    let total: Double

    init(_ ranked: RankedBackend, _ weights: [CountedWeight]) {
      let logs = Dictionary(
        ranked.terms.map { ($0.weighted.column, log($0.multiple)) }, uniquingKeysWith: { $1 })
      backend = ranked.backend
      parts = weights.map { weight in
        weight.columns.reduce(0) { $0 + (logs[$1] ?? 0) } / Double(weight.columns.count)
      }
      total = zip(weights, parts).reduce(0) { $0 + $1.0.weight.value * $1.1 }
    }
  }
}

import BenchResults
import Foundation

/// The change of one weight that would put another backend first.
package struct Flip: Equatable, Sendable {
  package let backend: String
  package let weight: Weight
  /// Where the two are level; beyond it, seen from the weight as it is, ``backend`` is first.
  package let threshold: Double

  /// Whether the weight would have to be more than ``threshold``; else less.
  package let isMore: Bool
  /// How far the weight is from it, in weights.
  package var distance: Double { abs(threshold - weight.value) }

  /// Differences of logarithms below this are the arithmetic's.
  private static let noise = 1e-12

  /// For each backend that is not first the nearest change of one weight that would put it first; the
  /// nearest of all first. None for one that no weight from 0 to the highest valid one puts first. A
  /// score's logarithm is linear in each weight once it is not divided by their sum, which changes no
  /// order: so one weight puts a backend level with another at one place, and ahead of all others in
  /// one range, the intersection of as many half-lines.
  static func all(_ weights: [CountedWeight], _ ranked: [RankedBackend]) -> [Flip] {
    let contests = ranked.map { Contest($0, weights) }
    return ranked.indices.dropFirst().compactMap { index in
      weights.indices.compactMap { flip(index, weight: $0, contests, weights) }
        .min { $0.distance < $1.distance }
    }.sorted { $0.distance < $1.distance }
  }

  /// The change of one weight that puts one backend first; nil where none does.
  private static func flip(
    _ index: Int, weight: Int, _ contests: [Contest], _ weights: [CountedWeight]
  ) -> Flip? {
    let now = weights[weight].weight
    var (low, high) = (0.0, Weight.valid.upperBound)
    for other in contests.indices where other != index {
      let lead = contests[other].total - contests[index].total
      let slope = contests[other].parts[weight] - contests[index].parts[weight]
      guard abs(slope) > noise else {
        // This weight moves neither against the other.
        if lead < -noise || (abs(lead) <= noise && other < index) { return nil }
        continue
      }
      let level = now.value - lead / slope
      if slope > 0 { low = max(low, level) } else { high = min(high, level) }
    }
    guard low < high else { return nil }
    let isMore = now.value - low <= high - now.value
    return Flip(
      backend: contests[index].backend, weight: now,
      threshold: isMore ? max(low, now.value) : min(high, now.value), isMore: isMore)
  }

  /// A backend's logarithms, by weight: the sum of each weight's products is its score's, but for the
  /// sum of the weights.
  private struct Contest {
    let backend: String
    /// What one of each weight adds.
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

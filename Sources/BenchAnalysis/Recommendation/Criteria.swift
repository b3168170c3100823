import BenchResults

/// The question that a recommendation answers. Built by BenchCLI from options or a need.
package struct Criteria: Sendable {
  /// The need's id, if a need was named.
  package var need: String?
  package var weights: [Weight]
  /// The promises that a backend must make.
  package var required: [String]
  /// Whether a backend that keeps nothing may be recommended, too.
  package var takesVolatile: Bool
  package var goodEnough: GoodEnough

  /// Takes the weights of a need, as if they were typed.
  package init(_ need: NeedInfo) {
    self.init(
      need: need.id, weights: need.weights.map { Weight(CostKey($0.key), $0.weight) })
  }

  package init(
    need: String? = nil, weights: [Weight], required: [String] = [], takesVolatile: Bool = false,
    goodEnough: GoodEnough = .usual
  ) {
    (self.need, self.weights, self.required) = (need, weights, required)
    (self.takesVolatile, self.goodEnough) = (takesVolatile, goodEnough)
  }
}

package struct Weight: Equatable, Sendable {
  package let key: CostKey
  /// The weight relative to the other weights. It does not count if it is outside ``valid``.
  package let value: Double

  /// The weights that count. Their range is wider than needed, and keeps sums and powers finite.
  package static let valid = 0.001...1_000.0

  package static let validText = "0.001 to 1,000"

  package init(_ key: CostKey, _ value: Double) {
    (self.key, self.value) = (key, value)
  }
}

/// Selects what a weight applies to, as typed: `product`, `roundtrip/save`,
/// `patch/apply/written_bytes` or `stored_bytes`. A ``CostTable`` finds its columns by it.
package enum CostKey: Equatable, Sendable, CustomStringConvertible {
  /// Every deciding cost of a workload, each with an even share of the weight.
  ///
  /// The name may include settings, such as `patch:changes=10`. A name alone selects the workload
  /// at its defaults or, if these were not measured, at all measured settings.
  case workload(String)
  /// One deciding cost of a workload.
  case cost(workload: String, name: String)
  /// A metric of a phase. A time needs a phase that is a deciding cost by itself.
  case figure(workload: String, phase: String, metric: String)
  /// A metric of a whole pass, from the workload that saves a whole menu or from the first that has
  /// it. Sizes and peaks are those of the largest phase, all other metrics are summed over its costs.
  case metric(String)

  /// Parses the format of ``description``.
  package init(_ typed: String) {
    let parts = typed.split(separator: "/", maxSplits: 2).map(String.init)
    self =
      switch parts.count {
      case 3: .figure(workload: parts[0], phase: parts[1], metric: parts[2])
      case 2: .cost(workload: parts[0], name: parts[1])
      default: Metric.all.contains { $0.id == typed } ? .metric(typed) : .workload(typed)
      }
  }

  package var description: String {
    switch self {
    case .workload(let workload): workload
    case .cost(let workload, let name): "\(workload)/\(name)"
    case .figure(let workload, let phase, let metric): "\(workload)/\(phase)/\(metric)"
    case .metric(let metric): metric
    }
  }

  /// The selected workload, or nil for a metric alone.
  package var workload: String? {
    switch self {
    case .workload(let workload), .cost(let workload, _), .figure(let workload, _, _): workload
    case .metric: nil
    }
  }
}

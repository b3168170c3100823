import BenchResults

package struct Criteria: Sendable {
  /// The need's id, where one was named.
  package var need: String?
  package var weights: [Weight]
  /// The promises that a backend must make.
  package var required: [String]
  /// Whether what keeps nothing may be recommended, too.
  package var takesVolatile: Bool
  package var goodEnough: GoodEnough

  /// What a need weighs, the same as if it were typed.
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
  /// How much, against the other weights: within ``valid``, or else it does not count.
  package let value: Double

  /// The weights that count: a million between the least and the most is more than anybody means, and
  /// their sums and powers stay numbers.
  package static let valid = 0.001...1_000.0

  package static let validText = "0.001 to 1,000"

  package init(_ key: CostKey, _ value: Double) {
    (self.key, self.value) = (key, value)
  }
}

/// What a weight is on, as typed: `product`, `roundtrip/save`, `patch/apply/written_bytes` or
/// `stored_bytes`.
package enum CostKey: Equatable, Sendable, CustomStringConvertible {
  /// Every deciding cost of a workload, each with an even share of the weight.
  ///
  /// A workload with settings is named with them, `patch:changes=10`; by its name alone it stands for
  /// the one at its defaults or, where that was not measured, for all that were.
  case workload(String)
  /// One deciding cost of a workload.
  case cost(workload: String, name: String)
  /// A metric of a phase; no time of a phase that is but a part of a cost, or decides nothing.
  case figure(workload: String, phase: String, metric: String)
  /// A metric of a whole pass, of the workload that saves a whole menu or else of the first that has
  /// it: of sizes and peaks the largest phase's, of all else the sum.
  case metric(String)

  /// Reads what ``description`` writes.
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

  /// The workload that it asks for; nil of a metric alone.
  package var workload: String? {
    switch self {
    case .workload(let workload), .cost(let workload, _), .figure(let workload, _, _): workload
    case .metric: nil
    }
  }
}

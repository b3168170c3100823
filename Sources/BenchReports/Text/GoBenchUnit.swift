import BenchResults

/// The units of Go's benchmark text.
enum GoBenchUnit {
  /// Go's own unit where it has one, else the metric's name before the unit: `cpu-ns/op`,
  /// `stored-B/op`, `instructions/op`.
  static func of(_ metric: Metric) -> String {
    switch metric.id {
    case Metric.wall.id: "ns/op"
    case Metric.allocatedBytes.id: "B/op"
    case Metric.allocations.id: "allocs/op"
    default: named(metric)
    }
  }

  /// A `Unit` line for every metric of which benchstat must know more than its name.
  static func lines(_ metrics: [Metric]) -> [String] {
    var seen: Set<String> = []
    return metrics.filter { seen.insert($0.id).inserted }.map { metric in
      let exact = metric.isExact ? " assume=exact" : ""
      return "Unit \(of(metric)) better=\(metric.better == .lower ? "lower" : "higher")\(exact)"
    }
  }

  private static func named(_ metric: Metric) -> String {
    let words = metric.id.split(separator: "_").map { $0.percentEncoded }
    switch metric.unit {
    case .nanoseconds: return (words + ["ns"]).joined(separator: "-") + "/op"
    case .bytes:
      let stem = words.last == "bytes" ? words.dropLast() : words
      return (stem + ["B"]).joined(separator: "-") + "/op"
    case .percent: return (words + ["percent"]).joined(separator: "-") + "/op"
    case .count: return words.joined(separator: "-") + "/op"
    }
  }
}

extension Substring {
  fileprivate var percentEncoded: String { String(self).percentEncoded(also: ["/"]) }
}

import BenchAnalysis
import BenchResults

/// How costs grow, for scripts: a line for every figure, every exponent and every crossover, told apart
/// by the first field.
///
/// - `figure`: the median at one size, with its interval.
/// - `exponent` and `exponent large end`: the power of growth between two sizes, with its interval.
/// - `crossover`: the size at which `other` becomes cheaper than `backend`, and the two sizes measured
///   that it lies between.
///
/// As the CSV of a run: fields quoted as RFC 4180 says, unknowns empty, all digits of what was measured;
/// what is fitted in six decimals, the same on every platform.
enum ScaleCSV {
  static let header = [
    "row", "backend", "other", "menu", "size_low", "size_high", "workload", "durability", "cost",
    "metric", "unit", "value", "ci_low", "ci_high", "blocks", "reason",
  ]

  static func render(_ scale: ScaleReport) -> String {
    let rows = scale.costs.flatMap { cost in
      cost.curves.flatMap { figures($0, cost.column) + exponents($0, cost.column) }
        + cost.crossovers.map { crossover($0, cost.column, scale.noun) }
    }
    return ([header] + rows.map(\.fields))
      .map { $0.map(CSVReporter.quoted).joined(separator: ",") + "\n" }.joined()
  }

  /// One line's fields, as far as it has them.
  private struct Row {
    var kind: String
    var backend: String
    var other = ""
    var menu = ""
    var sizes: Interval
    var column: CostColumn
    var unit: String
    var value: Double?
    var interval: Interval?
    var blocks: Int?
    var reason = ""

    var fields: [String] {
      [
        kind, backend, other, menu, sizes.low.digits, sizes.high.digits, column.workload,
        column.durability, column.name, column.metric.id, unit,
      ] + [value, interval?.low, interval?.high].map { $0.map(\.digits) ?? "" }
        + [blocks.map(String.init) ?? "", reason]
    }
  }

  private static func figures(_ curve: GrowthCurve, _ column: CostColumn) -> [Row] {
    curve.points.map { point in
      var row = Row(
        kind: "figure", backend: curve.backend, menu: point.menu,
        sizes: Interval(low: point.size, high: point.size), column: column,
        unit: column.metric.unit.rawValue, reason: point.gap ?? "")
      if case .figure(let figure, _) = point.entry {
        row.value = figure.value
        row.interval = figure.isExact ? nil : Statistics.medianInterval(of: figure.blocks)
        row.blocks = figure.blocks.count
      }
      return row
    }
  }

  private static func exponents(_ curve: GrowthCurve, _ column: CostColumn) -> [Row] {
    [("exponent", curve.whole), ("exponent large end", curve.largeEnd)].compactMap { kind, growth in
      growth.map {
        Row(
          kind: kind, backend: curve.backend, sizes: $0.sizes, column: column, unit: "",
          value: rounded($0.exponent),
          interval: $0.interval.map { Interval(low: rounded($0.low), high: rounded($0.high)) })
      }
    }
  }

  private static func crossover(_ crossover: Crossover, _ column: CostColumn, _ noun: String) -> Row
  {
    Row(
      kind: "crossover", backend: crossover.from, other: crossover.to,
      sizes: Interval(low: crossover.below, high: crossover.above), column: column, unit: noun,
      value: crossover.about.map(rounded), reason: crossover.isProven ? "" : "unproven")
  }

  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
}

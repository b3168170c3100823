import Basics
import BenchAnalysis
import BenchResults

/// Go's benchmark text, for benchstat, Bencher and github-action-benchmark: a line a block, which
/// is benchstat's sample too.
///
/// The name holds the cell and the phase as `key=value`, so that `benchstat -col /backend` works;
/// floors and the control are phases by name. Configuration lines hold only what keys times, since
/// benchstat compares nothing across runs that differ in one; the other facts are comments. A value
/// is the block's median, the count before it the block's samples. `Unit` lines say which metrics are
/// exact and where larger is better. Bencher reads a line's first figure alone: the wall time.
///
/// Source: Go's "Benchmark Data Format" (proposal 14313) and golang.org/x/perf/benchfmt. In names
/// all that github-action-benchmark would skip the line for is percent-encoded, and `/` and `%`.
package struct GoBenchReporter: Reporter {
  /// The characters that github-action-benchmark takes within a name (`extractGoResult` in its
  /// `src/extract.ts`), but for those that mean something to us.
  private static let plain = Set(
    ##"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+*=,.:;<|^&$()[]{}"#"##
      .unicodeScalars)

  package init() {}

  package var id: String { "gobench" }
  package var summary: String {
    "Go's benchmark text, for benchstat, Bencher and github-action-benchmark; a line a block"
  }

  /// Facts, units, then a line for every block of every phase that has figures.
  package func render(_ report: Report) -> String {
    let rows = report.figureRows
    let lines =
      RunFact.all(report.record).map(Self.fact) + report.belowFloor.map(Self.belowFloor)
      + GoBenchUnit.lines(rows.map(\.metric))
      + PhaseRows.all(rows).flatMap(Self.lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func fact(_ fact: RunFact) -> String {
    "\(fact.keysTimes ? "" : "# ")\(fact.id): \(fact.value.displayable)"
  }

  /// A comment for each time that is left out, since it cannot be true.
  private static func belowFloor(_ row: ReportRow) -> String {
    "# below-floor: " + "\(row.name) \(row.belowFloorReason ?? "")".displayable
  }

  private static func lines(_ phase: PhaseRows) -> [String] {
    // Wall time first, as Go itself has it; its samples are the count.
    let isWall = { (row: ReportRow) in row.metric.id == Metric.wall.id }
    let rows = phase.rows.filter(isWall) + phase.rows.filter { !isWall($0) }
    let blocks = rows.map(\.series.blocks.count).max() ?? 0
    return (0..<blocks).compactMap { block in
      let measured = rows.filter { $0.series.blocks.dropFirst(block).first?.isEmpty == false }
      let values = measured.compactMap { row in
        Statistics.median(row.series.blocks[block]).map {
          "\($0.digits) \(GoBenchUnit.of(row.metric))"
        }
      }
      guard let samples = measured.first?.series.blocks[block].count else { return nil }
      return ([name(phase), String(samples)] + values).joined(separator: " ")
    }
  }

  private static func name(_ phase: PhaseRows) -> String {
    let labels = phase.cell.labels(phase.phase)
    let name = labels.map { label in
      "/\(label.name)=" + label.value.percentEncoded { !plain.contains($0) }
    }.joined()
    return "BenchmarkMenu" + withoutProcessors(name)
  }

  /// A hyphen and digits at the end would be read as a number of processors.
  private static func withoutProcessors(_ name: String) -> String {
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }
    let head = name.dropLast(digits.count)
    guard !digits.isEmpty, head.last == "-" else { return name }
    return head.dropLast() + "%2D" + String(digits.reversed())
  }
}

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
    metrics.grouped(by: \.id).map { _, alike in
      let metric = alike[0]
      let exact = metric.isExact ? " assume=exact" : ""
      return "Unit \(of(metric)) better=\(metric.better == .lower ? "lower" : "higher")\(exact)"
    }
  }

  private static func named(_ metric: Metric) -> String {
    var words = metric.id.split(separator: "_").map { String($0).percentEncoded(also: ["/"]) }
    switch metric.unit {
    case .nanoseconds: words.append("ns")
    case .bytes:
      if words.last == "bytes" { words.removeLast() }
      words.append("B")
    case .percent: words.append("percent")
    case .count: break
    }
    return words.joined(separator: "-") + "/op"
  }
}

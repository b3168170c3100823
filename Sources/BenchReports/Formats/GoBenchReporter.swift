import Basics
import BenchAnalysis
import BenchResults

/// Go's benchmark text, for benchstat, Bencher and github-action-benchmark. A line is a block, which is
/// benchstat's sample, too.
///
/// The name contains the cell and the phase as `key=value`, so that `benchstat -col /backend` works. Floors
/// and the control are named like phases. Configuration lines only hold facts that times depend on, because
/// benchstat compares nothing across runs that differ in one. The other facts are comments. A value is the
/// block's median, and the count before it is the number of samples. `Unit` lines mark exact metrics and
/// those where larger is better. Bencher only reads a line's first figure, the wall time.
///
/// Source: Go's "Benchmark Data Format" (proposal 14313) and golang.org/x/perf/benchfmt. In names, `/`, `%`
/// and all characters that make github-action-benchmark skip a line are percent-encoded.
package struct GoBenchReporter: Reporter {
  /// The characters that github-action-benchmark accepts in a name (`extractGoResult` in its
  /// `src/extract.ts`), except those that mean something here.
  private static let plain = Set(
    ##"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+*=,.:;<|^&$()[]{}"#"##
      .unicodeScalars)

  package init() {}

  package var id: String { "gobench" }
  package var summary: String {
    "Go's benchmark text, a line per block, for benchstat, Bencher, github-action-benchmark"
  }

  /// Writes facts, units, and a line for every block of every phase with figures.
  package func render(_ report: Report) -> String {
    let rows = report.figureRows
    let facts = RunFact.all(report.record).map { fact in
      "\(fact.keysTimes ? "" : "# ")\(fact.id): \(fact.value.displayable)"
    }
    // Figures that cannot be true are only comments.
    let belowFloor = report.belowFloor.map { row in
      "# below-floor: " + "\(row.name) \(row.belowFloorReason ?? "")".displayable
    }
    let units = rows.map(\.metric).uniqued(on: \.id).map { metric in
      let exact = metric.isExact ? " assume=exact" : ""
      return "Unit \(metric.goUnit) better=\(metric.better == .lower ? "lower" : "higher")\(exact)"
    }
    let lines = facts + belowFloor + units + PhaseRows.all(rows).flatMap(Self.lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func lines(_ phase: PhaseRows) -> [String] {
    // Wall time comes first, as in Go's own output. The count is its samples.
    let isWall = { (row: ReportRow) in row.metric.id == Metric.wall.id }
    let rows = phase.rows.filter(isWall) + phase.rows.filter { !isWall($0) }
    let blocks = rows.map(\.series.blocks.count).max() ?? 0
    return (0..<blocks).compactMap { block in
      let measured = rows.filter { $0.series.blocks.dropFirst(block).first?.isEmpty == false }
      let values = measured.compactMap { row in
        Statistics.median(row.series.blocks[block]).map {
          "\($0.digits) \(row.metric.goUnit)"
        }
      }
      guard let samples = measured.first?.series.blocks[block].count else { return nil }
      return ([name(phase), String(samples)] + values).joined(separator: " ")
    }
  }

  private static func name(_ phase: PhaseRows) -> String {
    let cell = phase.cell
    let labels = [
      ("backend", cell.backend), ("menu", cell.menu), ("workload", cell.workload),
      ("durability", cell.durability), ("phase", phase.phase),
    ]
    let name = labels.reduce("BenchmarkMenu") { name, label in
      "\(name)/\(label.0)=" + label.1.percentEncoded { !plain.contains($0) }
    }
    // A hyphen and digits at the end would be read as a number of processors.
    let digits = name.reversed().prefix { ("0"..."9").contains($0) }
    let head = name.dropLast(digits.count)
    guard !digits.isEmpty, head.last == "-" else { return name }
    return head.dropLast() + "%2D" + String(digits.reversed())
  }
}

extension Metric {
  /// Go's own unit if it has one, otherwise the metric's name before the unit: `cpu-ns/op`,
  /// `stored-B/op`, `instructions/op`.
  fileprivate var goUnit: String {
    if id == Metric.wall.id { return "ns/op" }
    if id == Metric.allocatedBytes.id { return "B/op" }
    if id == Metric.allocations.id { return "allocs/op" }
    var words = id.split(separator: "_").map { String($0).percentEncoded(also: ["/"]) }
    switch unit {
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

import Basics
import BenchAnalysis
import BenchResults

/// A chart of each storage's whole costs: one bar per cost, with its phases one after the other.
enum PhaseChart {
  /// A phase's time, and the least time that is more than the clock's own cost.
  private typealias Phase = (id: String, summary: Summary, least: Double?)

  /// One cost of one storage, with its phases in order.
  private struct Bar {
    let cost: String
    /// The cost's own median. The medians of its phases need not add up to it.
    let median: Double
    let interval: Interval?
    /// The least median that is more than the clock's own cost, or nil if unknown.
    var least: Double?
    let phases: [Phase]

    private var sum: Double { phases.reduce(0) { $0 + $1.summary.p50 } }

    var text: String { Wording.value(median, .nanoseconds, resolutionLimit: least) }

    /// Returns the phases as parts of the bar, by their shares of their sum.
    func parts(_ backend: String, among order: [String]) -> [RowPlot.Lane.Part] {
      var end = 0.0
      return phases.map { phase in
        end += sum > 0 ? median * phase.summary.p50 / sum : 0
        let time = Wording.value(phase.summary.p50, .nanoseconds, resolutionLimit: phase.least)
        return (order.firstIndex(of: phase.id) ?? 0, end, "\(backend) \(phase.id): \(time)")
      }
    }
  }

  private typealias Line = (backend: String, bars: [Bar])

  /// Returns nil for a group without whole costs, or without times of them.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = group.overview.map { row -> Line in
      let phases = times(group, row.backend)
      // A cost that the first table withholds has no bar, because a short bar would look like a good one.
      let bars = group.costs.compactMap { cost in
        row.costs[cost.name].map { figure in
          Bar(
            cost: cost.name, median: figure.value, interval: figure.interval,
            least: figure.resolutionLimit, phases: cost.phases.compactMap { phases[$0] })
        }
      }
      return (row.backend, bars)
    }
    return chart(
      lines, group.costs.flatMap(\.phases).distinct, "phases",
      "Time by phase: \(ReportDocument.title(group))")
  }

  /// The launch phase whose time is given, not measured, because it does not wait for a network.
  private static let given = "network"

  /// The goals of launch workloads, each with the phases that lead there, in order.
  private static let launches: [String: [(goal: String, phases: [String])]] = [
    "launch-flow": [("the menu", ["network", "parse", "store", "read-back", "map"])],
    "first-menu": [
      ("the first screen", ["start", "first-screen"]), ("the whole menu", ["start", "whole-menu"]),
    ],
    "upgrade": [("the menu", ["start", "network", "parse", "load"])],
  ]

  /// Returns a chart of the phases on the way to the menu, or nil for other workloads. A bar omits what a
  /// storage need not do, and a store that is not read back. It is missing if one of its parts is unknown.
  static func timeline(_ group: ReportGroup) -> Chart? {
    guard var ways = launches[WorkloadInfo.name(of: group.workload)] else { return nil }
    let known = group.overview.map { (row: $0, times: times(group, $0.backend)) }
    // Several goals differ in their last phases: those that no storage has are left out.
    if ways.count > 1 {
      ways.removeAll { way in known.allSatisfy { $0.times[way.phases.last ?? ""] == nil } }
    }
    let parts = ways.flatMap(\.phases).distinct.filter { id in
      known.contains { $0.times[id == "store" ? "read-back" : id] != nil }
    }
    let lines = known.map { row, times -> Line in
      let skipped = group.rows.filter {
        $0.cell.backend == row.backend && $0.metric.id == Metric.wall.id
          && $0.series.unsupported != nil
      }.map(\.phase)
      let bars = ways.compactMap { way -> Bar? in
        let parts = parts.filter(way.phases.contains)
        let phases = parts.compactMap { times[$0] }
        guard !phases.isEmpty, parts.allSatisfy({ times[$0] != nil || skipped.contains($0) })
        else { return nil }
        let total = times["total"]?.summary
        return Bar(
          cost: ways.count > 1 ? way.goal : "reaching \(way.goal)",
          median: total?.p50 ?? phases.reduce(0) { $0 + $1.summary.p50 }, interval: total?.interval,
          phases: phases)
      }
      return (row.backend, bars)
    }
    return chart(
      lines, parts, "timeline",
      "Steps to \(ways.map(\.goal).joined(separator: " and ")): \(ReportDocument.title(group))",
      parts.contains(given) ? " \(given) is given, not measured." : "")
  }

  /// Returns the times of a storage's phases, except of those below their floors.
  private static func times(_ group: ReportGroup, _ backend: String) -> [String: Phase] {
    group.rows.reduce(into: [:]) { times, row in
      guard row.cell.backend == backend, row.metric.id == Metric.wall.id,
        row.floor?.isError != true
      else { return }
      times[row.phase] = row.summary.map { (row.phase, $0, row.resolutionLimit) }
    }
  }

  private static func chart(
    _ all: [Line], _ order: [String], _ name: String, _ title: String, _ aside: String = ""
  ) -> Chart? {
    let costs = all.flatMap { $0.bars.map(\.cost) }.distinct
    // A sum without one of its parts is not better, so incomplete lines come last.
    let lines = all.filter { !$0.bars.isEmpty }.sorted { one, next in
      let key = { (line: Line) in
        (costs.count - line.bars.count, line.bars.reduce(0) { $0 + $1.median })
      }
      return key(one) < key(next)
    }
    let bars = lines.flatMap(\.bars)
    let most = bars.map(\.median).max() ?? 0
    guard most > 0 else { return nil }
    let order = order.filter { id in bars.contains { $0.phases.contains { $0.id == id } } }
    // A very wide interval would squeeze the bars, so it ends in an arrow.
    let reach = max(most, min(bars.compactMap { $0.interval?.high }.max() ?? most, 1.5 * most))
    let plot = RowPlot(
      axis: { Axis(linearTo: reach, from: $0, to: $1) }, origin: 0, legend: order,
      rows: lines.map { line in
        RowPlot.Row(
          name: line.backend,
          lanes: line.bars.map { bar in
            RowPlot.Lane(
              parts: bar.parts(line.backend, among: order), interval: bar.interval,
              text: bar.text + (costs.count > 1 ? " \(bar.cost)" : ""))
          })
      }, tick: Wording.time)
    return Chart(
      name: name, title: title,
      sentence: "A bar is a cost, divided by its phases. A whisker is its 95 % interval." + aside,
      drawing: plot.drawing, table: table(lines, order))
  }

  /// Returns one row per storage: its phases, then the costs that are not a single phase.
  private static func table(_ lines: [Line], _ order: [String]) -> Table {
    let bars = lines.flatMap(\.bars)
    let costs = bars.map(\.cost).distinct
    let sums = costs.filter { cost in
      bars.contains { $0.cost == cost && $0.phases.map(\.summary.p50) != [$0.median] }
    }
    return Table(
      columns: ["backend"] + order
        + sums.map { cost in
          let phases = bars.filter { $0.cost == cost }.flatMap { $0.phases.map(\.id) }.distinct
          return costs.count == 1
            ? "in all" : "\(cost) in all (\(phases.joined(separator: " + ")))"
        },
      rows: lines.map { line in
        let phases = order.map { id in line.bars.flatMap(\.phases).first { $0.id == id } }
          .map { time($0?.summary.p50, $0?.summary.interval, $0?.least) }
        let costs = sums.map { cost in line.bars.first { $0.cost == cost } }
          .map { time($0?.median, $0?.interval, $0?.least) }
        return [Table.Cell(line.backend)] + phases + costs
      })
  }

  /// Returns a time with its interval, or an upper bound if it is too short to tell from the clock's own cost.
  private static func time(_ median: Double?, _ interval: Interval?, _ least: Double?) -> Table.Cell
  {
    var cell = Table.Cell.value(median, .nanoseconds, least: least)
    if let median, let interval, median >= least ?? 0 {
      cell.text += " (\(Wording.range(interval, .nanoseconds)))"
    }
    return cell
  }
}

import Basics
import BenchAnalysis
import BenchResults

/// What each storage takes for each whole cost: a bar a cost, its phases one after the other.
enum PhaseChart {
  /// One cost of one storage, with its phases in order.
  private struct Bar {
    let cost: String
    /// The cost's own median: those of its phases need not add up to it.
    let median: Double
    let interval: Interval?
    /// What the median must reach to be told from the clock's own cost; nil where unknown.
    var least: Double?
    let phases: [Phase]
    /// The phase of which the time was told to the workload; nil of none.
    var given: String?

    /// The phases without that.
    var measured: [Phase] { phases.filter { $0.id != given } }
    /// The longest of them, where that is no close call.
    var longest: String? {
      guard let first = measured.max(by: { $0.summary.p50 < $1.summary.p50 }) else { return nil }
      let isClose = measured.contains { $0.id != first.id && $0.summary.isClose(to: first.summary) }
      return isClose ? nil : first.id
    }

    /// What the phases' medians come to.
    private var parts: Double { phases.reduce(0) { $0 + $1.summary.p50 } }
    /// Whether the phases are drawn longer or shorter than they are, so as to fill the bar.
    var isStretched: Bool { parts > 0 && Wording.multiple(median / parts) != Wording.multiple(1) }

    /// How much of the bar a phase takes.
    func share(_ summary: Summary) -> Double { parts > 0 ? summary.p50 / parts : 0 }

    /// The median, or what it is below.
    var text: String { Wording.value(median, .nanoseconds, leastTellable: least) }
  }

  /// What a phase takes, and what that must reach to be told from the clock's own cost.
  private typealias Phase = (id: String, summary: Summary, least: Double?)

  /// A storage's bars.
  private struct Line {
    let backend: String
    /// Whether it keeps what was written, and so may be the best.
    let isRival: Bool
    let bars: [Bar]

    var sum: Double { bars.reduce(0) { $0 + $1.median } }
  }

  /// Nil of a group without whole costs, or without times of them.
  static func chart(_ group: ReportGroup) -> Chart? {
    let lines = group.glance.map { row in
      let phases = times(group, row.backend)
      return Line(
        backend: row.backend, isRival: row.isRival,
        // A cost that the glance withholds has no bar: a shorter one would look like a better one.
        bars: group.costs.compactMap { cost in
          row.costs[cost.name].map { figure in
            Bar(
              cost: cost.name, median: figure.value, interval: figure.interval,
              least: figure.leastTellable, phases: cost.phases.compactMap { phases[$0] })
          }
        })
    }
    let hidden = group.glance.filter { row in
      !row.withheld.isEmpty && group.costs.allSatisfy { row.costs[$0.name] == nil }
    }.map(\.backend)
    return chart(
      lines, group.costs.flatMap(\.phases).distinct, "phases",
      "Where the time goes: \(ReportDocument.title(group))",
      hidden.isEmpty ? "" : " Of \(Wording.list(hidden)) no cost is known, and so no bar.")
  }

  /// The phase of these of which the time is told: they wait for no network.
  private static let given = "network"

  /// Where workloads that tell of a launch lead, each with the phases that go there one after the other.
  private static let launches: [String: [(goal: String, phases: [String])]] = [
    "launch-flow": [("the menu", ["network", "parse", "store", "read-back", "map"])],
    "first-menu": [
      ("the first screen", ["start", "first-screen"]), ("the whole menu", ["start", "whole-menu"]),
    ],
    "upgrade": [("the menu", ["start", "network", "parse"])],
  ]

  /// What happens on the way to the menu, of a workload that tells; else nil. What a storage needs not do has no part in
  /// its bar; where a part is not known it has no bar, and one without any is named.
  static func timeline(_ group: ReportGroup) -> Chart? {
    guard var ways = launches[WorkloadInfo.name(of: group.workload)] else { return nil }
    let known = group.glance.map { (row: $0, times: times(group, $0.backend)) }
    // Of several each ends with a phase of its own.
    if ways.count > 1 {
      ways.removeAll { way in known.allSatisfy { $0.times[way.phases.last ?? ""] == nil } }
    }
    let all = ways.flatMap(\.phases).distinct
    let parts = all.filter { id in known.contains { $0.times[id] != nil } }
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
          cost: ways.count > 1 ? way.goal : "the way to \(way.goal)",
          median: total?.p50 ?? phases.reduce(0) { $0 + $1.summary.p50 }, interval: total?.interval,
          phases: phases, given: given)
      }
      return Line(backend: row.backend, isRival: row.isRival, bars: bars)
    }
    let unknown = lines.filter(\.bars.isEmpty).map(\.backend)
    let aside =
      (all.first == "start"
        ? "" : " It begins with the request; what a process takes to start is first-menu's.")
      + (parts.contains(given) ? " \(given) is given, not measured." : "")
      + (unknown.isEmpty
        ? "" : " Of \(Wording.list(unknown)) a part is not known, and so no bar.")
    return chart(
      lines.filter { !$0.bars.isEmpty }, parts, "timeline",
      "The way to \(ways.map(\.goal).joined(separator: " and ")): \(ReportDocument.title(group))",
      aside)
  }

  /// What a storage's phases take; without those that are below their floors.
  private static func times(_ group: ReportGroup, _ backend: String) -> [String: Phase] {
    group.rows.reduce(into: [:]) { times, row in
      guard row.cell.backend == backend, row.metric.id == Metric.wall.id,
        row.floor?.isError != true
      else { return }
      times[row.phase] = row.summary.map { (row.phase, $0, row.leastTellable) }
    }
  }

  private static func chart(
    _ lines: [Line], _ order: [String], _ name: String, _ title: String, _ aside: String = ""
  ) -> Chart? {
    let whole = lines.flatMap { $0.bars.map(\.cost) }.distinct.count
    func lacks(_ line: Line) -> Bool { line.bars.count < whole }
    // Without a part of it a sum is no smaller: what lacks one stands last.
    let lines = lines.filter { $0.sum > 0 }.sorted {
      (lacks($0) ? 1 : 0, $0.sum) < (lacks($1) ? 1 : 0, $1.sum)
    }
    guard !lines.isEmpty else { return nil }
    let present = Set(lines.flatMap { $0.bars.flatMap { $0.phases.map(\.id) } })
    let order = order.filter(present.contains)
    let most = lines.flatMap(\.bars).map(\.median).max() ?? 1
    // What nobody would see is in the table alone.
    let costs = lines.flatMap { $0.bars.map(\.cost) }.distinct
    let drawn = costs.filter { cost in
      lines.contains { $0.bars.contains { $0.cost == cost && $0.median > most / 50 } }
    }
    return Chart(
      name, title: title,
      sentence: sentence(lines, drawn, of: costs) + aside + incomplete(lines.filter(lacks))
        + stretched(lines),
      drawing(lines, drawn, order, most), table: table(lines, order))
  }

  /// Whose costs are not all known.
  private static func incomplete(_ lines: [Line]) -> String {
    guard !lines.isEmpty else { return "" }
    return " Of \(Wording.list(lines.map(\.backend))) not every cost is known, so that "
      + "\(lines.count == 1 ? "it stands" : "they stand") last."
  }

  /// That parts are no lengths of their own, where it can be seen.
  private static func stretched(_ lines: [Line]) -> String {
    lines.contains { $0.bars.contains(where: \.isStretched) }
      ? " A part of a bar is its phase's share of it: the phases' medians do not add up to the whole."
      : ""
  }

  private static func drawing(
    _ lines: [Line], _ costs: [String], _ order: [String], _ most: Double
  ) -> Drawing {
    var drawing = Drawing()
    let bars = lines.flatMap(\.bars).filter { costs.contains($0.cost) }
    let order = order.filter { id in bars.contains { $0.phases.contains { $0.id == id } } }
    func label(_ bar: Bar) -> String {
      bar.text + (costs.count > 1 ? " \(bar.cost)" : "")
    }
    let shown = lines.map { line in
      Line(
        backend: line.backend, isRival: line.isRival,
        bars: line.bars.filter { costs.contains($0.cost) })
    }
    let room = bars.map { Drawing.width(of: label($0)) }.max() ?? 0
    let left = 4.0
    // A wild interval would press the bars together: it ends in an arrow.
    let reach = min(bars.compactMap { $0.interval?.high }.max() ?? most, 1.5 * most)
    let axis = Axis(
      linearTo: max(most, reach), from: left, to: max(Drawing.width - 12 - room, 180))
    let top = drawing.legend(order)
    let bottom = top + shown.reduce(0) { $0 + 18 + 14 * Double($1.bars.count) }
    drawing.horizontalAxis(axis, top: top, bottom: bottom) { Wording.time($0) }
    var (parts, whiskers): ([Drawing.BarPart], [Drawing.Whisker]) = ([], [])
    var labels: [(text: String, x: Double, y: Double)] = []
    var y = top
    for line in shown {
      drawing.text(line.backend, left, y + 11, room: Drawing.width - 8)
      y += 15
      for bar in line.bars {
        var sum = 0.0
        for phase in bar.phases {
          let next = sum + bar.median * bar.share(phase.summary)
          parts.append(
            (
              order.firstIndex(of: phase.id) ?? 0, axis.place(sum), axis.place(next), y,
              "\(line.backend) \(phase.id): "
                + Wording.value(phase.summary.p50, .nanoseconds, leastTellable: phase.least)
            ))
          sum = next
        }
        var end = axis.place(bar.median)
        if let interval = bar.interval, axis.place(interval.high) - axis.place(interval.low) > 2 {
          whiskers.append((interval, y + 6))
          end = max(end, axis.place(interval.high))
        }
        labels.append((label(bar), end + 5, y + 10))
        y += 14
      }
      y += 3
    }
    drawing.parts(parts)
    drawing.whiskers(whiskers, on: axis)
    for label in labels { drawing.text(label.text, label.x, label.y) }
    drawing.height = bottom + 18
    return drawing
  }

  private static func sentence(_ lines: [Line], _ drawn: [String], of costs: [String]) -> String {
    let rivals = lines.contains(where: \.isRival) ? lines.filter(\.isRival) : lines
    let sentences = drawn.compactMap { cost -> String? in
      let bars = rivals.compactMap { line in
        line.bars.first { $0.cost == cost }.map { (backend: line.backend, bar: $0) }
      }.sorted { $0.bar.median < $1.bar.median }
      guard let best = bars.first, let worst = bars.last else { return nil }
      let (least, most) = (best.bar.text, worst.bar.text)
      let span =
        least == most
        ? "\(least) with \(Wording.list(bars.map(\.backend)))"
        : "from \(least) with \(best.backend) to \(most) with \(worst.backend)"
      return "\(cost) takes \(span)\(longest(bars.map(\.bar)).map { ", \($0)" } ?? "")."
    }
    let rest = costs.filter { !drawn.contains($0) }
    let unseen =
      rest.isEmpty
      ? [] : ["\(Wording.list(rest)) \(rest.count == 1 ? "is" : "are") too short to be seen here."]
    return (sentences + unseen).joined(separator: " ")
  }

  /// Which phase most of a cost's bars are longest in; nil of a cost that is one phase.
  private static func longest(_ bars: [Bar]) -> String? {
    let several = bars.filter { $0.measured.count > 1 }
    let most = several.compactMap(\.longest).grouped { $0 }.max {
      $0.elements.count < $1.elements.count
    }
    guard let most, most.elements.count * 2 > several.count else { return nil }
    let all = most.elements.count == bars.count
    let of =
      all ? (bars.count > 1 ? " for all" : "") : " for \(most.elements.count) of \(bars.count)"
    let isGiven = bars.contains { $0.measured.count < $0.phases.count }
    return "of which \(most.key) is the longest \(isGiven ? "measured " : "")part\(of)"
  }

  /// A row a storage: its phases, then what costs come to that are not one of them alone.
  private static func table(_ lines: [Line], _ order: [String]) -> ChartTable {
    let bars = lines.flatMap(\.bars)
    let costs = bars.map(\.cost).distinct
    let sums = costs.filter { cost in
      bars.contains { $0.cost == cost && $0.phases.map(\.summary.p50) != [$0.median] }
    }
    return ChartTable(
      columns: ["storage"] + order
        + sums.map { cost in
          let phases = bars.filter { $0.cost == cost }.flatMap { $0.phases.map(\.id) }.distinct
          return costs.count == 1
            ? "in all" : "\(cost) in all (\(phases.joined(separator: " + ")))"
        },
      rows: lines.map { line in
        let phases = line.bars.flatMap(\.phases)
        return [ChartTable.Value(line.backend)]
          + order.map { id in
            phases.first { $0.id == id }.map { .time($0.summary, least: $0.least) } ?? "—"
          }
          + sums.map { cost in
            line.bars.first { $0.cost == cost }
              .map { .figure($0.median, $0.interval, .nanoseconds, least: $0.least) } ?? "—"
          }
      })
  }
}

extension ChartTable.Value {
  /// A time with its interval, or only what it is below where it cannot be told from the clock's own cost.
  static func time(_ summary: Summary, least: Double?) -> ChartTable.Value {
    figure(summary.p50, summary.interval, .nanoseconds, least: least)
  }

  /// A figure with its interval, where it has one.
  static func value(_ summary: Summary, _ unit: BenchResults.Unit) -> ChartTable.Value {
    figure(summary.p50, summary.interval, unit)
  }

  /// The same of what has no summary.
  static func figure(
    _ value: Double, _ interval: Interval?, _ unit: BenchResults.Unit, least: Double? = nil
  ) -> ChartTable.Value {
    let text = Wording.value(value, unit, leastTellable: least)
    let isTold = least.map { value >= $0 } ?? true
    let range = isTold ? interval.map { " (\(Wording.range($0, unit)))" } : nil
    return ChartTable.Value(text + (range ?? ""), value)
  }
}

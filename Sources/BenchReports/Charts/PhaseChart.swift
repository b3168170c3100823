import Basics
import BenchAnalysis
import BenchResults

/// What each storage takes for the parts of its whole costs, one bar a storage, its phases one after the other.
enum PhaseChart {
  /// One storage's phases that are part of a whole cost, in order.
  private struct Bar {
    let backend: String
    let phases: [(id: String, summary: Summary)]

    var total: Double { phases.reduce(0) { $0 + $1.summary.p50 } }
    var longest: String? { phases.max { $0.summary.p50 < $1.summary.p50 }?.id }
  }

  /// The phases of workloads that tell of a launch, in the order in which they happen one after the other.
  private static let launches = [
    "launch-flow": ["network", "parse", "store", "read-back", "map"],
    "first-menu": ["start", "first-screen"], "upgrade": ["start", "network", "parse"],
  ]

  /// What happens from the start of a process to its menu, of a workload that tells; else nil.
  static func timeline(_ group: ReportGroup) -> Chart? {
    launches[WorkloadInfo.name(of: group.workload)].flatMap { phases in
      chart(group, phases, "timeline", "From the start to the menu: \(ReportDocument.title(group))")
    }
  }

  /// Nil of a group without whole costs or without times of them.
  static func chart(_ group: ReportGroup) -> Chart? {
    chart(
      group, group.costs.flatMap(\.phases).distinct, "phases",
      "Where the time goes: \(ReportDocument.title(group))")
  }

  private static func chart(
    _ group: ReportGroup, _ parts: [String], _ name: String, _ title: String
  ) -> Chart? {
    let timed = group.rows.filter {
      $0.metric.id == Metric.wall.id && parts.contains($0.phase) && $0.floor?.isError != true
    }
    let bars = timed.grouped(by: \.cell.backend).map { backend, rows in
      Bar(
        backend: backend,
        phases: parts.compactMap { part in
          rows.first { $0.phase == part }?.summary.map { (part, $0) }
        })
    }.filter { $0.total > 0 }.sorted { $0.total < $1.total }
    guard let best = bars.first, let worst = bars.last else { return nil }
    let order = parts.filter { part in bars.contains { $0.phases.contains { $0.id == part } } }
    return Chart(
      name, title: title, sentence: sentence(bars, best, worst), drawing(bars, order),
      table: table(bars, order))
  }

  private static func drawing(_ bars: [Bar], _ order: [String]) -> Drawing {
    var drawing = Drawing()
    let (left, right) = (4.0, 300.0)
    let axis = Axis(linearTo: bars.map(\.total).max() ?? 1, from: left, to: right)
    let top = drawing.legend(order)
    let bottom = top + Double(bars.count) * 32
    drawing.horizontalAxis(axis, top: top, bottom: bottom) { Wording.time($0) }
    for (number, bar) in bars.enumerated() {
      let y = top + Double(number) * 32
      drawing.text(bar.backend, left, y + 11)
      var (sum, reach) = (0.0, 0.0)
      for (id, summary) in bar.phases {
        let place = order.firstIndex(of: id) ?? 0
        let (start, end) = (axis.place(sum), axis.place(sum + summary.p50))
        drawing.part(
          place, start, end, y: y + 15, note: "\(bar.backend) \(id): \(Wording.time(summary.p50))")
        sum += summary.p50
        if let interval = summary.interval {
          let low = axis.place(sum - summary.p50 + interval.low)
          let high = axis.place(sum - summary.p50 + interval.high)
          if high - low > 2 {
            drawing.whisker(low, high, y: y + 21)
            reach = max(reach, high)
          }
        }
      }
      drawing.text(Wording.time(bar.total), max(reach, axis.place(sum)) + 5, y + 25)
    }
    drawing.height = bottom + 18
    return drawing
  }

  private static func sentence(_ bars: [Bar], _ best: Bar, _ worst: Bar) -> String {
    let most = bars.compactMap(\.longest).grouped { $0 }.max {
      $0.elements.count < $1.elements.count
    }
    let longest = most.flatMap { found -> String? in
      if found.elements.count == bars.count {
        return "the longest part is \(found.key)\(bars.count > 1 ? " for all" : "")"
      }
      guard found.elements.count * 2 > bars.count else { return nil }
      return "the longest part is \(found.key) for \(found.elements.count) of \(bars.count)"
    }
    guard bars.count > 1 else {
      return
        "\(best.backend) takes \(Wording.time(best.total)) in all\(longest.map { "; \($0)" } ?? "")."
    }
    return
      "\(best.backend) takes least, \(Wording.time(best.total)); \(worst.backend) takes "
      + "\(Wording.multiple(worst.total / best.total)) that\(longest.map { "; \($0)" } ?? "")."
  }

  private static func table(_ bars: [Bar], _ order: [String]) -> ChartTable {
    ChartTable(
      columns: ["storage"] + order + ["in all"],
      rows: bars.map { bar in
        [ChartTable.Value(bar.backend)]
          + order.map { id in
            bar.phases.first { $0.id == id }.map { .time($0.summary) } ?? "—"
          } + [ChartTable.Value(Wording.time(bar.total), bar.total)]
      })
  }
}

extension ChartTable.Value {
  /// A time with its interval.
  static func time(_ summary: Summary) -> ChartTable.Value { value(summary, .nanoseconds) }

  /// A figure with its interval, where it has one.
  static func value(_ summary: Summary, _ unit: BenchResults.Unit) -> ChartTable.Value {
    let text = Wording.value(summary.p50, unit)
    let interval = summary.interval.map {
      " (\(Wording.value($0.low, unit))–\(Wording.value($0.high, unit)))"
    }
    return ChartTable.Value(text + (interval ?? ""), summary.p50)
  }
}
